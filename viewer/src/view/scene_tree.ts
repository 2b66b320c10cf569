// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The scene as a tree: materials, and under each its bodies. Long ones are virtual.
import { el } from '../common/dom';
import { count } from '../common/format';
import type { Meta } from '../record/meta';
import type { Selection } from './selection';
import { VirtualList } from './virtual_list';

const ROW_PX = 26;

type Node = { material: string; bodies: number[] } | { body: number };

export class SceneTree {
    private readonly groups: { material: string; bodies: number[] }[] = [];
    private readonly closed = new Set<string>();
    private readonly list: VirtualList;
    private nodes: Node[] = [];
    private filter = '';

    constructor(
        container: HTMLElement,
        private readonly meta: Meta,
        private readonly selection: Selection,
        private readonly colourOf: (body: number) => string,
    ) {
        const byMaterial = new Map<string, number[]>();
        meta.bodies.forEach(({ material }, body) => {
            const bodies = byMaterial.get(material);
            if (bodies === undefined) byMaterial.set(material, [body]);
            else bodies.push(body);
        });
        for (const [material, bodies] of byMaterial) this.groups.push({ material, bodies });
        const search = el('input', { type: 'search', placeholder: 'Find a body', 'aria-label': 'Find a body' });
        search.addEventListener('input', () => {
            this.filter = search.value.trim().toLowerCase();
            this.rebuild();
        });
        const rows = el('div', { class: 'tree-rows', 'aria-label': 'Bodies' });
        container.append(el('div', { class: 'filters' }, search), rows);
        this.list = new VirtualList(
            rows, ROW_PX, (item) => this.fill(this.nodes[item]), (item) => this.choose(this.nodes[item]),
            () => this.nodes.findIndex((node) => 'body' in node && node.body === selection.body),
        );
        selection.onChange(() => this.list.refresh());
        this.rebuild();
    }

    private rebuild(): void {
        this.nodes = this.groups.flatMap((group) => {
            const bodies = group.bodies.filter((body) => this.meta.bodies[body].name.toLowerCase().includes(this.filter));
            if (bodies.length === 0) return [];
            const shown = this.closed.has(group.material) ? [] : bodies.map((body) => ({ body }));
            return [{ material: group.material, bodies }, ...shown];
        });
        this.list.setLength(this.nodes.length);
    }

    private fill(node: Node): HTMLElement {
        if ('material' in node) {
            const open = !this.closed.has(node.material);
            return el(
                'div', { class: 'group' },
                el('span', { class: 'twist' }, open ? '▾' : '▸'), el('span', {}, node.material),
                el('span', { class: 'faint' }, count(node.bodies.length)),
            );
        }
        const { name, fixed } = this.meta.bodies[node.body];
        return el(
            'div', { class: 'body' },
            el('i', { class: 'swatch', style: `background: ${this.colourOf(node.body)}` }), el('span', { class: 'name' }, name),
            fixed && el('span', { class: 'faint' }, 'fixed'),
        );
    }

    private choose(node: Node): void {
        if ('body' in node) {
            this.selection.chooseBody(node.body === this.selection.body ? null : node.body);
            return;
        }
        if (!this.closed.delete(node.material)) this.closed.add(node.material);
        this.rebuild();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The scene as a tree: materials, and under each its bodies; with an eye for each that hides it or
// lets one see through it. Long ones are virtual.
import { el, icon } from '../common/dom';
import { count } from '../common/format';
import type { Meta } from '../record/meta';
import type { Selection } from './selection';
import { VirtualList } from './virtual_list';
import type { Look, Visibility } from './visibility';

const ROW_PX = 26;
const EYE = 'M12 6C6.5 6 3 12 3 12s3.500 6 9 6 9-6 9-6-3.500-6-9-6zm0 10a4 4 0 1 1 0-8 4 4 0 0 1 0 8zm0-6.200a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400z';
const HALF_EYE = 'M12 6C6.500 6 3 12 3 12s3.500 6 9 6 9-6 9-6-3.500-6-9-6zm0 1.700c3.700 0 6.200 2.800 7.200 4.300-1 1.500-3.500 4.300-7.200 4.300S5.800 13.500 4.800 12c1-1.500 3.500-4.300 7.200-4.300z';
const NO_EYE = 'M4.500 3.200 3.200 4.500l3 3C4.200 9.200 3 12 3 12s3.500 6 9 6c1.700 0 3.100-.5 4.400-1.200l3.100 3.100 1.300-1.300zM12 16a4 4 0 0 1-3.600-5.700l1.400 1.400a2.200 2.200 0 0 0 2.500 2.500l1.400 1.400A4 4 0 0 1 12 16zm0-10c-.9 0-1.800.2-2.600.4l1.700 1.700A4 4 0 0 1 15.900 13l2.400 2.300C20 13.700 21 12 21 12s-3.500-6-9-6z';
const EYES: Record<Look, { path: string; says: string }> = {
    shown: { path: EYE, says: 'shown' },
    faint: { path: HALF_EYE, says: 'seen through' },
    hidden: { path: NO_EYE, says: 'hidden' },
};

type Node = { material: string; bodies: number[] } | { body: number };

export class SceneTree {
    private readonly groups: { material: string; bodies: number[] }[] = [];
    private readonly closed = new Set<string>();
    private readonly list: VirtualList;
    private readonly showAll: HTMLButtonElement;
    private nodes: Node[] = [];
    private filter = '';

    constructor(
        container: HTMLElement,
        private readonly meta: Meta,
        private readonly selection: Selection,
        private readonly visibility: Visibility,
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
        this.showAll = el('button', { class: 'quiet', title: 'Show all bodies (A)', hidden: true, onclick: () => visibility.showAll() }, 'Show all');
        const rows = el('div', { class: 'tree-rows', 'aria-label': 'Bodies' });
        container.append(el('div', { class: 'filters' }, search, this.showAll), rows);
        this.list = new VirtualList(rows, {
            rowPx: ROW_PX,
            fill: (item) => this.fill(this.nodes[item]),
            choose: (item) => this.choose(this.nodes[item]),
            reach: (item) => this.reach(this.nodes[item]),
            key: (item, name) => this.key(this.nodes[item], name),
            current: () => this.nodes.findIndex((node) => 'body' in node && node.body === selection.body),
        });
        selection.onChange(() => this.list.refresh());
        visibility.onChange(() => {
            this.showAll.hidden = !visibility.isChanged;
            this.list.refresh();
        });
        this.rebuild();
    }

    /** Colours may be others now. */
    refresh(): void {
        this.list.refresh();
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
                'div', { class: 'group', 'aria-expanded': String(open) },
                el('span', { class: 'twist' }, open ? '▾' : '▸'), el('span', { class: 'name' }, node.material),
                el('span', { class: 'faint' }, count(node.bodies.length)), this.eye(node.bodies, node.material),
            );
        }
        const { name, fixed } = this.meta.bodies[node.body];
        return el(
            'div', { class: `body ${this.visibility.of(node.body)}` },
            el('i', { class: 'swatch', style: `background: ${this.colourOf(node.body)}` }), el('span', { class: 'name' }, name),
            fixed && el('span', { class: 'faint' }, 'fixed'), this.eye([node.body], name),
        );
    }

    private eye(bodies: number[], name: string): HTMLElement {
        const { path, says } = EYES[this.visibility.of(bodies[0])];
        const title = `${name} is ${says}: shown, seen through, hidden`;
        return el('button', {
            class: 'quiet eye', title, 'aria-label': title, tabindex: -1, onclick: (event: Event) => {
                event.stopPropagation();
                // an isolated scene first shows its others again
                if (this.visibility.isolated !== null) this.visibility.isolate(null);
                else this.visibility.cycle(bodies);
            },
        }, icon(path));
    }

    /** By a click or Enter: a body is chosen, or no longer; a material opens or closes. */
    private choose(node: Node): void {
        if ('body' in node) {
            this.selection.chooseBody(node.body === this.selection.body ? null : node.body);
            return;
        }
        if (!this.closed.delete(node.material)) this.closed.add(node.material);
        this.rebuild();
    }

    private reach(node: Node): void {
        if ('body' in node) this.selection.chooseBody(node.body);
    }

    /** Left and right close and open a material. */
    private key(node: Node, name: string): boolean {
        if ('body' in node || (name !== 'ArrowLeft' && name !== 'ArrowRight')) return false;
        if (this.closed.has(node.material) === (name === 'ArrowRight')) this.choose(node);
        return true;
    }
}

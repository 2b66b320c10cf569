// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// In corners of the scene: the directions of the axes (a click on one looks along it), how wide a
// square of the grid is, and what lengths of arrows stand for.
import { type Camera, Vector3 } from 'three';
import { el, refill } from '../common/dom';
import { number } from '../common/format';
import { roundLength } from './ground';
import type { ArrowScale } from './overlay';

const SIDE_PX = 84;
const REACH_PX = 28;
/** Arrows of the legend are about so long (px). */
const ARROW_PX = 44;
const SPACE = 'http://www.w3.org/2000/svg';
const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];

/** From where one looks along an axis: azimuth and elevation (degrees). */
const ALONG: Record<Axis, [number, number]> = { x: [0, 0], y: [90, 0], z: [-90, 89.9] };

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
    const element = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
}

export class Gizmo {
    private readonly picture = svg('svg', { viewBox: `0 0 ${SIDE_PX} ${SIDE_PX}`, class: 'gizmo', role: 'group', 'aria-label': 'Directions of the axes' });
    private readonly parts: Record<Axis, { group: SVGElement; line: SVGElement; tip: SVGElement; text: SVGElement }>;
    private readonly scales = el('div', { class: 'scales' });
    private scalesKey = '';

    /** look: from a direction, degrees. */
    constructor(container: HTMLElement, look: (azimuth: number, elevation: number) => void) {
        const part = (axis: Axis) => {
            const colour = `var(--axis-${axis})`;
            const line = svg('line', { stroke: colour, 'stroke-width': 2.2, 'stroke-linecap': 'round' });
            const tip = svg('circle', { r: 8, fill: colour });
            const text = svg('text', { 'text-anchor': 'middle', 'dominant-baseline': 'central' });
            text.textContent = axis;
            const group = svg('g', { role: 'button', tabindex: 0, 'aria-label': `Look along ${axis}` });
            group.append(line, tip, text);
            const go = (): void => look(...ALONG[axis]);
            group.addEventListener('click', go);
            group.addEventListener('keydown', (event) => {
                if (event.key === 'Enter') go();
            });
            return { group, line, tip, text };
        };
        this.parts = { x: part('x'), y: part('y'), z: part('z') };
        this.picture.append(...AXES.map((axis) => this.parts[axis].group));
        container.append(this.picture, this.scales);
    }

    /** square: of the grid (m), null: there is none. */
    update(camera: Camera, square: number | null, arrows: ArrowScale[]): void {
        const turn = camera.quaternion.clone().invert();
        const seen = AXES.map((axis, i) => ({ axis, at: new Vector3().setComponent(i, 1).applyQuaternion(turn) }));
        const middle = SIDE_PX / 2;
        for (const { axis, at } of seen) {
            const { line, tip, text } = this.parts[axis];
            const [x, y] = [middle + REACH_PX * at.x, middle - REACH_PX * at.y];
            const places = { x1: middle, y1: middle, x2: x, y2: y };
            for (const [name, value] of Object.entries(places)) line.setAttribute(name, value.toFixed(1));
            tip.setAttribute('cx', x.toFixed(1));
            tip.setAttribute('cy', y.toFixed(1));
            text.setAttribute('x', x.toFixed(1));
            text.setAttribute('y', y.toFixed(1));
        }
        // what is nearer is drawn later
        const order = seen.sort((a, b) => a.at.z - b.at.z).map(({ axis }) => this.parts[axis].group);
        if (order.some((group, i) => this.picture.children[i] !== group)) this.picture.append(...order);
        this.showScales(square, arrows);
    }

    private showScales(square: number | null, arrows: ArrowScale[]): void {
        const key = JSON.stringify([square, arrows]);
        if (key === this.scalesKey) return;
        this.scalesKey = key;
        const arrow = ({ name, unit, perPixel, colour }: ArrowScale): HTMLElement => {
            const value = roundLength(ARROW_PX * perPixel);
            const length = Math.max(8, value / perPixel);
            const drawing = svg('svg', { width: length.toFixed(1), height: 10, class: 'scale-arrow' });
            const end = Number(length.toFixed(1));
            drawing.append(
                svg('line', { x1: 0, y1: 5, x2: end - 5, y2: 5, stroke: `var(${colour})`, 'stroke-width': 2.4 }),
                svg('path', { d: `M${end} 5l-7 -4v8z`, fill: `var(${colour})` }),
            );
            const line = el('span', { title: `An arrow so long is ${number(value)} ${unit}; far longer ones are cut` });
            line.append(drawing, ` ${number(value)} ${unit} ${name}`);
            return line;
        };
        refill(
            this.scales,
            square !== null && el('span', { title: 'A square of the grid; stronger lines are ten squares apart' }, el('i', { class: 'square' }), ` ${number(square)} m`),
            ...arrows.map(arrow),
        );
    }
}

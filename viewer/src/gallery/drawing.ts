// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The small picture of a scene, from the shapes that the server has projected
// (carom/serve/scene_drawing.h). Colours follow the theme, so that it is drawn again when that changes.
import type { Mode } from '../common/theme';

interface Common {
    colour: number;
    fixed: boolean;
}

export type Item = Common & (
    | { kind: 'ground'; points: number[] }
    | { kind: 'ball'; at: [number, number]; radius: number }
    | { kind: 'capsule'; from: [number, number]; to: [number, number]; radius: number }
    | { kind: 'face'; points: number[]; shade: number }
);

export interface Drawing {
    width: number;
    height: number;
    colours: string[];
    items: Item[];
}

type Rgb = [number, number, number];

const SPACE = 'http://www.w3.org/2000/svg';
const WHITE: Rgb = [255, 255, 255];

/** A ball or a line below this (in units of the drawing) could not be seen. */
const LEAST_RADIUS = 1.6;

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Rgb;
const mixed = (a: Rgb, b: Rgb, part: number): Rgb => a.map((value, i) => value + (b[i] - value) * part) as Rgb;
const css = (colour: Rgb): string => `rgb(${colour.map(Math.round).join(' ')})`;

/** Bodies that cannot be moved are paler, as in the viewer. */
function baseColour(hex: string, fixed: boolean, mode: Mode): Rgb {
    const colour = rgbOf(hex);
    if (!fixed) return colour;
    return mixed(colour, mode === 'dark' ? [74, 84, 104] : [214, 220, 230], 0.72);
}

/** In light (1) and in shadow (0). */
function lit(colour: Rgb, shade: number, mode: Mode): Rgb {
    const dark: Rgb = mode === 'dark' ? [8, 10, 16] : [30, 36, 52];
    return shade < 0.75 ? mixed(colour, dark, 0.62 * (0.75 - shade)) : mixed(colour, WHITE, 0.9 * (shade - 0.75));
}

function element(tag: string, attributes: Record<string, string | number>): SVGElement {
    const made = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    return made;
}

function pathOf(points: number[]): string {
    let path = '';
    for (let i = 0; i + 1 < points.length; i += 2) path += `${i === 0 ? 'M' : 'L'}${points[i]} ${points[i + 1]}`;
    return `${path}Z`;
}

class Brush {
    private readonly gradients = new Map<string, string>();

    constructor(
        private readonly svg: SVGSVGElement,
        private readonly drawing: Drawing,
        private readonly mode: Mode,
        /** Makes the names of gradients differ between the drawings of a page. */
        private readonly name: string,
    ) {}

    add(item: Item): void {
        const colour = baseColour(this.drawing.colours[item.colour], item.fixed, this.mode);
        if (item.kind === 'ground') {
            this.svg.append(element('path', { d: pathOf(item.points), fill: css(colour), opacity: this.mode === 'dark' ? 0.38 : 0.42 }));
        } else if (item.kind === 'face') {
            const fill = css(lit(colour, item.shade, this.mode));
            // a line of the same colour closes the gaps between neighbours
            this.svg.append(element('path', { d: pathOf(item.points), fill, stroke: fill, 'stroke-width': 0.35, 'stroke-linejoin': 'round' }));
        } else if (item.kind === 'ball') {
            const [cx, cy] = item.at;
            this.svg.append(element('circle', { cx, cy, r: Math.max(item.radius, LEAST_RADIUS), fill: `url(#${this.gradient(colour)})` }));
        } else {
            const [x1, y1] = item.from;
            const [x2, y2] = item.to;
            const width = 2 * Math.max(item.radius, 0.6 * LEAST_RADIUS);
            this.svg.append(element('line', { x1, y1, x2, y2, stroke: css(colour), 'stroke-width': width, 'stroke-linecap': 'round' }));
        }
    }

    /** Light from above and the left, on a ball. */
    private gradient(colour: Rgb): string {
        const key = css(colour);
        const known = this.gradients.get(key);
        if (known !== undefined) return known;
        const id = `${this.name}-${this.gradients.size}`;
        const made = element('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 });
        const stops: [number, number][] = [[0, 1.15], [0.35, 0.8], [1, 0.05]];
        for (const [offset, shade] of stops) made.append(element('stop', { offset, 'stop-color': css(lit(colour, shade, this.mode)) }));
        this.svg.prepend(made);
        this.gradients.set(key, id);
        return id;
    }
}

export function drawn(drawing: Drawing, mode: Mode, name: string): SVGSVGElement {
    const svg = document.createElementNS(SPACE, 'svg');
    svg.setAttribute('viewBox', `0 0 ${drawing.width} ${drawing.height}`);
    svg.setAttribute('preserveAspectRatio', 'xMidYMid slice');
    svg.setAttribute('class', 'drawing');
    svg.setAttribute('aria-hidden', 'true');
    const brush = new Brush(svg, drawing, mode, name);
    for (const item of drawing.items) brush.add(item);
    return svg;
}

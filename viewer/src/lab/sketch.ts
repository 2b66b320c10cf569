// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The body above the ground as seen from the side (x to the right, z up): its outline, where it
// touches, and how its centre and its contact point move.
import { apply, contactPoint, type LabBody, orientationOf, pencilMoments, rotationOf } from './bodies';

const SPACE = 'http://www.w3.org/2000/svg';
const WIDTH = 260;
const HEIGHT = 132;
const GROUND = HEIGHT - 16;

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
    const element = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
}

/** Points of the outline in body axes: their hull is what is seen. */
function outlinePoints(body: LabBody): number[][] {
    const { radius: r, length: l, width, depth } = body;
    const ring = (z: number): number[][] =>
        Array.from({ length: 48 }, (_, i) => [r * Math.cos((i * Math.PI) / 24), r * Math.sin((i * Math.PI) / 24), z]);
    switch (body.shape) {
        case 'sphere':
            return Array.from({ length: 96 }, (_, i) => [r * Math.cos((i * Math.PI) / 48), 0, r * Math.sin((i * Math.PI) / 48)]);
        case 'rod':
            return [-1, 1].flatMap((end) => [-1, 1].flatMap((side) => [[side * 0.012 * l, 0, (end * l) / 2]]));
        case 'box':
            return [-1, 1].flatMap((x) =>
                [-1, 1].flatMap((y) => [-1, 1].map((z) => [(x * width) / 2, (y * depth) / 2, (z * l) / 2])),
            );
        case 'cylinder':
            return [...ring(-l / 2), ...ring(l / 2)];
        case 'pencil': {
            const { height } = pencilMoments(body);
            return [[0, 0, -height], ...ring(body.tip - height), ...ring(body.tip + l - height)];
        }
    }
}

/** The convex hull of points in the plane, counter-clockwise (Andrew's chains). */
function hull(points: number[][]): number[][] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o: number[], a: number[], b: number[]): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const chain = (list: number[][]): number[][] => {
        const out: number[][] = [];
        for (const point of list) {
            while (out.length >= 2 && turn(out[out.length - 2], out[out.length - 1], point) <= 0) out.pop();
            out.push(point);
        }
        return out.slice(0, -1);
    };
    return [...chain(sorted), ...chain([...sorted].reverse())];
}

/** Along a velocity: `ends` at the point, or begins there. */
function arrow(point: number[], vector: number[], longest: number, kind: string, ends: boolean): SVGElement[] {
    const size = Math.hypot(vector[0], vector[1]);
    if (size < 1e-12) return [];
    const length = 14 + 26 * (size / longest);
    const [dx, dy] = [vector[0] / size, -vector[1] / size];
    const from = ends ? [point[0] - length * dx, point[1] - length * dy] : point;
    const [x, y] = [from[0] + length * dx, from[1] + length * dy];
    const head = [
        [x, y],
        [x - 8 * dx - 4 * dy, y - 8 * dy + 4 * dx],
        [x - 8 * dx + 4 * dy, y - 8 * dy - 4 * dx],
    ];
    return [
        svg('line', { x1: from[0], y1: from[1], x2: x - 6 * dx, y2: y - 6 * dy, class: `arrow ${kind}` }),
        svg('polygon', { points: head.map((point) => point.join(',')).join(' '), class: `head ${kind}` }),
    ];
}

export function sketch(body: LabBody): SVGElement {
    const R = rotationOf(orientationOf(body));
    const touch = contactPoint(body);
    const seen = hull(
        outlinePoints(body)
            .map((point) => apply(R, point))
            .map(([x, , z]) => [x, z]),
    );
    const extent = Math.max(...seen.map(([x]) => Math.abs(x) * 1.05), ...seen.map(([, z]) => 0.75 * (z - touch[2])));
    const scale = (0.62 * GROUND) / Math.max(extent, 1e-9) / 1.35;
    const place = ([x, z]: number[]): number[] => [WIDTH / 2 + scale * x, GROUND - scale * (z - touch[2])];
    const centre = place([0, 0]);
    const contact = place([touch[0], touch[2]]);
    const { v, w } = body;
    // v + w x r, the part that is seen
    const u = [v[0] + w[1] * touch[2] - w[2] * touch[1], v[2] + w[0] * touch[1] - w[1] * touch[0]];
    const longest = Math.max(Math.hypot(v[0], v[2]), Math.hypot(...u), 1e-12);
    const picture = svg('svg', {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: 'sketch',
        role: 'img',
        'aria-label': 'The body, from the side',
    });
    picture.append(
        svg('line', { x1: 8, y1: GROUND, x2: WIDTH - 8, y2: GROUND, class: 'ground' }),
        svg('polygon', {
            points: seen
                .map((point) =>
                    place(point)
                        .map((c) => c.toFixed(2))
                        .join(','),
                )
                .join(' '),
            class: 'body',
        }),
        svg('circle', { cx: centre[0], cy: centre[1], r: 2.5, class: 'centre' }),
        svg('circle', { cx: contact[0], cy: contact[1], r: 3.5, class: 'touch' }),
        ...arrow(centre, [v[0], v[2]], longest, 'v', false),
        ...arrow(contact, u, longest, 'u', u[1] < 0),
    );
    return picture;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Axes of impulse space with round ticks, and a grid where the normal impulse is zero.
import {
    BufferGeometry,
    ConeGeometry,
    Float32BufferAttribute,
    Group,
    LineBasicMaterial,
    LineSegments,
    Mesh,
    MeshBasicMaterial,
    Vector3,
} from 'three';
import { number } from '../common/format';
import type { Label } from './labels';
import type { Palette } from './palette';
import { type Scale, thickLine } from './region_meshes';

export interface Extent {
    low: number[];
    high: number[];
}

/** The largest of 1, 2 and 5 times a power of ten that is at most `size`. */
export function roundStep(size: number): number {
    const power = 10 ** Math.floor(Math.log10(size));
    const digit = size / power;
    return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

function gridLines(extent: Extent, step: number, scale: Scale, colour: string): LineSegments {
    const [x0, y0] = [0, 1].map((i) => Math.floor(extent.low[i] / step) * step);
    const [x1, y1] = [0, 1].map((i) => Math.ceil(extent.high[i] / step) * step);
    const ends: number[] = [];
    for (let x = x0; x <= x1 + step / 2; x += step) ends.push(...scale([x, y0, 0]), ...scale([x, y1, 0]));
    for (let y = y0; y <= y1 + step / 2; y += step) ends.push(...scale([x0, y, 0]), ...scale([x1, y, 0]));
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(ends, 3));
    return new LineSegments(
        geometry,
        new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.55, depthWrite: false }),
    );
}

function arrowHead(at: Vector3, along: Vector3, colour: string): Mesh {
    const head = new Mesh(new ConeGeometry(0.014, 0.05, 16), new MeshBasicMaterial({ color: colour }));
    head.position.copy(at);
    head.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along);
    return head;
}

export interface AxesDrawing {
    group: Group;
    labels: Label[];
    /** Where the names of the axes are. */
    ends: Vector3[];
    /** Along what of the axes is beyond their ticks: no word should stand on it. */
    tips: Vector3[];
}

/** `extent` (N s) is what the axes should span; it contains the origin. */
export function makeAxes(extent: Extent, scale: Scale, palette: Palette): AxesDrawing {
    const group = new Group();
    const labels: Label[] = [];
    const ends: Vector3[] = [];
    const tips: Vector3[] = [];
    const largest = Math.max(...[0, 1, 2].map((i) => extent.high[i] - extent.low[i]));
    const step = roundStep(largest / 3.2);
    group.add(gridLines(extent, step, scale, palette.grid));
    for (const i of [0, 1, 2]) {
        const unit = [0, 1, 2].map((k) => (k === i ? 1 : 0));
        const at = (value: number): number[] => unit.map((component) => component * value);
        const end = extent.high[i] + 0.12 * largest;
        group.add(thickLine([...scale(at(Math.min(0, extent.low[i]))), ...scale(at(end))], palette.axes[i], 1.6));
        group.add(arrowHead(new Vector3(...scale(at(end))), new Vector3(...unit), palette.axes[i]));
        const name = ['p x', 'p y', 'p z, normal'][i];
        ends.push(new Vector3(...scale(at(end + 0.05 * largest))));
        for (const part of [0.04, 0.06, 0.08, 0.1, 0.12]) tips.push(new Vector3(...scale(at(extent.high[i] + part * largest))));
        labels.push({
            point: ends[i],
            text: `${name} (N s)`,
            kind: 'axis',
            colour: palette.axes[i],
            rank: 50,
            gap: 4,
        });
        const first = Math.ceil(extent.low[i] / step);
        const last = Math.floor(extent.high[i] / step);
        for (let tick = first; tick <= last; tick++) {
            if (tick === 0) continue;
            labels.push({
                point: new Vector3(...scale(at(tick * step))),
                text: number(tick * step, 3),
                kind: 'tick',
                colour: palette.soft,
                rank: 5,
                gap: 5,
            });
        }
    }
    return { group, labels, ends, tips };
}

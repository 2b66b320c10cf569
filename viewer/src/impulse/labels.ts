// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Words in a 3D drawing: HTML above the canvas, moved with the points they belong to, and put where
// they do not cover each other.
import type { Camera } from 'three';
import { Vector3 } from 'three';
import { el } from '../common/dom';

export interface Label {
    point: Vector3;
    text: string;
    /** Class names: `axis`, `tick`, `law`, `mark`. */
    kind: string;
    colour: string;
    /** Higher ones are placed first; one that finds no place is left out unless `always`. */
    rank: number;
    always?: boolean;
    /** Pixels between the point and the word. */
    gap?: number;
}

interface Placed {
    label: Label;
    element: HTMLElement;
    width: number;
    height: number;
}

/** In pixels of the drawing. */
export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

const overlaps = (a: Box, b: Box): boolean =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export class Labels {
    readonly layer = el('div', { class: 'impulse-labels', 'aria-hidden': 'true' });
    private placed: Placed[] = [];

    set(labels: readonly Label[]): void {
        const sorted = [...labels].sort((a, b) => b.rank - a.rank);
        const elements = sorted.map((label) =>
            el('span', { class: `impulse-label ${label.kind}`, style: `color:${label.colour}` }, label.text),
        );
        this.layer.replaceChildren(...elements);
        this.placed = sorted.map((label, at) => ({
            label,
            element: elements[at],
            width: elements[at].offsetWidth,
            height: elements[at].offsetHeight,
        }));
    }

    /** Where the labels go for this view; `dots` are points (px) that words must not cover, `boxes` what covers words. */
    place(camera: Camera, width: number, height: number, dots: readonly { x: number; y: number }[], boxes: readonly Box[]): void {
        const taken: Box[] = [...boxes, ...dots.map(({ x, y }) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }))];
        for (const placed of this.placed) {
            const at = placed.label.point.clone().project(camera);
            const x = 0.5 * (at.x + 1) * width;
            const y = 0.5 * (1 - at.y) * height;
            const box = at.z < 1 ? this.findPlace(placed, x, y, width, height, taken) : null;
            placed.element.style.visibility = box === null ? 'hidden' : 'visible';
            if (box === null) continue;
            taken.push(box);
            placed.element.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
        }
    }

    private findPlace(placed: Placed, x: number, y: number, width: number, height: number, taken: readonly Box[]): Box | null {
        const { width: w, height: h, label } = placed;
        const gap = label.gap ?? 10;
        const corners = [
            [x + gap, y - h / 2],
            [x - gap - w, y - h / 2],
            [x - w / 2, y - gap - h],
            [x - w / 2, y + gap],
            [x + gap, y - h - gap / 2],
            [x + gap, y + gap / 2],
            [x - gap - w, y - h - gap / 2],
            [x - gap - w, y + gap / 2],
            [x + 2 * gap, y - 2 * h],
            [x + 2 * gap, y + h],
            [x - 2 * gap - w, y - 2 * h],
            [x - 2 * gap - w, y + h],
        ];
        const boxes = corners.map(([left, top]) => ({ x: left, y: top, width: w, height: h }));
        const inside = (box: Box): boolean => box.x >= 2 && box.y >= 2 && box.x + w <= width - 2 && box.y + h <= height - 2;
        const free = boxes.find((box) => inside(box) && !taken.some((other) => overlaps(box, other)));
        return free ?? (label.always ? boxes[0] : null);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The mark of each kind of event: a shape besides a colour, so that they are told apart without
// colours too. In lists and buttons they are CSS (kind_marks.css), on the timeline canvas paths.
import { el } from '../common/dom';
import type { EventKind } from '../record/layout';
import './kind_marks.css';

export const kindMark = (kind: EventKind): HTMLElement => el('i', { class: `kind-mark ${kind}`, 'aria-hidden': 'true' });

const CORNERS: Partial<Record<EventKind, [number, number][]>> = {
    micro: [[0, -1], [1, 0], [0, 1], [-1, 0]],
    'lasting-begin': [[-1, -0.8], [1, -0.8], [0, 0.9]],
    'lasting-end': [[-1, 0.8], [1, 0.8], [0, -0.9]],
    sleep: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]],
};

/** Fills the mark of a kind about a place; a wake is a ring. */
export function drawKindMark(context: CanvasRenderingContext2D, kind: EventKind, x: number, y: number, radius: number): void {
    const corners = CORNERS[kind];
    context.beginPath();
    if (corners === undefined) context.arc(x, y, kind === 'wake' ? 0.75 * radius : radius, 0, 2 * Math.PI);
    else corners.forEach(([dx, dy], i) => (i === 0 ? context.moveTo(x + radius * dx, y + radius * dy) : context.lineTo(x + radius * dx, y + radius * dy)));
    context.closePath();
    if (kind !== 'wake') {
        context.fill();
        return;
    }
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 0.5 * radius;
    context.stroke();
}

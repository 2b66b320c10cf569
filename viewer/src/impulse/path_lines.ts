// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The path of the impulse inside one impact: a line coloured by what the contact does, with its
// changes marked.
import { Color, Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Mode } from '../common/theme';
import type { Solution, Trace } from '../laws/laws';
import type { Label } from './labels';
import { modeColour, type Palette } from './palette';
import type { Scale } from './region_meshes';

const CHANGES: Record<string, string> = {
    'maximum-compression': 'maximum compression',
    recompression: 'compression again',
    'slip-to-stick': 'sticks',
    'stick-to-slip': 'slips',
    'slip-to-slip': 'slip turns',
    end: 'end',
};

/** A transition's name in words. */
export const changeName = (kind: string): string => CHANGES[kind] ?? kind;

export interface PathDrawing {
    group: Group;
    labels: Label[];
    marks: { point: Vector3; text: string }[];
}

function colouredLine(trace: Trace, scale: Scale, mode: Mode): Line2 {
    const positions: number[] = [];
    const colours: number[] = [];
    trace.p.forEach((p, at) => {
        const point = scale(p);
        const colour = new Color(modeColour(mode, trace.mode[at]));
        const before = positions.slice(-3);
        // a change of mode changes the colour at once, not over a piece
        if (at > 0 && trace.mode[at] !== trace.mode[at - 1]) {
            positions.push(...before);
            colours.push(colour.r, colour.g, colour.b);
        }
        positions.push(...point);
        colours.push(colour.r, colour.g, colour.b);
    });
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    geometry.setColors(colours);
    return new Line2(geometry, new LineMaterial({ linewidth: 4, vertexColors: true }));
}

/** Of a law without a path: the straight line to its answer. */
function straightLine(solution: Solution, scale: Scale, palette: Palette): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions([...scale([0, 0, 0]), ...scale(solution.p)]);
    const line = new Line2(
        geometry,
        new LineMaterial({ color: palette.soft, linewidth: 2, dashed: true, dashSize: 0.03, gapSize: 0.02 }),
    );
    line.computeLineDistances();
    return line;
}

export function drawPath(solution: Solution, scale: Scale, palette: Palette, mode: Mode): PathDrawing {
    const group = new Group();
    const drawing: PathDrawing = { group, labels: [], marks: [] };
    const { trace } = solution;
    if (trace === null) {
        if (Math.hypot(...solution.p) > 0) group.add(straightLine(solution, scale, palette));
        return drawing;
    }
    group.add(colouredLine(trace, scale, mode));
    const ball = new SphereGeometry(0.011, 20, 14);
    for (const { kind, sample } of trace.transitions) {
        const name = changeName(kind);
        const point = new Vector3(...scale(trace.p[sample]));
        drawing.marks.push({ point, text: name });
        if (name === 'end') continue;
        const mark = new Mesh(ball, new MeshBasicMaterial({ color: palette.mark }));
        mark.position.copy(point);
        group.add(mark);
        drawing.labels.push({ point, text: name, kind: 'mark', colour: palette.ink, rank: 30 });
    }
    return drawing;
}

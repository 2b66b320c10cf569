// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Every law's answer as a dot in impulse space.
import {
    Color,
    Group,
    Mesh,
    MeshBasicMaterial,
    MeshLambertMaterial,
    OctahedronGeometry,
    SphereGeometry,
    TorusGeometry,
    Vector3,
} from 'three';
import { number, vector } from '../common/format';
import type { Mode } from '../common/theme';
import type { Laws } from '../laws/laws';
import { type AnswerGroup, groupName, isPermissible } from './groups';
import type { Label } from './labels';
import { lawColour, type Palette } from './palette';
import type { Scale } from './region_meshes';

export interface Dot {
    point: Vector3;
    /** Of the law that is chosen by a click. */
    label: string | null;
    tip: string;
}

export interface DotDrawing {
    group: Group;
    labels: Label[];
    dots: Dot[];
    /** Rings that turn to the camera. */
    rings: Mesh[];
}

function tipOf(group: AnswerGroup): string {
    const { solution } = group.members[0];
    const broken = Object.entries(solution.permissible)
        .filter(([, holds]) => !holds)
        .map(([name]) => name);
    return [
        group.members.map((member) => member.label).join(', '),
        `p = ${vector(solution.p)} N s`,
        `u after = ${vector(solution.uAfter)} m/s`,
        `energy lost ${number(solution.dissipated)} J`,
        broken.length === 0 ? 'permissible' : `not permissible: ${broken.join(', ')}`,
    ].join('\n');
}

/** Dots of groups of answers; the group that holds `chosen` stands out. */
export function drawAnswers(
    laws: Laws,
    groups: readonly AnswerGroup[],
    chosen: string,
    scale: Scale,
    palette: Palette,
    mode: Mode,
): DotDrawing {
    const drawing: DotDrawing = { group: new Group(), labels: [], dots: [], rings: [] };
    for (const group of groups) {
        const main = group.members[0];
        const isChosen = group.members.some((member) => member.label === chosen);
        const allowed = isPermissible(main.solution);
        const colour = lawColour(laws, main.label, mode);
        const point = new Vector3(...scale(group.p));
        const dot = new Mesh(
            new SphereGeometry(isChosen ? 0.028 : 0.019, 28, 20),
            new MeshLambertMaterial({ color: new Color(colour), emissive: new Color(colour), emissiveIntensity: 0.35 }),
        );
        dot.position.copy(point);
        drawing.group.add(dot);
        if (isChosen || !allowed) {
            const ring = new Mesh(
                new TorusGeometry(isChosen ? 0.045 : 0.032, 0.0038, 10, 40),
                new MeshBasicMaterial({ color: allowed ? palette.ink : palette.wrong }),
            );
            ring.position.copy(point);
            drawing.group.add(ring);
            drawing.rings.push(ring);
        }
        drawing.dots.push({ point, label: main.label, tip: tipOf(group) });
        drawing.labels.push({
            point,
            text: groupName(group, isChosen ? 4 : 3),
            kind: isChosen ? 'law chosen' : 'law',
            colour,
            rank: isChosen ? 100 : 60 + Math.min(9, group.members.length),
            always: isChosen,
            gap: isChosen ? 16 : 10,
        });
    }
    return drawing;
}

/** The impulse that was recorded: a diamond. */
export function drawRecorded(p: readonly number[], scale: Scale, palette: Palette): DotDrawing {
    const point = new Vector3(...scale(p));
    const diamond = new Mesh(new OctahedronGeometry(0.036), new MeshBasicMaterial({ color: palette.recorded, wireframe: true }));
    diamond.position.copy(point);
    const group = new Group();
    group.add(diamond);
    const label: Label = { point, text: 'recorded', kind: 'mark', colour: palette.recorded, rank: 90, gap: 18 };
    return { group, labels: [label], dots: [{ point, label: null, tip: `recorded\np = ${vector(p)} N s` }], rings: [] };
}

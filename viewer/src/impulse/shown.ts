// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// One impact as impulse space shows it: every law's answer, the chosen law's path, the region, and
// what part of all that is seen.
import { Plane, Vector3 } from 'three';
import {
    frictionOf,
    type ImpactProblem,
    type LawAnswer,
    type Laws,
    NO_FRICTION_LIMIT,
    type Region,
    type Solution,
} from '../laws/laws';
import type { Extent } from './axes';
import { isSolved } from './groups';
import type { Scale } from './region_meshes';

/** Room beyond the extent, in units of the drawing, for dots that lie on it. */
const BELOW_FLOOR = 0.03;
const BESIDE = 0.4;

export interface Shown {
    problem: ImpactProblem;
    recorded: readonly number[] | null;
    answers: LawAnswer[];
    chosen: Solution | null;
    region: Region | null;
    note: string;
}

/** Solves an impact for a drawing. */
export function solveAll(laws: Laws, problem: ImpactProblem, recorded: readonly number[] | null, answers?: LawAnswer[]): Shown {
    const all = answers ?? laws.all(problem);
    const own = laws.labelled(problem, laws.labelOf(problem), { trace: true });
    const shown: Shown = { problem, recorded, answers: all, chosen: own.solution, region: null, note: '' };
    try {
        const mu = frictionOf(problem.parameters);
        shown.region = laws.region(problem, mu === NO_FRICTION_LIMIT ? 1 : mu);
    } catch (error) {
        shown.note = error instanceof Error ? error.message : String(error);
    }
    return shown;
}

/** What should be seen: all answers and the path, and the ellipsoid's upper part unless it is far larger. */
export function extentOf(shown: Shown, region: Region): { extent: Extent; isCut: boolean } {
    const box = (points: readonly (readonly number[])[]): Extent => ({
        low: [0, 1, 2].map((i) => Math.min(0, ...points.map((point) => point[i]))),
        high: [0, 1, 2].map((i) => Math.max(0, ...points.map((point) => point[i]))),
    });
    const sizeOf = (extent: Extent): number => Math.max(...[0, 1, 2].map((i) => extent.high[i] - extent.low[i]));
    const answers = shown.answers.filter(isSolved).map((answer) => answer.solution.p);
    const core = box([
        ...answers,
        ...(shown.chosen?.trace?.p ?? []),
        region.plasticFrictionless,
        ...(shown.recorded === null ? [] : [shown.recorded]),
    ]);
    const whole = box([...region.ellipsoid.flat().filter((point) => point[2] >= 0), ...region.coneOnEllipsoid, ...answers]);
    const FAR_LARGER = 6;
    if (sizeOf(whole) <= FAR_LARGER * sizeOf(core)) return { extent: whole, isCut: false };
    const margin = 0.5 * sizeOf(core);
    const low = [core.low[0] - margin, core.low[1] - margin, core.low[2]];
    return { extent: { low, high: core.high.map((value) => value + margin) }, isCut: true };
}

/** Bodies do not pull: what is below the ground is cut off; where only a part is shown, so is what is far beside it. */
export function clippingPlanes(extent: Extent, scale: Scale, isCut: boolean): Plane[] {
    const [low, high] = [scale(extent.low), scale(extent.high)];
    const floor = new Plane(new Vector3(0, 0, 1), BELOW_FLOOR - low[2]);
    if (!isCut) return [floor];
    const above = [0, 1].map((i) => new Plane(new Vector3().setComponent(i, 1), BESIDE - low[i]));
    const below = [0, 1, 2].map((i) => new Plane(new Vector3().setComponent(i, -1), BESIDE + high[i]));
    return [floor, ...above, ...below];
}

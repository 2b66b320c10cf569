// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// One quantity of an impact while one parameter goes through a range, for several laws.
import type { ImpactProblem, Laws, Solution } from '../laws/laws';
import { copyState, type LabState, problemOf, type Sweep } from './state';

export interface Quantity {
    name: string;
    unit: string;
    of: (solution: Solution, problem: ImpactProblem) => number | null;
}

const component = (name: string, unit: string, of: (solution: Solution) => number[], axis: number): Quantity => ({
    name,
    unit,
    of: (solution) => of(solution)[axis],
});

export const QUANTITIES: Readonly<Record<string, Quantity>> = {
    p_x: component('impulse p x', 'N s', (s) => s.p, 0),
    p_y: component('impulse p y', 'N s', (s) => s.p, 1),
    p_z: component('impulse p normal', 'N s', (s) => s.p, 2),
    ratio: { name: 'tangential / normal impulse', unit: '', of: ({ p }) => (p[2] === 0 ? null : Math.hypot(p[0], p[1]) / p[2]) },
    u_x: component('u x after', 'm/s', (s) => s.uAfter, 0),
    u_y: component('u y after', 'm/s', (s) => s.uAfter, 1),
    u_z: component('u normal after', 'm/s', (s) => s.uAfter, 2),
    lost: { name: 'energy lost', unit: 'J', of: (solution) => solution.dissipated },
    e_kinematic: { name: 'kinematic restitution', unit: '', of: (solution) => solution.restitution.kinematic },
    e_kinetic: { name: 'kinetic restitution', unit: '', of: (solution) => solution.restitution.kinetic },
    e_energetic: { name: 'energetic restitution', unit: '', of: (solution) => solution.restitution.energetic },
};

/** What can be swept besides the numbers among the laws' parameters: where it is in the state. */
export interface Place {
    name: string;
    unit: string;
    given: LabState['given'];
    put: (state: LabState, value: number) => void;
    get: (state: LabState) => number;
}

const bodyPlace = (key: 'mass' | 'tilt' | 'roll' | 'radius' | 'length', name: string, unit: string): Place => ({
    name,
    unit,
    given: 'body',
    put: (state, value) => (state.body[key] = value),
    get: (state) => state.body[key],
});
const entry = (key: 'v' | 'w', axis: number, unit: string): Place => ({
    name: `${key} ${'xyz'[axis]}`,
    unit,
    given: 'body',
    put: (state, value) => (state.body[key][axis] = value),
    get: (state) => state.body[key][axis],
});
const slip = (axis: number): Place => ({
    name: `u ${'xyz'[axis]}`,
    unit: 'm/s',
    given: 'numbers',
    put: (state, value) => (state.u[axis] = value),
    get: (state) => state.u[axis],
});

export const PLACES: Readonly<Record<string, Place>> = {
    mass: bodyPlace('mass', 'mass', 'kg'),
    tilt: bodyPlace('tilt', 'tilt', '°'),
    roll: bodyPlace('roll', 'roll', '°'),
    radius: bodyPlace('radius', 'radius', 'm'),
    length: bodyPlace('length', 'length', 'm'),
    v_x: entry('v', 0, 'm/s'),
    v_y: entry('v', 1, 'm/s'),
    v_z: entry('v', 2, 'm/s'),
    w_x: entry('w', 0, 'rad/s'),
    w_y: entry('w', 1, 'rad/s'),
    w_z: entry('w', 2, 'rad/s'),
    u_x: slip(0),
    u_y: slip(1),
    u_z: slip(2),
};

/** Names that can be swept in this state, with words for people. */
export function sweepable(laws: Laws, state: LabState): { key: string; name: string }[] {
    const parameters = laws.parameters.filter(({ kind, name }) => kind === 'number' && name in state.parameters);
    return [
        ...parameters.map(({ name, meaning }) => ({ key: name, name: `${name}: ${meaning.split(' (')[0]}` })),
        ...Object.entries(PLACES)
            .filter(([, place]) => place.given === state.given)
            .map(([key, place]) => ({ key, name: `${place.name} (${place.unit})` })),
    ];
}

/** Throws where a link asks for what there is not. */
export function checkSweep(laws: Laws, { sweep }: LabState): void {
    if (!(sweep.quantity in QUANTITIES)) throw new Error(`there is no quantity '${sweep.quantity}' to sweep`);
    const known = sweep.over in PLACES || laws.parameters.some(({ name, kind }) => name === sweep.over && kind === 'number');
    if (!known) throw new Error(`'${sweep.over}' cannot be swept`);
}

export const sweptValue = (state: LabState, over: string): number =>
    PLACES[over] ? PLACES[over].get(state) : Number(state.parameters[over] ?? NaN);

export interface SweepCurves {
    x: number[];
    /** Of each law of the sweep; null where it has no answer. */
    y: (number | null)[][];
}

export const SWEEP_POINTS = 121;

export function runSweep(laws: Laws, state: LabState, points = SWEEP_POINTS): SweepCurves {
    const { over, from, to, quantity, laws: labels }: Sweep = state.sweep;
    const at = copyState(state);
    const measured = QUANTITIES[quantity];
    const x = Array.from({ length: points }, (_, i) => from + ((to - from) * i) / (points - 1));
    const y: (number | null)[][] = labels.map(() => []);
    for (const value of x) {
        const place = PLACES[over];
        if (place) place.put(at, value);
        else at.parameters[over] = value;
        const problem = problemOf(laws, at);
        labels.forEach((label, i) => {
            const { solution } = laws.labelled(problem, label);
            y[i].push(solution === null ? null : measured.of(solution, problem));
        });
    }
    return { x, y };
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// All that the laboratory shows follows from this state, and a link carries it.
import { type ImpactProblem, type Laws, NO_FRICTION_LIMIT, type Parameters, type ParameterValue } from '../laws/laws';
import { contactBody, GROUND, type LabBody, SHAPES, type ShapeName } from './bodies';

export interface Sweep {
    /** A parameter of the laws, or a quantity of the impact: see sweep.ts. */
    over: string;
    from: number;
    to: number;
    quantity: string;
    /** Labels of laws. */
    laws: string[];
}

export interface LabState {
    /** Whether K and u follow from a body or are given. */
    given: 'body' | 'numbers';
    body: LabBody;
    /** K as xx, xy, xz, yy, yz, zz (1/kg). */
    K: number[];
    u: number[];
    /** Label of the law whose path is shown: a law, or routh/TERMINATION. */
    law: string;
    parameters: Parameters;
    sweep: Sweep;
    /** Of an impact that was recorded: its impulse (N s), and where it is from. */
    recorded?: { p: number[]; story: string };
}

export const FIRST_STATE: LabState = {
    given: 'body',
    body: {
        shape: 'sphere',
        radius: 1,
        length: 1,
        width: 1,
        depth: 1,
        tip: 0.5,
        mass: 1,
        tilt: 0,
        roll: 0,
        v: [-1, 0, -5],
        w: [0, 2, 0],
    },
    K: [3.5, 0, 0, 3.5, 0, 1],
    u: [-3, 0, -5],
    law: 'compliant',
    parameters: { e: 0.5, mu: 0.4, et: 0.5, nu: 0.3, sigma: 0.5, mu2: 0.2, mu3: 0, psi1: 0.8, psi2: 0, rho: 0.5, P: [1, 0, 7] },
    sweep: { over: 'mu', from: 0, to: 1, quantity: 'p_x', laws: ['routh/stronge', 'chatterjee-ruina', 'compliant'] },
};

export const copyState = (state: LabState): LabState => structuredClone(state);

/** K row by row from its six entries. */
export const fullMatrix = ([xx, xy, xz, yy, yz, zz]: readonly number[]): number[] => [xx, xy, xz, xy, yy, yz, xz, yz, zz];

export function problemOf(laws: Laws, state: LabState): ImpactProblem {
    const [law, termination] = state.law.split('/');
    const parameters = termination === undefined ? state.parameters : { ...state.parameters, termination };
    if (state.given === 'numbers') return { K: fullMatrix(state.K), u: state.u, law, parameters };
    const { K, u } = laws.contact([0, 0, 1], contactBody(state.body), GROUND);
    return { K, u, law, parameters };
}

const BODY_NUMBERS = ['radius', 'length', 'width', 'depth', 'tip', 'mass', 'tilt', 'roll'] as const;

/** The state as the part of an address after `#`: names and numbers that people can read and change. */
export function toHash(state: LabState): string {
    const words = new URLSearchParams();
    const put = (name: string, value: ParameterValue): void =>
        words.set(name, Array.isArray(value) ? value.join(' ') : String(value));
    if (state.given === 'body') {
        put('shape', state.body.shape);
        for (const name of BODY_NUMBERS) put(name, state.body[name]);
        put('v', state.body.v);
        put('w', state.body.w);
    } else {
        put('K', state.K);
        put('u', state.u);
    }
    put('law', state.law);
    for (const [name, value] of Object.entries(state.parameters)) put(`law.${name}`, value);
    const { over, from, to, quantity, laws } = state.sweep;
    put('sweep', [over, from, to, quantity, ...laws].join(' '));
    if (state.recorded !== undefined) {
        put('recorded', state.recorded.p);
        put('story', state.recorded.story);
    }
    return words.toString().replaceAll('%2F', '/');
}

function numbersIn(text: string, count: number, name: string): number[] {
    const numbers = text.trim().split(/\s+/).map(Number);
    if (numbers.length !== count || !numbers.every(Number.isFinite))
        throw new Error(`the link's ${name} must be ${count} number${count > 1 ? 's' : ''}`);
    return numbers;
}

/** Throws, with what is wrong, when the text is no state. */
export function fromHash(laws: Laws, text: string): LabState {
    const words = new URLSearchParams(text);
    const state = copyState(FIRST_STATE);
    const shape = words.get('shape');
    state.given = shape === null ? 'numbers' : 'body';
    const read = (name: string, count: number, to: (numbers: number[]) => void): void => {
        const value = words.get(name);
        if (value !== null) to(numbersIn(value, count, name));
    };
    if (shape !== null) {
        if (!SHAPES.includes(shape as ShapeName)) throw new Error(`the link's shape must be one of ${SHAPES.join(', ')}`);
        state.body.shape = shape as ShapeName;
    }
    for (const name of BODY_NUMBERS) read(name, 1, ([value]) => (state.body[name] = value));
    read('v', 3, (v) => (state.body.v = v));
    read('w', 3, (w) => (state.body.w = w));
    read('K', 6, (K) => (state.K = K));
    read('u', 3, (u) => (state.u = u));
    state.law = words.get('law') ?? state.law;
    checkLabel(laws, state.law);
    state.parameters = parametersIn(laws, words);
    const sweep = words.get('sweep')?.split(' ');
    if (sweep !== undefined) {
        const [over, from, to, quantity, ...labels] = sweep;
        labels.forEach((label) => checkLabel(laws, label));
        const [low, high] = numbersIn(`${from} ${to}`, 2, 'sweep');
        state.sweep = { over, from: low, to: high, quantity, laws: labels };
    }
    read('recorded', 3, (p) => (state.recorded = { p, story: words.get('story') ?? '' }));
    return state;
}

function checkLabel(laws: Laws, label: string): void {
    const [law, termination] = label.split('/');
    laws.law(law);
    const known = law === 'routh' ? laws.terminations.includes(termination ?? '') : termination === undefined;
    if (!known) throw new Error(`there is no law '${label}'`);
}

function parametersIn(laws: Laws, words: URLSearchParams): Parameters {
    const parameters: Parameters = {};
    for (const [word, value] of words) {
        if (!word.startsWith('law.')) continue;
        const { name, kind } = laws.parameter(word.slice(4));
        if (kind === 'number') parameters[name] = value === 'inf' ? NO_FRICTION_LIMIT : numbersIn(value, 1, name)[0];
        else if (kind === 'vector') parameters[name] = numbersIn(value, 3, name);
        else if (kind === 'boolean') parameters[name] = value === 'true';
        else parameters[name] = value;
    }
    return parameters;
}

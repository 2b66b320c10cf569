// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The collision laws: the library's own, in the page's module.
import { type CaromModule, loadModule } from './module';
import type {
    ContactBody,
    FramedContact,
    ImpactProblem,
    LawAnswer,
    LawInfo,
    ModeName,
    ParameterInfo,
    Parameters,
    ParameterValue,
    Region,
    SlidingRay,
    Solution,
    Trace,
} from './types';

export type * from './types';

interface Registry {
    laws: LawInfo[];
    parameters: ParameterInfo[];
    terminations: string[];
    modes: ModeName[];
    transitions: string[];
}

// Places of fields in viewer/wasm/law_problem.h and law_calls.cpp, in bytes.
const PROBLEM = { K: 0, u: 72, law: 96, given: 100, parameter: 104, P: 232, bytes: 256 };
const ANSWER = {
    message: 0,
    modes: 4,
    p: 8,
    uAfter: 32,
    dissipated: 56,
    restitution: 64,
    margins: 88,
    allowed: 120,
    mu: 152,
    mode: 160,
    samples: 288,
    transitions: 292,
};
const SAMPLE_LENGTH = 10;
const BODY_LENGTH = 24;
const SCRATCH_DOUBLES = 96;

/** Without one there is no limit of friction, and no cone to draw. */
export const NO_FRICTION_LIMIT = 1e300;

export class Laws {
    readonly list: readonly LawInfo[];
    readonly parameters: readonly ParameterInfo[];
    readonly terminations: readonly string[];
    private readonly registry: Registry;
    private readonly problem: number;
    private readonly scratch: number;

    constructor(private readonly module: CaromModule) {
        this.registry = JSON.parse(module.text(module.call('laws_table'))) as Registry;
        this.list = this.registry.laws;
        this.parameters = this.registry.parameters;
        this.terminations = this.registry.terminations;
        this.problem = module.take(PROBLEM.bytes);
        this.scratch = module.take(8 * SCRATCH_DOUBLES);
    }

    law(name: string): LawInfo {
        const found = this.list.find((law) => law.name === name);
        if (found === undefined) throw new Error(`there is no law '${name}'`);
        return found;
    }

    parameter(name: string): ParameterInfo {
        const found = this.parameters.find((parameter) => parameter.name === name);
        if (found === undefined) throw new Error(`there is no parameter '${name}'`);
        return found;
    }

    /** Throws, with the reason, where the law has no answer. */
    solve(problem: ImpactProblem, options: { trace?: boolean } = {}): Solution {
        const answer = this.answer(problem, problem.law, problem.law, options.trace ?? false);
        if (answer.solution === null) throw new Error(answer.reason);
        return answer.solution;
    }

    /** Every law's answer with the problem's parameters, routh's with each termination. */
    all(problem: ImpactProblem): LawAnswer[] {
        return this.list.flatMap((law) => {
            if (law.name !== 'routh') return [this.answer(problem, law.name, law.name, false)];
            return this.terminations.map((termination) => {
                const parameters = { ...problem.parameters, termination };
                return this.answer({ ...problem, parameters }, law.name, `${law.name}/${termination}`, false);
            });
        });
    }

    /** The answer of a label that `all` gives: a law, or routh/TERMINATION. */
    labelled(problem: ImpactProblem, label: string, options: { trace?: boolean } = {}): LawAnswer {
        const [law, termination] = label.split('/');
        const parameters = termination === undefined ? problem.parameters : { ...problem.parameters, termination };
        return this.answer({ ...problem, parameters }, law, label, options.trace ?? false);
    }

    /** Which of the labels of `all` is this problem's own law. */
    labelOf(problem: ImpactProblem): string {
        if (problem.law !== 'routh') return problem.law;
        return `routh/${String(problem.parameters.termination ?? this.terminations[0])}`;
    }

    region(problem: Pick<ImpactProblem, 'K' | 'u'>, mu: number, resolution = 96): Region {
        const numbers = this.module.doubles(this.scratch, 12);
        numbers.set(problem.K, 0);
        numbers.set(problem.u, 9);
        const start = this.module.call('laws_region', this.scratch, this.scratch + 72, mu, resolution);
        return new RegionReader(this.module, start).read();
    }

    rays(K: readonly number[], mu: number): SlidingRay[] {
        this.module.doubles(this.scratch, 9).set(K);
        const out = this.scratch + 72;
        const count = this.module.call('laws_rays', this.scratch, mu, out);
        const rows = this.module.doubles(out, 3 * count);
        return Array.from({ length: count }, (_, i) => ({
            angle: rows[3 * i],
            growth: rows[3 * i + 1],
            attracting: rows[3 * i + 2] !== 0,
        }));
    }

    /** The contact of two bodies; normal: unit, from B to A, world frame. */
    contact(normal: readonly number[], A: ContactBody, B: ContactBody): FramedContact {
        const numbers = this.module.doubles(this.scratch, SCRATCH_DOUBLES);
        numbers.set(normal, 0);
        [A, B].forEach((body, which) => {
            const row = numbers.subarray(3 + which * BODY_LENGTH);
            row[0] = body.mass === null ? 1 : 0;
            row[1] = body.mass ?? 0;
            row.set(body.inertia, 2);
            row.set(body.orientation, 11);
            row.set(body.r, 15);
            row.set(body.v, 18);
            row.set(body.w, 21);
        });
        const at = (double: number): number => this.scratch + 8 * double;
        const out = 3 + 2 * BODY_LENGTH;
        this.module.call('laws_contact', at(0), at(3), at(3 + BODY_LENGTH), at(out));
        const answer = Array.from(this.module.doubles(at(out), 21));
        return { K: answer.slice(0, 9), u: answer.slice(9, 12), R: answer.slice(12) };
    }

    private answer(problem: ImpactProblem, law: string, label: string, traced: boolean): LawAnswer {
        const info = this.law(law);
        this.write(problem, this.list.indexOf(info));
        const at = this.module.call('laws_solve', this.problem, traced ? 1 : 0);
        const message = this.module.view().getUint32(at + ANSWER.message, true);
        if (message !== 0) return { law: info, label, solution: null, reason: this.module.text(message) };
        return { law: info, label, solution: this.read(at), reason: '' };
    }

    private write(problem: ImpactProblem, law: number): void {
        const view = this.module.view();
        const put = (at: number, values: readonly number[]): void =>
            values.forEach((value, i) => view.setFloat64(this.problem + at + 8 * i, value, true));
        put(PROBLEM.K, problem.K);
        put(PROBLEM.u, problem.u);
        let given = 0;
        for (const [name, value] of Object.entries(problem.parameters)) {
            const number = this.parameters.findIndex((parameter) => parameter.name === name);
            if (number < 0) throw new Error(`there is no parameter '${name}'`);
            given |= 1 << number;
            if (this.parameters[number].kind === 'vector') put(PROBLEM.P, value as readonly number[]);
            else put(PROBLEM.parameter + 8 * number, [this.numberOf(this.parameters[number], value)]);
        }
        view.setUint32(this.problem + PROBLEM.law, law, true);
        view.setUint32(this.problem + PROBLEM.given, given, true);
    }

    private numberOf(parameter: ParameterInfo, value: ParameterValue): number {
        const place = (names: readonly string[]): number => {
            const found = names.indexOf(String(value));
            if (found < 0) throw new Error(`${parameter.name} must be ${parameter.range}`);
            return found;
        };
        if (parameter.kind === 'termination') return place(this.terminations);
        if (parameter.kind === 'law') return place(this.list.map((law) => law.name));
        if (parameter.kind === 'boolean') return String(value) === 'true' ? 1 : 0;
        return value === 'inf' ? Infinity : Number(value);
    }

    private read(at: number): Solution {
        const view = this.module.view();
        const doubles = (from: number, count: number): number[] =>
            Array.from({ length: count }, (_, i) => view.getFloat64(at + from + 8 * i, true));
        const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
        const [kinematic, kinetic, energetic] = doubles(ANSWER.restitution, 3).map(known);
        const margins = doubles(ANSWER.margins, 4);
        const allowed = doubles(ANSWER.allowed, 4).map((flag) => flag !== 0);
        const named = <Value>([energy, separation, cone, normal]: Value[]) => ({ energy, separation, cone, normal });
        const modes = doubles(ANSWER.mode, view.getUint32(at + ANSWER.modes, true));
        const samples = view.getUint32(at + ANSWER.samples, true);
        const transitions = view.getUint32(at + ANSWER.transitions, true);
        return {
            p: doubles(ANSWER.p, 3),
            uAfter: doubles(ANSWER.uAfter, 3),
            dissipated: doubles(ANSWER.dissipated, 1)[0],
            restitution: { kinematic, kinetic, energetic },
            margins: named(margins),
            permissible: named(allowed),
            path: modes.map((mode) => this.registry.modes[mode]),
            trace: samples > 0 ? this.readTrace(samples, transitions) : null,
        };
    }

    private readTrace(samples: number, transitions: number): Trace {
        const rows = this.module.doubles(this.module.call('laws_samples'), samples * SAMPLE_LENGTH).slice();
        const changes = this.module.doubles(this.module.call('laws_transitions'), 2 * transitions).slice();
        const column = (from: number): number[] => Array.from({ length: samples }, (_, i) => rows[i * SAMPLE_LENGTH + from]);
        const vectors = (from: number): number[][] =>
            Array.from({ length: samples }, (_, i) =>
                Array.from(rows.subarray(i * SAMPLE_LENGTH + from, i * SAMPLE_LENGTH + from + 3)),
            );
        return {
            p: vectors(0),
            u: vectors(3),
            normalWork: column(6),
            normalEnergy: column(7),
            tangentialEnergy: column(8),
            mode: column(9).map((mode) => this.registry.modes[mode]),
            transitions: Array.from({ length: transitions }, (_, i) => ({
                kind: this.registry.transitions[changes[2 * i]],
                sample: changes[2 * i + 1],
            })),
        };
    }
}

/** Numbers of a region one after the other: see viewer/wasm/law_region.cpp. */
class RegionReader {
    private readonly numbers: Float64Array;
    private at = 0;

    constructor(module: CaromModule, address: number) {
        const rest = Math.floor((module.view().byteLength - address) / 8);
        this.numbers = module.doubles(address, rest);
    }

    read(): Region {
        return {
            plasticFrictionless: this.point(),
            plasticSticking: this.point(),
            largestRestitutionAt: this.point(),
            contactEnergy: this.next(),
            largestRestitution: this.next(),
            maximumCompression: this.curve(),
            coneRim: this.curve(),
            coneOnEllipsoid: this.curve(),
            sticking: this.curve(),
            ellipsoid: this.curves(),
            coneLines: this.curves(),
        };
    }

    private next = (): number => this.numbers[this.at++];
    private point = (): number[] => [this.next(), this.next(), this.next()];
    private curve = (): number[][] => Array.from({ length: this.next() }, this.point);
    private curves = (): number[][][] => Array.from({ length: this.next() }, this.curve);
}

/** The friction coefficient that answers are judged by: none given, no limit. */
export function frictionOf(parameters: Parameters): number {
    return typeof parameters.mu === 'number' ? parameters.mu : NO_FRICTION_LIMIT;
}

export async function loadLaws(): Promise<Laws> {
    return new Laws(await loadModule());
}

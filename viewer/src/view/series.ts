// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Energies and momentum over the shown part of time, evaluated from the states of all bodies.
// Crowds take a while, so the work is cut into short pieces, coarse samples first.
import { BRIEF_EVENT as EVENT } from '../record/layout';
import type { Meta } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';

/** One piece of work takes about this long (ms). */
const PIECE_MS = 7;

export interface Balance {
    kinetic: number;
    potential: number;
    momentum: number[];
}

/** Energies (J) and momentum (kg m/s) of the free bodies; the potential is that of gravity. */
export function balanceOf(meta: Meta, states: States): Balance {
    const balance: Balance = { kinetic: 0, potential: 0, momentum: [0, 0, 0] };
    meta.bodies.forEach(({ mass, inertia }, body) => {
        if (mass === null) return;
        const at = STATE.length * body;
        for (let axis = 0; axis < 3; axis++) {
            const v = states[at + STATE.velocity + axis];
            balance.kinetic += 0.5 * mass * v * v;
            balance.momentum[axis] += mass * v;
            balance.potential -= mass * meta.gravity[axis] * states[at + STATE.position + axis];
        }
        balance.kinetic += rotationEnergy(inertia, states, at);
    });
    return balance;
}

export const energyOf = ({ kinetic, potential }: Balance): number => kinetic + potential;

/** Half of w J w, with the angular velocity turned to body axes. */
function rotationEnergy(J: number[], states: States, at: number): number {
    const [w, x, y, z] = states.subarray(at + STATE.orientation, at + STATE.orientation + 4);
    const [a, b, c] = states.subarray(at + STATE.angularVelocity, at + STATE.angularVelocity + 3);
    const p = (1 - 2 * (y * y + z * z)) * a + 2 * (x * y + w * z) * b + 2 * (x * z - w * y) * c;
    const q = 2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + w * x) * c;
    const r = 2 * (x * z + w * y) * a + 2 * (y * z - w * x) * b + (1 - 2 * (x * x + y * y)) * c;
    const cross = (J[1] + J[3]) * p * q + (J[2] + J[6]) * p * r + (J[5] + J[7]) * q * r;
    return 0.5 * (J[0] * p * p + J[4] * q * q + J[8] * r * r + cross);
}

/** The energy that events have taken by any time: a sum that grows with the table. */
export class LostEnergy {
    private sums = new Float64Array(1);
    private summed = 0;

    constructor(private readonly recording: Recording) {}

    /** By time t, the events at t included (J). */
    by(t: number): number {
        this.update();
        return this.sums[this.recording.brief.events.firstAfter(t)];
    }

    private update(): void {
        const { events } = this.recording.brief;
        if (events.rows === this.summed) return;
        if (events.rows >= this.sums.length) {
            const longer = new Float64Array(Math.ceil(1.5 * events.rows) + 1);
            longer.set(this.sums.subarray(0, this.summed + 1));
            this.sums = longer;
        }
        for (; this.summed < events.rows; this.summed++) {
            this.sums[this.summed + 1] = this.sums[this.summed] + events.double(this.summed, EVENT.energyLost);
        }
    }
}

export interface BalanceSeries {
    t: number[];
    kinetic: (number | null)[];
    potential: (number | null)[];
    momentum: (number | null)[][];
}

/** Samples a range in the background. */
export class BalanceSampler {
    private job = 0;

    constructor(
        private readonly recording: Recording,
        private readonly reader: StateReader,
    ) {}

    /** Gives the series so far, more and more complete; a new call ends the last one. */
    sample(from: number, to: number, samples: number, tell: (series: BalanceSeries) => void): void {
        const job = ++this.job;
        const t = Array.from({ length: samples }, (_, i) => from + ((to - from) * i) / (samples - 1));
        const empty = (): (number | null)[] => new Array<number | null>(samples).fill(null);
        const series: BalanceSeries = { t, kinetic: empty(), potential: empty(), momentum: [empty(), empty(), empty()] };
        const order = coarseToFine(samples);
        let next = 0;
        const piece = (): void => {
            if (job !== this.job) return;
            const until = performance.now() + PIECE_MS;
            while (next < order.length && performance.now() < until) this.take(series, order[next++]);
            tell(series);
            if (next < order.length) setTimeout(piece, PIECE_MS);
        };
        piece();
    }

    private take(series: BalanceSeries, sample: number): void {
        const t = series.t[sample];
        if (t > this.recording.end) return;
        const states = this.reader.at(t, false);
        if (states === null) return;
        const { kinetic, potential, momentum } = balanceOf(this.recording.meta, states);
        series.kinetic[sample] = kinetic;
        series.potential[sample] = potential;
        momentum.forEach((component, axis) => (series.momentum[axis][sample] = component));
    }
}

/** 0 to n - 1, every 64th first, then those between. */
function coarseToFine(n: number): number[] {
    const order = [n - 1];
    for (let step = 64; step >= 1; step /= 2) {
        for (let at = 0; at < n - 1; at += step) {
            if (step === 64 || at % (2 * step) !== 0) order.push(at);
        }
    }
    return order;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// States of bodies at any time, by the library's own closed forms, from the rows of a recording.
import type { CaromModule } from './module';

/** What a body's motions follow from besides its rows. */
export interface BodyConstants {
    fixed: boolean;
    /** kg; null: fixed. */
    mass: number | null;
    /** kg m², row by row, body axes about the centre of mass; not looked at when fixed. */
    inertia: ArrayLike<number>;
    /** m; of a sphere. */
    radius?: number | null;
    /** Where a fixed body that turns about another point than its own has that point at time 0. */
    pivot?: ArrayLike<number> | null;
}

/** A row of `segments` or `lasting` as docs/formats.md lays it out: 120 or 336 bytes. */
export type SegmentRow = Uint8Array;
export type LastingRow = Uint8Array;

/** Doubles of one state: centre of mass 3, orientation w x y z 4, velocity 3, angular velocity 3. */
export const STATE_LENGTH = 13;

const SEGMENT_BYTES = 120;
const LASTING_BYTES = 336;
const CONSTANTS_LENGTH = 16; // viewer/wasm/motion_set.h, BodyConstants
const STATE_BYTES = 8 * STATE_LENGTH;

export interface State {
    position: number[];
    orientation: number[];
    velocity: number[];
    angularVelocity: number[];
}

/** The bodies of one run, each with the motion of one of its segments. */
export class MotionSet {
    private readonly set: number;
    private readonly segment: number;
    private readonly lasting: number;
    private readonly out: number;
    private readonly all: Float64Array;
    private readonly one = new Float64Array(STATE_LENGTH);

    constructor(
        private readonly module: CaromModule,
        bodies: readonly BodyConstants[],
        gravity: ArrayLike<number>,
    ) {
        this.all = new Float64Array(bodies.length * STATE_LENGTH);
        this.segment = module.take(SEGMENT_BYTES);
        this.lasting = module.take(LASTING_BYTES);
        this.out = module.take(Math.max(1, bodies.length) * STATE_BYTES);
        const constants = module.take(8 * CONSTANTS_LENGTH);
        module.doubles(constants, 3).set(gravity);
        this.set = module.call('motions_make', bodies.length, constants);
        bodies.forEach((body, number) => {
            const row = module.doubles(constants, CONSTANTS_LENGTH);
            row.fill(0);
            row[0] = body.fixed ? 1 : 0;
            row[1] = body.mass ?? 0;
            row.set(body.inertia, 2);
            row[11] = body.radius ?? 0;
            row[12] = body.pivot ? 1 : 0;
            if (body.pivot) row.set(body.pivot, 13);
            module.call('motions_body', this.set, number, constants);
        });
        module.giveBack(constants);
    }

    /** From now on the segment's body moves as the segment says; lasting: its row there, if it has one. */
    place(segment: SegmentRow, lasting: LastingRow | null): void {
        this.module.bytes(this.segment, SEGMENT_BYTES).set(segment);
        if (lasting !== null) this.module.bytes(this.lasting, LASTING_BYTES).set(lasting);
        this.module.call('motions_place', this.set, this.segment, lasting === null ? 0 : this.lasting);
    }

    /** Of one body that was placed. The array is the set's own and good until the next call. */
    state(body: number, t: number): Float64Array {
        this.module.call('motions_state', this.set, body, t, this.out);
        this.one.set(this.module.doubles(this.out, STATE_LENGTH));
        return this.one;
    }

    /** Of all bodies, NaN for those not placed yet. The array is the set's own. */
    states(t: number): Float64Array {
        this.module.call('motions_states', this.set, t, this.out);
        this.all.set(this.module.doubles(this.out, this.all.length));
        return this.all;
    }

    dispose(): void {
        this.module.call('motions_drop', this.set);
        for (const memory of [this.segment, this.lasting, this.out]) this.module.giveBack(memory);
    }
}

/** A state with its parts by name. */
export function namedState(state: ArrayLike<number>, body = 0): State {
    const part = (from: number, length: number): number[] =>
        Array.from({ length }, (_, at) => state[STATE_LENGTH * body + from + at]);
    return { position: part(0, 3), orientation: part(3, 4), velocity: part(7, 3), angularVelocity: part(10, 3) };
}

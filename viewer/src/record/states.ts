// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The states of all bodies of a recording at any time, evaluated from their segments by the
// library itself (src/laws/motions.ts): exact, at any speed, forwards and backwards. Where a segment
// is not here yet there is no state: it is asked for, and who wanted it tries again when it has come.
import type { MotionSet } from '../laws/motions';
import { SEGMENT } from './layout';
import type { Recording } from './recording';

/**
 * Thirteen doubles for each body: the centre of mass, orientation (w, x, y, z), velocity,
 * angular velocity; world frame.
 */
export type States = Float64Array;
export const STATE = { length: 13, position: 0, orientation: 3, velocity: 7, angularVelocity: 10 } as const;

export class StateReader {
    /** Where in its list of segments each body is; -1: nowhere yet. */
    private readonly places: Int32Array;
    /** Until when the segment of each body holds, for skipping what does not change. */
    private readonly from: Float64Array;
    private readonly until: Float64Array;
    private known = 0;

    constructor(
        private readonly recording: Recording,
        private readonly motions: MotionSet,
    ) {
        const bodies = recording.meta.bodies.length;
        this.places = new Int32Array(bodies).fill(-1);
        this.from = new Float64Array(bodies).fill(Infinity);
        this.until = new Float64Array(bodies).fill(-Infinity);
    }

    /**
     * Of all bodies; the array is the reader's own and good until the next call. null: some of it is
     * not here yet; ask: it is to be brought.
     */
    at(t: number, ask = true): States | null {
        this.forgetEnds();
        let here = true;
        for (let body = 0; body < this.places.length; body++) here = this.bring(body, t, ask) && here;
        return here ? this.motions.states(t) : null;
    }

    /** Of one body. */
    of(body: number, t: number): Float64Array | null {
        this.forgetEnds();
        return this.bring(body, t, true) ? this.motions.state(body, t) : null;
    }

    /** Just before time t: the segment that ends there, where one begins at t. */
    before(body: number, t: number): Float64Array | null {
        const rows = this.recording.segmentsOf.of(body);
        const { segments } = this.recording.brief;
        let place = this.recording.segmentsOf.placeAt(body, t, this.places[body]);
        while (place > 0 && segments.double(rows[place], SEGMENT.t0) >= t) place--;
        return this.put(body, place, true) ? this.motions.state(body, t) : null;
    }

    /** What the motion of a body is now called. */
    kindOf(body: number, t: number): number {
        const rows = this.recording.segmentsOf.of(body);
        const place = this.recording.segmentsOf.placeAt(body, t, this.places[body]);
        return this.recording.brief.segments.word(rows[place], SEGMENT.kind);
    }

    /** When rows have come, the last segments of bodies may have found their end. */
    private forgetEnds(): void {
        const { rows } = this.recording.brief.segments;
        if (rows === this.known) return;
        this.known = rows;
        this.until.fill(-Infinity);
    }

    private bring(body: number, t: number, ask: boolean): boolean {
        if (t >= this.from[body] && t < this.until[body]) return true;
        return this.put(body, this.recording.segmentsOf.placeAt(body, t, this.places[body]), ask);
    }

    /** Lets a body move by one of its segments; false: that is not here yet. */
    private put(body: number, place: number, ask: boolean): boolean {
        const { brief, tables, segmentsOf } = this.recording;
        const rows = segmentsOf.of(body);
        const row = rows[place];
        if (!this.recording.hasSegment(row, ask)) return false;
        this.from[body] = brief.segments.double(row, SEGMENT.t0);
        this.until[body] = place + 1 < rows.length ? brief.segments.double(rows[place + 1], SEGMENT.t0) : Infinity;
        this.places[body] = place;
        const lasting = segmentsOf.lastingRow(row);
        // the number of the segment is 64 bits long, of which tables that fit in memory need 32
        if (lasting !== null && tables.lasting.word(lasting, 0) !== row) {
            throw new Error(`The recording is damaged: the motion of a body at ${this.from[body]} s is that of another. Run the scene again.`);
        }
        this.motions.place(tables.segments.rowBytesOf(row), lasting === null ? null : tables.lasting.rowBytesOf(lasting));
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The states of all bodies of a recording at any time, evaluated from their segments by the
// library itself (src/laws/motions.ts): exact, at any speed, forwards and backwards.
import type { MotionSet } from '../laws/motions';
import { SEGMENT, SEGMENT_KIND } from './layout';
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

    /** Of all bodies; the array is the reader's own and good until the next call. */
    at(t: number): States {
        this.forgetEnds();
        for (let body = 0; body < this.places.length; body++) this.bring(body, t);
        return this.motions.states(t);
    }

    /** Of one body. */
    of(body: number, t: number): Float64Array {
        this.forgetEnds();
        this.bring(body, t);
        return this.motions.state(body, t);
    }

    /** Just before time t: the segment that ends there, where one begins at t. */
    before(body: number, t: number): Float64Array {
        const rows = this.recording.segmentsOf.of(body);
        const { segments } = this.recording.tables;
        let place = this.recording.segmentsOf.placeAt(body, t, this.places[body]);
        while (place > 0 && segments.double(rows[place], SEGMENT.t0) >= t) place--;
        this.put(body, place);
        return this.motions.state(body, t);
    }

    /** What the motion of a body is now called. */
    kindOf(body: number, t: number): number {
        const rows = this.recording.segmentsOf.of(body);
        const place = this.recording.segmentsOf.placeAt(body, t, this.places[body]);
        return this.recording.tables.segments.word(rows[place], SEGMENT.kind);
    }

    /** When rows have come, the last segments of bodies may have found their end. */
    private forgetEnds(): void {
        const { rows } = this.recording.tables.segments;
        if (rows === this.known) return;
        this.known = rows;
        this.until.fill(-Infinity);
    }

    private bring(body: number, t: number): void {
        if (t >= this.from[body] && t < this.until[body]) return;
        this.put(body, this.recording.segmentsOf.placeAt(body, t, this.places[body]));
    }

    private put(body: number, place: number): void {
        const { segments, lasting } = this.recording.tables;
        const rows = this.recording.segmentsOf.of(body);
        const row = rows[place];
        this.from[body] = segments.double(row, SEGMENT.t0);
        this.until[body] = place + 1 < rows.length ? segments.double(rows[place + 1], SEGMENT.t0) : Infinity;
        this.places[body] = place;
        const kind = segments.word(row, SEGMENT.kind);
        const lasts = kind === SEGMENT_KIND.held || kind === SEGMENT_KIND.onPlane;
        this.motions.place(segments.rowBytesOf(row), lasts ? lasting.rowBytesOf(this.lastingRow(row)) : null);
    }

    /** The row of the lasting table that belongs to a segment. */
    private lastingRow(segment: number): number {
        const { lasting } = this.recording.tables;
        let low = 0;
        let high = lasting.rows - 1;
        while (low < high) {
            const middle = (low + high) >>> 1;
            // the number of the segment is 64 bits long, of which tables that fit in memory need 32
            if (lasting.word(middle, 0) < segment) low = middle + 1;
            else high = middle;
        }
        if (high < 0 || lasting.word(low, 0) !== segment) {
            throw new Error(`the recording has no lasting row for segment ${segment}`);
        }
        return low;
    }
}

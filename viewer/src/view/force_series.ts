// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The mean contact force over short intervals: all impulses of impacts and of lasting contacts in
// the interval, by size, over its length.
import { BRIEF_EVENT as EVENT, FORCE } from '../record/layout';
import type { Recording } from '../record/recording';

export interface ForceSeries {
    /** The middle of each interval (s). */
    t: number[];
    /** N */
    force: number[];
}

/** body: only contacts of this one; null: of all. */
export function forceSeries(recording: Recording, from: number, to: number, intervals: number, body: number | null): ForceSeries {
    const length = (to - from) / intervals;
    const impulse = new Float64Array(intervals);
    addEvents(recording, from, length, impulse, body);
    addForces(recording, from, length, impulse, body);
    return {
        t: Array.from({ length: intervals }, (_, i) => from + (i + 0.5) * length),
        force: Array.from(impulse, (sum) => sum / length),
    };
}

function addEvents(recording: Recording, from: number, length: number, impulse: Float64Array, body: number | null): void {
    const { events } = recording.brief;
    const add = (row: number): void => {
        const interval = Math.floor((events.double(row, EVENT.t) - from) / length);
        if (interval >= 0 && interval < impulse.length && events.word(row, EVENT.kind) <= 2) {
            impulse[interval] += events.double(row, EVENT.impulseSize);
        }
    };
    if (body !== null) {
        recording.eventIndex.ofBody(body).forEach(add);
        return;
    }
    const last = events.firstAfter(from + length * impulse.length);
    // the first event at `from` itself counts too
    for (let row = Math.max(0, events.firstAfter(from) - 1); row < last; row++) add(row);
}

function addForces(recording: Recording, from: number, length: number, impulse: Float64Array, body: number | null): void {
    const { forces } = recording.tables;
    const to = from + length * impulse.length;
    for (let row = forces.firstAfter(from, FORCE.t1); row < forces.rows; row++) {
        const [t0, t1] = [forces.double(row, FORCE.t0), forces.double(row, FORCE.t1)];
        if (t0 >= to || (body !== null && forces.word(row, FORCE.a) !== body && forces.word(row, FORCE.b) !== body)) continue;
        const size = forces.size(row, FORCE.impulse);
        const first = Math.max(0, Math.floor((t0 - from) / length));
        const last = Math.min(impulse.length - 1, Math.floor((t1 - from) / length));
        for (let interval = first; interval <= last; interval++) {
            const begin = from + interval * length;
            const part = Math.min(t1, begin + length) - Math.max(t0, begin);
            if (part > 0) impulse[interval] += (size * part) / (t1 - t0);
        }
    }
}

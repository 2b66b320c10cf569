// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What contacts do over short intervals of equal length: the mean force of lasting contacts (the
// part of their impulses that falls into the interval, by size, over its length), and the impulses of
// events within it (by size, added up). The two have different units: an impact has no duration, so
// that its impulse over the length of an interval would tell more of the interval than of the impact.
import { BRIEF_EVENT as EVENT } from '../record/layout';
import type { Recording } from '../record/recording';

export class ForceBins {
    /** Of one interval (s). */
    readonly width: number;
    /** The middle of each interval (s). */
    readonly middles: number[];
    /** N */
    readonly force: number[];
    /** N s; null: no event. */
    readonly impulse: (number | null)[];

    /** body: only contacts of this one; null: of all. */
    constructor(
        private readonly recording: Recording,
        private readonly from: number,
        to: number,
        intervals: number,
        private readonly body: number | null,
    ) {
        this.width = (to - from) / intervals;
        this.middles = Array.from({ length: intervals }, (_, i) => from + (i + 0.5) * this.width);
        const sums = new Float64Array(intervals);
        this.addEvents(sums);
        this.impulse = Array.from(sums, (sum) => (sum === 0 ? null : sum));
        const lasting = new Float64Array(intervals);
        this.addForces(lasting);
        this.force = Array.from(lasting, (sum) => sum / this.width);
    }

    /** Force and impulse of the interval that holds t; nothing outside. */
    at(t: number): (number | null)[] {
        const interval = Math.min(this.intervalOf(t), this.force.length - 1);
        return interval >= 0 && t <= this.from + this.width * this.force.length ? [this.force[interval], this.impulse[interval] ?? 0] : [];
    }

    private intervalOf(t: number): number {
        return Math.floor((t - this.from) / this.width);
    }

    private addEvents(sums: Float64Array): void {
        const { brief: { events }, eventIndex } = this.recording;
        const add = (row: number): void => {
            const interval = this.intervalOf(events.double(row, EVENT.t));
            if (interval >= 0 && interval < sums.length && events.word(row, EVENT.kind) <= 2) {
                sums[interval] += events.double(row, EVENT.impulseSize);
            }
        };
        if (this.body !== null) {
            eventIndex.ofBody(this.body).forEach(add);
            return;
        }
        const last = events.firstAfter(this.from + this.width * sums.length);
        // the first event at `from` itself counts too
        for (let row = Math.max(0, events.firstAfter(this.from) - 1); row < last; row++) add(row);
    }

    private addForces(sums: Float64Array): void {
        const { forces, forceColumns: column } = this.recording.tables;
        const { from, width, body } = this;
        const to = from + width * sums.length;
        for (let row = forces.firstAfter(from, column.t1); row < forces.rows; row++) {
            const [t0, t1] = [forces.double(row, column.t0), forces.double(row, column.t1)];
            if (t0 >= to || (body !== null && forces.word(row, column.a) !== body && forces.word(row, column.b) !== body)) continue;
            const size = forces.size(row, column.impulse);
            const first = Math.max(0, this.intervalOf(t0));
            const last = Math.min(sums.length - 1, this.intervalOf(t1));
            for (let interval = first; interval <= last; interval++) {
                const begin = from + interval * width;
                const part = Math.min(t1, begin + width) - Math.max(t0, begin);
                if (part > 0) sums[interval] += (size * part) / (t1 - t0);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Which rows belong to which body, and to which kind: built once and kept up as tables grow.
import { EVENT, EVENT_KINDS, NO_BODY, SEGMENT } from './layout';
import type { Table } from './table';

/** The segments of each body, in the order of time. */
export class SegmentIndex {
    private readonly rowsOfBody: number[][];
    private indexed = 0;

    constructor(
        private readonly segments: Table,
        bodies: number,
    ) {
        this.rowsOfBody = Array.from({ length: bodies }, () => []);
    }

    update(): void {
        const { segments, rowsOfBody } = this;
        for (; this.indexed < segments.rows; this.indexed++) {
            rowsOfBody[segments.word(this.indexed, SEGMENT.body)].push(this.indexed);
        }
    }

    of(body: number): readonly number[] {
        return this.rowsOfBody[body];
    }

    /**
     * Where in of(body) the segment stands that holds at time t: the last one that began by then.
     * `near` is where it was found last; playing mostly stays there or goes on by one.
     */
    placeAt(body: number, t: number, near: number): number {
        const rows = this.rowsOfBody[body];
        const begin = (place: number): number => this.segments.double(rows[place], SEGMENT.t0);
        let low = 0;
        let high = rows.length - 1;
        if (near >= 0 && near <= high && begin(near) <= t) {
            low = near;
            for (let step = 1; step <= 2; step++) {
                if (near + step > high || begin(near + step) > t) return near + step - 1;
                low = near + step;
            }
        }
        while (low < high) {
            const middle = (low + high + 1) >>> 1;
            if (begin(middle) <= t) low = middle;
            else high = middle - 1;
        }
        return low;
    }
}

/** The events of each kind, and of each body. */
export class EventIndex {
    private readonly rowsOfKind: number[][] = EVENT_KINDS.map(() => []);
    private readonly rowsOfBody: number[][];
    private indexed = 0;

    constructor(
        private readonly events: Table,
        bodies: number,
    ) {
        this.rowsOfBody = Array.from({ length: bodies }, () => []);
    }

    update(): void {
        const { events, rowsOfKind, rowsOfBody } = this;
        for (; this.indexed < events.rows; this.indexed++) {
            const row = this.indexed;
            rowsOfKind[events.word(row, EVENT.kind)].push(row);
            const a = events.word(row, EVENT.a);
            const b = events.word(row, EVENT.b);
            if (a !== NO_BODY) rowsOfBody[a].push(row);
            if (b !== NO_BODY && b !== a) rowsOfBody[b].push(row);
        }
    }

    ofKind(kind: number): readonly number[] {
        return this.rowsOfKind[kind];
    }

    ofBody(body: number): readonly number[] {
        return this.rowsOfBody[body];
    }

    /** How many of these rows, which are in the order of time, are before t. */
    countBefore(rows: readonly number[], t: number, from = 0): number {
        let low = from;
        let high = rows.length;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.events.double(rows[middle], EVENT.t) < t) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}

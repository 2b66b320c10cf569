// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Which rows belong to which body, and to which kind: built once and kept up as tables grow.
import { BRIEF_EVENT, EVENT_KINDS, NO_BODY, SEGMENT, SEGMENT_KIND } from './layout';
import type { Table } from './table';

/** The segments of each body, in the order of time; those of lasting contact, in the table's order. */
export class SegmentIndex {
    private readonly rowsOfBody: number[][];
    private readonly lasting: number[] = [];
    private indexed = 0;

    constructor(
        private readonly segments: Table,
        bodies: number,
    ) {
        this.rowsOfBody = Array.from({ length: bodies }, () => []);
    }

    update(): void {
        const { segments, rowsOfBody } = this;
        const { rows } = segments;
        for (let row = this.indexed; row < rows; row++) {
            rowsOfBody[segments.word(row, SEGMENT.body)].push(row);
            const kind = segments.word(row, SEGMENT.kind);
            if (kind === SEGMENT_KIND.held || kind === SEGMENT_KIND.onPlane || kind === SEGMENT_KIND.constrained) this.lasting.push(row);
        }
        this.indexed = rows;
    }

    of(body: number): readonly number[] {
        return this.rowsOfBody[body];
    }

    /** The row of the lasting table that belongs to a segment; null: it is not of lasting contact. */
    lastingRow(segment: number): number | null {
        let low = 0;
        let high = this.lasting.length;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.lasting[middle] < segment) low = middle + 1;
            else high = middle;
        }
        return this.lasting[low] === segment ? low : null;
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
    private indexedByBody = 0;

    constructor(
        private readonly events: Table,
        bodies: number,
    ) {
        this.rowsOfBody = Array.from({ length: bodies }, () => []);
    }

    update(): void {
        const { events, rowsOfKind } = this;
        const { rows } = events;
        for (let row = this.indexed; row < rows; row++) rowsOfKind[events.word(row, BRIEF_EVENT.kind)].push(row);
        this.indexed = rows;
    }

    ofKind(kind: number): readonly number[] {
        return this.rowsOfKind[kind];
    }

    /** Made when it is asked for. */
    ofBody(body: number): readonly number[] {
        const { events, rowsOfBody } = this;
        for (let row = this.indexedByBody; row < this.indexed; row++) {
            const a = events.word(row, BRIEF_EVENT.a);
            const b = events.word(row, BRIEF_EVENT.b);
            if (a !== NO_BODY) rowsOfBody[a].push(row);
            if (b !== NO_BODY && b !== a) rowsOfBody[b].push(row);
        }
        this.indexedByBody = this.indexed;
        return rowsOfBody[body];
    }

    /** How many of these rows, which are in the order of time, are before t. */
    countBefore(rows: readonly number[], t: number, from = 0): number {
        let low = from;
        let high = rows.length;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.events.double(rows[middle], BRIEF_EVENT.t) < t) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}

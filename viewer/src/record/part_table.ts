// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A table of which any rows may still be missing. It comes in chunks, each from its beginning on.
import { Table } from './table';

/** Rows of a chunk: few enough to come in a moment, many enough to be worth a request. */
export const CHUNK_ROWS = 4096;

export interface RowRange {
    first: number;
    count: number;
}

export class PartTable extends Table {
    /** How many rows there are, here or not. */
    private length = 0;
    /** Of each chunk, how many of its rows are here. */
    private here = new Uint16Array(0);
    private hereInAll = 0;

    override get rows(): number {
        return this.length;
    }

    get rowsHere(): number {
        return this.hereInAll;
    }

    get missingBytes(): number {
        return (this.length - this.hereInAll) * this.rowBytes;
    }

    get chunks(): number {
        return Math.ceil(this.length / CHUNK_ROWS);
    }

    /** There are so many rows now, never fewer than before. */
    setLength(rows: number): void {
        if (rows <= this.length) return;
        const needed = rows * this.rowBytes;
        // a table that has begun to grow may go on
        if (needed > this.bytes.length) this.makeRoom(Math.max(needed, Math.ceil(1.5 * this.bytes.length)));
        this.length = rows;
        this.filledBytes = needed;
        if (this.chunks <= this.here.length) return;
        const longer = new Uint16Array(Math.max(this.chunks, Math.ceil(1.5 * this.here.length)));
        longer.set(this.here);
        this.here = longer;
    }

    has(row: number): boolean {
        return row % CHUNK_ROWS < this.here[Math.floor(row / CHUNK_ROWS)];
    }

    /** The rows of a chunk that are not here; null: there are none. */
    missingOf(chunk: number): RowRange | null {
        const first = chunk * CHUNK_ROWS + this.here[chunk];
        const end = Math.min((chunk + 1) * CHUNK_ROWS, this.length);
        return first < end ? { first, count: end - first } : null;
    }

    /** Puts rows where they belong; those before them in the first one's chunk must be here. */
    put({ first, count }: RowRange, piece: Uint8Array<ArrayBuffer>): void {
        if (piece.length !== count * this.rowBytes) {
            throw new Error(`The recording is damaged: of its ${this.name} ${piece.length} bytes came where ${count * this.rowBytes} should be.`);
        }
        if (count === this.length) this.adopt(piece);
        else this.bytes.set(piece, first * this.rowBytes);
        const end = first + count;
        for (let chunk = Math.floor(first / CHUNK_ROWS); chunk * CHUNK_ROWS < end; chunk++) {
            const rows = Math.min(CHUNK_ROWS, end - chunk * CHUNK_ROWS);
            this.hereInAll += Math.max(0, rows - this.here[chunk]);
            this.here[chunk] = Math.max(this.here[chunk], rows);
        }
    }
}

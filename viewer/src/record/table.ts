// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A table that grows at its end and is read in place, without an object for each row.

export class Table {
    /** Doubles, and 32-bit numbers, in one row. */
    readonly doublesPerRow: number;
    readonly wordsPerRow: number;
    protected bytes: Uint8Array<ArrayBuffer>;
    protected filledBytes = 0;
    private doubleView: Float64Array;
    private wordView: Uint32Array;

    constructor(
        readonly name: string,
        readonly rowBytes: number,
    ) {
        this.doublesPerRow = this.rowBytes / 8;
        this.wordsPerRow = this.rowBytes / 4;
        this.bytes = new Uint8Array(0);
        this.doubleView = new Float64Array(this.bytes.buffer);
        this.wordView = new Uint32Array(this.bytes.buffer);
    }

    /** Whole rows; a piece that came without its rest does not count yet. */
    get rows(): number {
        return Math.floor(this.filledBytes / this.rowBytes);
    }

    /** Makes room for so many rows, so that reading them in does not copy what is there. */
    reserve(rows: number): void {
        this.makeRoom(rows * this.rowBytes);
    }

    append(piece: Uint8Array): void {
        const needed = this.filledBytes + piece.length;
        if (needed > this.bytes.length) this.makeRoom(Math.max(needed, Math.ceil(this.bytes.length * 1.5)));
        this.bytes.set(piece, this.filledBytes);
        this.filledBytes = needed;
    }

    /** Takes bytes as they are, without a copy; the table must be empty. */
    adopt(bytes: Uint8Array<ArrayBuffer>): void {
        if (bytes.length % this.rowBytes !== 0) {
            throw new Error(`The recording is damaged: its ${this.name} have ${bytes.length} bytes, not a multiple of ${this.rowBytes}.`);
        }
        this.bytes = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
        this.filledBytes = bytes.length;
        this.makeViews();
    }

    /** Drops a row that did not come whole, as when a connection broke. */
    dropPart(): void {
        this.filledBytes = this.rows * this.rowBytes;
    }

    double(row: number, field: number): number {
        return this.doubleView[row * this.doublesPerRow + field];
    }

    word(row: number, field: number): number {
        return this.wordView[row * this.wordsPerRow + field];
    }

    /** The components of a field; a view, good until the table grows. */
    vector(row: number, field: number, length = 3): Float64Array {
        const from = row * this.doublesPerRow + field;
        return this.doubleView.subarray(from, from + length);
    }

    /** The length of a vector field. */
    size(row: number, field: number): number {
        const at = row * this.doublesPerRow + field;
        const values = this.doubleView;
        return Math.sqrt(values[at] ** 2 + values[at + 1] ** 2 + values[at + 2] ** 2);
    }

    /** A row as it was recorded; a view, good until the table grows. */
    rowBytesOf(row: number): Uint8Array {
        return this.bytes.subarray(row * this.rowBytes, (row + 1) * this.rowBytes);
    }

    /** The first row whose time is after t; rows must be in the order of that field. */
    firstAfter(t: number, field = 0): number {
        let low = 0;
        let high = this.rows;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.doubleView[middle * this.doublesPerRow + field] <= t) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    protected makeRoom(bytes: number): void {
        const length = Math.ceil(bytes / 8) * 8;
        if (length <= this.bytes.length) return;
        const larger = new Uint8Array(length);
        larger.set(this.bytes.subarray(0, this.filledBytes));
        this.bytes = larger;
        this.makeViews();
    }

    private makeViews(): void {
        const { buffer, byteOffset } = this.bytes;
        const wholeDoubles = Math.floor(this.bytes.length / 8);
        this.doubleView = new Float64Array(buffer, byteOffset, wholeDoubles);
        this.wordView = new Uint32Array(buffer, byteOffset, wholeDoubles * 2);
    }
}

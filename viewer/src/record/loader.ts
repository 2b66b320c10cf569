// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Brings rows that are missing: first those that somebody waits for, then, when told to, the rest.
// One request is under way at a time, since it is the bytes that take the time.
import type { TableName } from './layout';
import { CHUNK_ROWS, type PartTable, type RowRange } from './part_table';
import type { Source } from './source';

/** A request of the rest is no longer than this, so that those who wait do not wait for it. */
const MOST_CHUNKS = 8;
/** The rest gives way to drawing, but not for longer than this before each request (ms). */
const LONGEST_PAUSE_MS = 120;

interface Part {
    name: TableName;
    table: PartTable;
    wanted: Set<number>;
}

interface Piece {
    part: Part;
    range: RowRange;
}

export class RowLoader {
    /** Why rows did not come, when they did not; they are asked for again with the next wish. */
    failure: Error | null = null;
    private readonly parts: Part[];
    private filling = false;
    private background = false;
    private running: Promise<void> | null = null;

    /** Tables in the order in which they are brought. */
    constructor(
        private readonly source: Source,
        tables: [TableName, PartTable][],
        private readonly arrived: () => void,
    ) {
        this.parts = tables.map(([name, table]) => ({ name, table, wanted: new Set<number>() }));
    }

    /** Whether a row is here; if not it is brought soon, where it is asked for. */
    has(table: PartTable, row: number, ask: boolean): boolean {
        if (table.has(row)) return true;
        if (ask) {
            this.parts.find((part) => part.table === table)?.wanted.add(Math.floor(row / CHUNK_ROWS));
            void this.run();
        }
        return false;
    }

    /** Brings everything that is missing; in the background: as far as drawing leaves time. Throws when that fails. */
    async fill(background: boolean): Promise<void> {
        this.filling = true;
        this.background = background;
        await this.run();
        if (this.failure !== null) throw this.failure;
    }

    /** Brings the first rows of a table. */
    async begin(table: PartTable, rows: number): Promise<void> {
        for (let row = 0; row < Math.min(rows, table.rows); row += CHUNK_ROWS) this.has(table, row, true);
        await this.run();
        if (this.failure !== null) throw this.failure;
    }

    private run(): Promise<void> {
        this.running ??= this.bringAll();
        return this.running;
    }

    private async bringAll(): Promise<void> {
        // wishes come in crowds: all of one are known in a moment
        await Promise.resolve();
        this.failure = null;
        try {
            for (;;) {
                const next = this.nextWanted() ?? (await this.nextOfRest());
                if (next !== null) await this.bring(next.part, next.range);
                else if (!this.parts.some(({ table, wanted }) => wanted.size > 0 || (this.filling && table.missingBytes > 0))) break;
            }
        } catch (error) {
            this.failure = error instanceof Error ? error : new Error(String(error));
            for (const { wanted } of this.parts) wanted.clear();
        }
        this.filling = false;
        this.running = null;
        if (this.failure !== null) this.arrived();
    }

    private async bring({ name, table }: Part, range: RowRange): Promise<void> {
        const pieces: Uint8Array<ArrayBuffer>[] = [];
        await this.source.rows(name, range.first, range.count, (piece) => pieces.push(piece));
        table.put(range, joined(pieces));
        this.arrived();
    }

    private nextWanted(): Piece | null {
        for (const part of this.parts) {
            while (part.wanted.size > 0) {
                const range = this.rangeFrom(part, Math.min(...part.wanted), (other) => part.wanted.has(other));
                if (range !== null) return { part, range };
            }
        }
        return null;
    }

    /** What is next when nobody waits; a wish that comes up meanwhile goes first. */
    private async nextOfRest(): Promise<Piece | null> {
        if (!this.filling || this.parts.every(({ table }) => table.missingBytes === 0)) return null;
        if (this.background) await nextFrame();
        const wanted = this.nextWanted();
        if (wanted !== null) return wanted;
        for (const part of this.parts) {
            if (part.table.missingBytes === 0) continue;
            for (let chunk = 0; chunk < part.table.chunks; chunk++) {
                const range = this.rangeFrom(part, chunk, () => true);
                if (range !== null) return { part, range };
            }
        }
        return null;
    }

    /** What is missing from a chunk on, in this one and in those that follow it and are taken too. */
    private rangeFrom({ table, wanted }: Part, chunk: number, takes: (chunk: number) => boolean): RowRange | null {
        wanted.delete(chunk);
        const range = table.missingOf(chunk);
        if (range === null) return null;
        const most = this.source.isHere ? Infinity : MOST_CHUNKS;
        for (let next = chunk + 1; next < Math.min(table.chunks, chunk + most) && takes(next); next++) {
            const more = table.missingOf(next);
            // a chunk of which the beginning is here would have to come again
            if (more === null || more.first !== range.first + range.count) break;
            range.count += more.count;
            wanted.delete(next);
        }
        return range;
    }
}

/** Until the browser has drawn what there was to draw. */
const nextFrame = (): Promise<void> => new Promise((resolve) => {
    setTimeout(resolve, LONGEST_PAUSE_MS);
    requestAnimationFrame(() => resolve());
});

function joined(pieces: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
    if (pieces.length === 1) return pieces[0];
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
    }
    return all;
}

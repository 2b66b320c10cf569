// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A recording as the page holds it: its tables, their indices, and how far in time they are whole.
// It is filled while it is shown, be it from a long file or from a run that goes on.
import { EventIndex, SegmentIndex } from './index';
import { SEGMENT, type TableName } from './layout';
import type { Meta } from './meta';
import type { Source } from './source';
import { Table } from './table';

/** How often those who listen are told of new rows while a table comes in (ms). */
const TELL_INTERVAL_MS = 400;

export class Recording {
    readonly tables: Record<TableName, Table>;
    readonly segmentsOf: SegmentIndex;
    readonly eventIndex: EventIndex;
    /** Everything up to this time is here (s). */
    end = 0;
    /** The part of the announced bytes that has come, 0 to 1. */
    loaded = 0;
    private readonly listeners = new Set<() => void>();
    private toldAt = 0;
    private stopped = false;

    private constructor(
        readonly source: Source,
        public meta: Meta,
    ) {
        const table = (name: TableName): Table => new Table(name);
        this.tables = {
            events: table('events'),
            segments: table('segments'),
            lasting: table('lasting'),
            forces: table('forces'),
        };
        this.segmentsOf = new SegmentIndex(this.tables.segments, meta.bodies.length);
        this.eventIndex = new EventIndex(this.tables.events, meta.bodies.length);
    }

    static async open(source: Source): Promise<Recording> {
        const recording = new Recording(source, await source.meta());
        const { counts } = recording.meta;
        for (const table of Object.values(recording.tables)) table.reserve(counts[table.name]);
        return recording;
    }

    /** Whether there is a first segment of every body, so that there is something to see. */
    get hasStart(): boolean {
        return this.tables.segments.rows >= this.meta.bodies.length;
    }

    onGrowth(listener: () => void): void {
        this.listeners.add(listener);
    }

    /** Reads all tables as far as they are now. */
    async load(): Promise<void> {
        const wholeUntil = this.meta.end;
        // what segments refer to comes before them, and they are what is seen first
        for (const name of ['lasting', 'segments', 'events', 'forces'] as const) await this.loadTable(name);
        this.end = wholeUntil;
        this.loaded = 1;
        this.tell();
    }

    /** Follows a run until it has ended or `stop` is called. */
    async follow(intervalMs: number): Promise<void> {
        while (this.meta.running && !this.stopped) {
            await new Promise((resolve) => setTimeout(resolve, intervalMs));
            const { bodies, shapes } = this.meta;
            this.meta = { ...(await this.source.meta()), bodies, shapes };
            await this.load();
        }
    }

    stop(): void {
        this.stopped = true;
        this.listeners.clear();
    }

    private async loadTable(name: TableName): Promise<void> {
        const table = this.tables[name];
        table.dropPart();
        await this.source.rows(name, table.rows, (piece) => {
            if (table.rows === 0 && piece.length > 0 && piece.length === this.meta.counts[name] * table.rowBytes) {
                table.adopt(piece);
            } else {
                table.append(piece);
            }
            if (performance.now() - this.toldAt > TELL_INTERVAL_MS) this.tellOfPart();
        });
    }

    private tellOfPart(): void {
        const { counts, running } = this.meta;
        let wanted = 0;
        let here = 0;
        for (const table of Object.values(this.tables)) {
            wanted += counts[table.name] * table.rowBytes;
            here += Math.min(table.rows, counts[table.name]) * table.rowBytes;
        }
        this.loaded = wanted === 0 ? 1 : here / wanted;
        const { segments } = this.tables;
        // of a finished recording each segment's beginning bounds what is whole before it
        if (!running && segments.rows > 0) {
            this.end = Math.max(this.end, segments.double(segments.rows - 1, SEGMENT.t0));
        }
        this.tell();
    }

    private tell(): void {
        this.toldAt = performance.now();
        this.segmentsOf.update();
        this.eventIndex.update();
        for (const listener of this.listeners) listener();
    }
}

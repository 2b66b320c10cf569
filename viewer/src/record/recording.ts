// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A recording as the page holds it: its tables, their indices, and how far in time they are whole.
// It is filled while it is shown, be it from a long file or from a run that goes on. Of a long one
// only brief rows come before it is open; whole rows come when they are asked for, and all in the
// end.
import { EventIndex, SegmentIndex } from './index';
import {
    BRIEF_BYTES, type BriefName, type ForceColumns, forceColumns, forceLayout, ROW_BYTES, type RowLayout, SEGMENT, type TableName,
} from './layout';
import { RowLoader } from './loader';
import type { Meta } from './meta';
import { PartTable } from './part_table';
import type { Source, Take } from './source';
import { Table } from './table';

/** How often those who listen are told of new rows while a table comes in (ms). */
const TELL_INTERVAL_MS = 400;
/** So much more is waited for before a recording is open: it takes a moment. */
const SHORT_BYTES = 16e6;

type PartName = Exclude<TableName, 'forces'>;

export class Recording {
    /** Whole rows, any of which may not be here yet; of forces all come before it is open. */
    readonly tables: Record<PartName, PartTable> & { forces: Table; forceColumns: ForceColumns };
    /** Of every event and every segment. */
    readonly brief: Record<BriefName, Table>;
    readonly segmentsOf: SegmentIndex;
    readonly eventIndex: EventIndex;
    /** Everything up to this time is here (s). */
    end = 0;
    /** How much has come of what is needed to be open, 0 to 1. */
    loaded = 0;
    private readonly loader: RowLoader;
    private readonly listeners = new Set<() => void>();
    private readonly arrivalListeners = new Set<() => void>();
    private toldAt = 0;
    private stopped = false;
    /** Whether it is known how rows of forces are laid out. */
    private forcesKnown: boolean;

    private constructor(
        readonly source: Source,
        public meta: Meta,
    ) {
        const part = (name: PartName): PartTable => new PartTable(name, ROW_BYTES[name]);
        const brief = (name: BriefName): Table => new Table(name, BRIEF_BYTES[name]);
        const tables = { events: part('events'), segments: part('segments'), lasting: part('lasting') };
        this.tables = { ...tables, ...forcesAs(meta.layouts?.forces ?? forceLayout(ROW_BYTES.forces)) };
        this.forcesKnown = meta.layouts?.forces !== undefined;
        this.brief = { events: brief('events'), segments: brief('segments') };
        this.segmentsOf = new SegmentIndex(this.brief.segments, meta.bodies.length);
        this.eventIndex = new EventIndex(this.brief.events, meta.bodies.length);
        // without segments nothing is seen at all
        this.loader = new RowLoader(
            source, [['segments', tables.segments], ['lasting', tables.lasting], ['events', tables.events]], () => this.tellOfArrival(),
        );
    }

    static async open(source: Source): Promise<Recording> {
        return new Recording(source, await source.meta());
    }

    /** Whether there is a first segment of every body, so that there is something to see. */
    get hasStart(): boolean {
        return this.brief.segments.rows >= this.meta.bodies.length;
    }

    /** Whether nothing is missing of what was announced. */
    get whole(): boolean {
        const { events, segments, lasting } = this.tables;
        return this.loaded >= 1 && events.missingBytes + segments.missingBytes + lasting.missingBytes === 0;
    }

    /** Why rows that were asked for did not come; null: they are on their way. */
    get failure(): Error | null {
        return this.loader.failure;
    }

    /** Called when there is more to the recording. */
    onGrowth(listener: () => void): void {
        this.listeners.add(listener);
    }

    /** Called when rows have come that were missing, or could not come. */
    onArrival(listener: () => void): void {
        this.arrivalListeners.add(listener);
    }

    /** Whether the whole row of an event is here; if not it is asked for. */
    hasEvent(row: number): boolean {
        return this.loader.has(this.tables.events, row, true);
    }

    /** Whether all is here that a segment's motion follows from; if not it may be asked for. */
    hasSegment(row: number, ask: boolean): boolean {
        const lasting = this.segmentsOf.lastingRow(row);
        if (lasting !== null && lasting >= this.tables.lasting.rows) throw new Error('The recording is damaged: the motion of a body in lasting contact is missing. Run the scene again.');
        const own = this.loader.has(this.tables.segments, row, ask);
        return (lasting === null || this.loader.has(this.tables.lasting, lasting, ask)) && own;
    }

    /** Reads all tables as far as they are now; of long ones what is needed at once, and then the rest. */
    async load(): Promise<void> {
        const { meta, tables, loader, source } = this;
        const { counts } = meta;
        for (const name of ['events', 'segments', 'lasting'] as const) tables[name].setLength(counts[name]);
        if (!source.isHere) await loader.begin(tables.segments, meta.bodies.length);
        await this.loadTable(this.brief.segments, counts.segments, (from, count, take) => source.brief('segments', from, count, take));
        await this.loadTable(this.brief.events, counts.events, (from, count, take) => source.brief('events', from, count, take));
        await this.learnForces(counts.forces);
        const { forces } = tables;
        await this.loadTable(forces, counts.forces, (from, count, take) => source.rows('forces', from, count, take, forces.rowBytes));
        const missing = tables.events.missingBytes + tables.segments.missingBytes + tables.lasting.missingBytes;
        if (source.isHere || missing <= SHORT_BYTES) await loader.fill(false);
        this.end = meta.end;
        this.loaded = 1;
        this.tell();
        // what fails here is told to those who wait for it
        if (missing > SHORT_BYTES) loader.fill(true).catch(() => undefined);
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
        this.arrivalListeners.clear();
    }

    /** Where nobody described the rows of forces, their length tells the layout. */
    private async learnForces(rows: number): Promise<void> {
        if (this.forcesKnown || rows === 0) return;
        Object.assign(this.tables, forcesAs(forceLayout(await this.source.rowBytes('forces', rows))));
        this.forcesKnown = true;
    }

    private async loadTable(table: Table, rows: number, read: (from: number, count: number, take: Take) => Promise<void>): Promise<void> {
        table.dropPart();
        const count = rows - table.rows;
        if (count <= 0) return;
        if (table.rows === 0) table.reserve(count);
        await read(table.rows, count, (piece) => {
            if (table.rows === 0 && piece.length === count * table.rowBytes) table.adopt(piece);
            else table.append(piece);
            if (performance.now() - this.toldAt > TELL_INTERVAL_MS) this.tellOfPart();
        });
    }

    private tellOfPart(): void {
        const { counts, running } = this.meta;
        const { segments, events } = this.brief;
        const { forces } = this.tables;
        const wanted = counts.segments * segments.rowBytes + counts.events * events.rowBytes + counts.forces * forces.rowBytes;
        const here = [segments, events, forces].reduce((sum, table) => sum + table.rows * table.rowBytes, 0);
        this.loaded = Math.min(0.999, here / Math.max(wanted, 1));
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

    private tellOfArrival(): void {
        for (const listener of this.arrivalListeners) listener();
    }
}

const forcesAs = (layout: RowLayout): { forces: Table; forceColumns: ForceColumns } =>
    ({ forces: new Table('forces', layout.bytes), forceColumns: forceColumns(layout) });

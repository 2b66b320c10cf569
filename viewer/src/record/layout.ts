// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The rows of a recording's tables as docs/formats.md lays them out: little-endian, every field at
// a multiple of its own size. A row is read in place: doubles are counted in units of 8 bytes from
// the row's beginning, 32-bit numbers in units of 4.

export type TableName = 'events' | 'segments' | 'lasting' | 'forces';
/** Tables of which there are brief rows too: docs/viewer-server.md. */
export type BriefName = 'events' | 'segments';

export const ROW_BYTES: Record<TableName, number> = { events: 160, segments: 120, lasting: 336, forces: 96 };
export const BRIEF_BYTES: Record<BriefName, number> = { events: 48, segments: 16 };

/** A body number that stands for none. */
export const NO_BODY = 4294967295;

export const EVENT_KINDS = ['impact', 'micro', 'lasting-begin', 'lasting-end', 'sleep', 'wake'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Where a brief row has them too: the first three. */
export const SEGMENT = {
    t0: 0, // f8
    body: 2, // u4
    kind: 3, // u4
    position: 2, // f8[3]
    orientation: 5, // f8[4]
    velocity: 9, // f8[3]
    angularVelocity: 12, // f8[3]
} as const;

export const SEGMENT_KIND = { given: 0, flight: 1, asleep: 2, forced: 3, held: 4, onPlane: 5, constrained: 6 } as const;

export const EVENT = {
    t: 0, // f8
    a: 2, // u4
    b: 3, // u4
    kind: 4, // u4
    law: 5, // u4
    point: 3, // f8[3]
    normal: 6, // f8[3]
    u: 9, // f8[3]
    uAfter: 12, // f8[3]
    impulse: 15, // f8[3]
    energyLost: 18, // f8
    restitution: 19, // f8
} as const;

export const BRIEF_EVENT = {
    t: EVENT.t,
    a: EVENT.a,
    b: EVENT.b,
    kind: EVENT.kind,
    law: EVENT.law,
    /** The speed at which the bodies came together (m/s). */
    approach: 3, // f8
    impulseSize: 4, // f8
    energyLost: 5, // f8
} as const;

/** What a server may say of the rows of a table: their length, and where columns begin (bytes). */
export interface RowLayout {
    bytes: number;
    columns: Record<string, number>;
}

/**
 * Where the columns of a row of forces are. Between t0 and t1 a force acts at a place that may move:
 * `follows` says how. Recordings of older versions have no such columns, and a place that stays.
 */
export interface ForceColumns {
    t0: number; // f8
    t1: number; // f8
    a: number; // u4
    b: number; // u4
    /** At t0. */
    point: number; // f8[3]
    normal: number; // f8[3]
    impulse: number; // f8[3]
    /** At t1. */
    pointEnd: number | null; // f8[3]
    follows: number | null; // u4
}

/** How the place of a force moves: straight from point to point_end, or with the centre of mass of body a. */
export const FOLLOWS = { line: 0, centreOfA: 1 } as const;

const OLD_FORCE: RowLayout = {
    bytes: ROW_BYTES.forces,
    columns: { t0: 0, t1: 8, a: 16, b: 20, point: 24, normal: 48, impulse: 72 },
};
const MOVING_FORCE: RowLayout = { bytes: 128, columns: { ...OLD_FORCE.columns, point_end: 96, follows: 120 } };

/** The layout of rows so long, where no server describes them. */
export function forceLayout(bytes: number): RowLayout {
    const known = [OLD_FORCE, MOVING_FORCE].find((layout) => layout.bytes === bytes);
    if (known === undefined) throw new Error(`This page does not know contact forces of ${bytes} bytes: the recording is of a newer version.`);
    return known;
}

export function forceColumns({ columns }: RowLayout): ForceColumns {
    const place = (name: string, unit: number): number => {
        const at = columns[name];
        if (at === undefined || at % unit !== 0) throw new Error(`The recording's contact forces have no column ${name} that can be read.`);
        return at / unit;
    };
    return {
        t0: place('t0', 8), t1: place('t1', 8), a: place('a', 4), b: place('b', 4),
        point: place('point', 8), normal: place('normal', 8), impulse: place('impulse', 8),
        pointEnd: 'point_end' in columns ? place('point_end', 8) : null,
        follows: 'follows' in columns ? place('follows', 4) : null,
    };
}

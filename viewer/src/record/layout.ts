// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The rows of a recording's tables as docs/formats.md lays them out: little-endian, every field at
// a multiple of its own size. A row is read in place: doubles are counted in units of 8 bytes from
// the row's beginning, 32-bit numbers in units of 4.

export type TableName = 'events' | 'segments' | 'lasting' | 'forces';
/** Tables of which there are brief rows too: docs/viewer-server.md. */
export type BriefName = 'events' | 'segments';

export const ROW_BYTES: Record<TableName, number> = { events: 160, segments: 120, lasting: 184, forces: 96 };
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

export const SEGMENT_KIND = { given: 0, flight: 1, asleep: 2, forced: 3, held: 4, onPlane: 5 } as const;

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

export const FORCE = {
    t0: 0, // f8
    t1: 1, // f8
    a: 4, // u4
    b: 5, // u4
    point: 3, // f8[3]
    normal: 6, // f8[3]
    impulse: 9, // f8[3]
} as const;

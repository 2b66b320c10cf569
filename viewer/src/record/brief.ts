// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Brief rows made from whole ones, where no server does so (carom/serve/brief_rows.h is the same).
import { BRIEF_BYTES, BRIEF_EVENT, type BriefName, EVENT, ROW_BYTES } from './layout';

type Bytes = Uint8Array<ArrayBuffer>;

export function briefRows(table: BriefName, whole: Bytes): Bytes {
    const count = Math.floor(whole.length / ROW_BYTES[table]);
    const brief = new Uint8Array(count * BRIEF_BYTES[table]);
    if (table === 'events') fillEvents(whole, brief, count);
    else fillSegments(whole, brief, count);
    return brief;
}

function fillEvents(whole: Bytes, brief: Bytes, count: number): void {
    const from = new Float64Array(whole.buffer, whole.byteOffset, (count * ROW_BYTES.events) / 8);
    const to = new Float64Array(brief.buffer);
    const [wide, narrow] = [ROW_BYTES.events / 8, BRIEF_BYTES.events / 8];
    for (let row = 0; row < count; row++) {
        const [at, out] = [row * wide, row * narrow];
        const dot = (x: number, y: number): number =>
            from[at + x] * from[at + y] + from[at + x + 1] * from[at + y + 1] + from[at + x + 2] * from[at + y + 2];
        // all before the place is the same
        brief.set(whole.subarray(8 * at, 8 * (at + EVENT.point)), 8 * out);
        to[out + BRIEF_EVENT.approach] = -dot(EVENT.u, EVENT.normal);
        to[out + BRIEF_EVENT.impulseSize] = Math.sqrt(dot(EVENT.impulse, EVENT.impulse));
        to[out + BRIEF_EVENT.energyLost] = from[at + EVENT.energyLost];
    }
}

function fillSegments(whole: Bytes, brief: Bytes, count: number): void {
    for (let row = 0; row < count; row++) {
        const at = row * ROW_BYTES.segments;
        brief.set(whole.subarray(at, at + BRIEF_BYTES.segments), row * BRIEF_BYTES.segments);
    }
}

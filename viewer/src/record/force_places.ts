// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Where the force of a lasting contact acts at a time of its interval. It moves straight from its
// first point to its last, or with the centre of mass c of its body a: point + c(t) - c(t0). In
// recordings of older versions it stays where it was.
import { FOLLOWS } from './layout';
import type { Recording } from './recording';
import { STATE, type StateReader, type States } from './states';

/** So many are remembered. */
const MOST_CENTRES = 20_000;

export class ForcePlaces {
    /** Of rows that follow a centre: where that was at t0. */
    private readonly centres = new Map<number, Float64Array>();

    /** reader: of its own, for it looks at other times than the one that is shown. */
    constructor(
        private readonly recording: Recording,
        private readonly reader: StateReader,
    ) {}

    /** Into `out`; states: of all bodies at t. false: what it follows from has not come yet. */
    at(row: number, t: number, states: States, out: number[]): boolean {
        const { forces, forceColumns: column } = this.recording.tables;
        const point = forces.vector(row, column.point);
        for (let axis = 0; axis < 3; axis++) out[axis] = point[axis];
        if (column.pointEnd === null) return true;
        if (column.follows !== null && forces.word(row, column.follows) === FOLLOWS.centreOfA) {
            return this.addWayOfCentre(row, forces.word(row, column.a), states, out);
        }
        const [t0, t1] = [forces.double(row, column.t0), forces.double(row, column.t1)];
        const end = forces.vector(row, column.pointEnd);
        const part = t1 > t0 ? Math.min(Math.max((t - t0) / (t1 - t0), 0), 1) : 0;
        for (let axis = 0; axis < 3; axis++) out[axis] += part * (end[axis] - point[axis]);
        return true;
    }

    private addWayOfCentre(row: number, body: number, states: States, out: number[]): boolean {
        let from = this.centres.get(row);
        if (from === undefined) {
            const t0 = this.recording.tables.forces.double(row, this.recording.tables.forceColumns.t0);
            const state = this.reader.of(body, t0);
            if (state === null) return false;
            from = state.slice(STATE.position, STATE.position + 3);
            if (this.centres.size >= MOST_CENTRES) this.centres.clear();
            this.centres.set(row, from);
        }
        for (let axis = 0; axis < 3; axis++) out[axis] += states[STATE.length * body + STATE.position + axis] - from[axis];
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What the camera should show: where the free bodies go during the run, and the fixed bodies that
// are near them and not much larger. Half-spaces do not count.
import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import { type Meta, type Shape, shapeOf } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';
import { boxOf } from './shapes';

/** A fixed body counts when it is at most so many times as large as where free bodies go. */
const MOST_FIXED = 5;
/** Of larger fixed bodies this part of that size is seen beyond it. */
const MARGIN = 0.25;
const SAMPLES = 24;
/** Evaluating more states than this would be felt when a page opens. */
const MOST_STATES = 40_000;

/** Boxes of bodies in the world, and which part of a scene is worth seeing. */
export class Framing {
    private readonly boxes: (Box3 | null)[];
    private readonly scratch = { at: new Vector3(), turn: new Quaternion(), matrix: new Matrix4(), one: new Vector3(1, 1, 1) };

    constructor(
        private readonly meta: Meta,
        private readonly reader: StateReader,
    ) {
        const known = new Map<Shape, Box3 | null>();
        this.boxes = meta.bodies.map((_, body) => {
            const shape = shapeOf(meta, body);
            const box = known.get(shape) ?? boxOf(shape);
            known.set(shape, box);
            return box;
        });
    }

    isBounded(body: number): boolean {
        return this.boxes[body] !== null;
    }

    /** The box of a body, in the world; empty for a half-space. */
    bodyBox(states: States, body: number): Box3 {
        const box = this.boxes[body];
        if (box === null) return new Box3();
        const { at, turn, matrix, one } = this.scratch;
        const q = STATE.length * body + STATE.orientation;
        turn.set(states[q + 1], states[q + 2], states[q + 3], states[q]);
        const centre = new Vector3(...this.meta.bodies[body].centre).applyQuaternion(turn);
        at.fromArray(states, STATE.length * body + STATE.position).sub(centre);
        return box.clone().applyMatrix4(matrix.compose(at, turn, one));
    }

    /** Everything worth seeing from time 0 to the end that is known, as far as segments are here. */
    sceneBox(recording: Recording): Box3 {
        const { bodies } = this.meta;
        const samples = Math.max(2, Math.min(SAMPLES, Math.floor(MOST_STATES / bodies.length)));
        const box = new Box3();
        for (let sample = 0; sample < samples; sample++) {
            const states = this.reader.at((recording.end * sample) / (samples - 1), false);
            if (states === null) continue;
            bodies.forEach(({ fixed }, body) => {
                if (!fixed) box.union(this.bodyBox(states, body));
            });
        }
        this.addFixed(box);
        return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
    }

    /** The part of the horizontal plane where most free bodies are at the start. */
    middleOfFree(): Vector3 {
        const states = this.reader.at(0);
        const middle = new Vector3();
        if (states === null) return middle;
        let free = 0;
        this.meta.bodies.forEach(({ fixed }, body) => {
            if (fixed) return;
            middle.add(this.scratch.at.fromArray(states, STATE.length * body + STATE.position));
            free++;
        });
        return middle.divideScalar(Math.max(free, 1));
    }

    private addFixed(box: Box3): void {
        const free = box.clone();
        const extent = free.isEmpty() ? Infinity : free.getSize(new Vector3()).length();
        const near = free.clone().expandByScalar(MARGIN * extent);
        const states = this.reader.at(0);
        if (states === null) return;
        this.meta.bodies.forEach(({ fixed }, body) => {
            if (!fixed || !this.isBounded(body)) return;
            const own = this.bodyBox(states, body);
            if (free.isEmpty()) box.union(own);
            else if (own.intersectsBox(near)) {
                const large = own.getSize(new Vector3()).length() > MOST_FIXED * extent;
                box.union(large ? own.intersect(near) : own);
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Trails: the paths of the centres of mass of free bodies over a chosen time before the one that is
// shown, paler the older. Points are taken at equal times, which are the same whatever time is
// shown, so that most are still known with the next frame, and where a motion begins, so that
// bounces stay sharp. What takes longer than a frame may is filled in with the next ones.
import { Color, Vector3 } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { themeColour } from '../common/theme';
import { SEGMENT } from '../record/layout';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';

/** Windows that can be chosen (s); Infinity: from the start. */
export const TRAIL_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, Infinity] as const;
/** Points of all trails together, and of one. */
const MOST_POINTS = 24_000;
const FINEST = 240;
const COARSEST = 24;
/** With more free bodies than this only the chosen one has a trail. */
export const MOST_TRAILS = 1000;
/** Beginnings of motions in one trail; crowds of micro-collisions have more than can be seen. */
const MOST_CORNERS = 160;
/** So long one frame works on points that are not known yet (ms). */
const FRAME_MS = 8;
const WIDTH_PX = 2;

export class Trails {
    shown = false;
    /** s */
    window: number = 1;
    readonly object: LineSegments2;
    private geometry = new LineSegmentsGeometry();
    private readonly material = new LineMaterial({ linewidth: WIDTH_PX, vertexColors: true, transparent: true, opacity: 0.95 });
    private readonly free: number[];
    /** By the number of the equal time: places of all bodies then. */
    private known = new Map<number, Float64Array>();
    private step = 0;
    private readonly mixed = new Color();

    /** reader: of its own, for it looks at other times than the one that is shown. */
    constructor(
        private readonly recording: Recording,
        private readonly reader: StateReader,
    ) {
        this.free = recording.meta.bodies.flatMap(({ fixed }, body) => (fixed ? [] : [body]));
        this.object = new LineSegments2(this.geometry, this.material);
        this.object.frustumCulled = false;
        this.object.visible = false;
        this.object.renderOrder = 2;
    }

    /**
     * Draws the trails that end at t, where the states hold. bodies: whose, of the free ones. false: not
     * all is drawn yet, and the next frame can draw more.
     */
    update(t: number, states: States, isSeen: (body: number) => boolean, chosen: number | null, colourOf: (body: number) => string): boolean {
        const all = this.free.length <= MOST_TRAILS;
        const bodies = this.free.filter((body) => (all || body === chosen) && isSeen(body));
        this.object.visible = this.shown && bodies.length > 0;
        if (!this.object.visible) return true;
        const from = Math.max(0, t - this.window);
        const times = this.timesOf(from, t, bodies.length);
        const complete = this.learn(times);
        const positions: number[] = [];
        const colours: number[] = [];
        const sky = new Color(themeColour('--sky-bottom'));
        for (const body of bodies) this.addTrail(body, from, t, states, times, new Color(colourOf(body)), sky, positions, colours);
        this.draw(positions, colours);
        return complete;
    }

    /** The numbers of equal times from the first in the window to the last. */
    private timesOf(from: number, t: number, bodies: number): number[] {
        const length = Number.isFinite(this.window) ? this.window : Math.max(this.recording.end, 1e-9);
        const points = Math.min(Math.max(Math.floor(MOST_POINTS / bodies), COARSEST), FINEST);
        const step = length / points;
        if (step !== this.step) {
            this.step = step;
            this.known.clear();
        }
        const times: number[] = [];
        for (let number = Math.ceil(from / step); number * step < t; number++) times.push(number);
        return times;
    }

    /** Looks up where bodies were, the latest first, as long as a frame may take; false: there are more. */
    private learn(times: readonly number[]): boolean {
        if (this.known.size > 4 * FINEST) this.known.clear();
        const until = performance.now() + FRAME_MS;
        for (let at = times.length - 1; at >= 0; at--) {
            if (this.known.has(times[at])) continue;
            if (performance.now() > until) return false;
            const states = this.reader.at(times[at] * this.step);
            if (states === null) continue; // it has been asked for
            const places = new Float64Array(3 * (states.length / STATE.length));
            for (let body = 0; 3 * body < places.length; body++) {
                for (let axis = 0; axis < 3; axis++) places[3 * body + axis] = states[STATE.length * body + STATE.position + axis];
            }
            this.known.set(times[at], places);
        }
        return true;
    }

    /** The beginnings of a body's motions in the window: times and rows. */
    private cornersOf(body: number, from: number, t: number): { t: number; row: number }[] {
        const { segmentsOf, brief: { segments }, tables } = this.recording;
        const rows = segmentsOf.of(body);
        const last = segmentsOf.placeAt(body, t, -1);
        const corners: { t: number; row: number }[] = [];
        for (let place = last; place > 0 && corners.length < MOST_CORNERS; place--) {
            const t0 = segments.double(rows[place], SEGMENT.t0);
            if (t0 < from) break;
            if (t0 < t && tables.segments.has(rows[place])) corners.push({ t: t0, row: rows[place] });
        }
        return corners.reverse();
    }

    private addTrail(
        body: number, from: number, t: number, states: States, times: readonly number[], own: Color, sky: Color, positions: number[], colours: number[],
    ): void {
        const corners = this.cornersOf(body, from, t);
        const { segments } = this.recording.tables;
        const span = Math.max(t - from, 1e-12);
        const last = new Vector3();
        const here = new Vector3();
        let lastTime: number | null = null;
        const add = (time: number): void => {
            if (lastTime !== null && !here.equals(last)) {
                positions.push(last.x, last.y, last.z, here.x, here.y, here.z);
                for (const end of [lastTime, time]) {
                    this.mixed.copy(sky).lerp(own, 0.12 + 0.88 * ((end - from) / span));
                    colours.push(this.mixed.r, this.mixed.g, this.mixed.b);
                }
            }
            lastTime = time;
            last.copy(here);
        };
        let corner = 0;
        const addCorners = (until: number): void => {
            for (; corner < corners.length && corners[corner].t < until; corner++) {
                here.fromArray(segments.vector(corners[corner].row, SEGMENT.position));
                add(corners[corner].t);
            }
        };
        for (const number of times) {
            const places = this.known.get(number);
            if (places === undefined) continue;
            addCorners(number * this.step);
            here.fromArray(places, 3 * body);
            add(number * this.step);
        }
        addCorners(t);
        here.fromArray(states, STATE.length * body + STATE.position);
        add(t);
    }

    private draw(positions: number[], colours: number[]): void {
        this.object.visible = positions.length > 0;
        if (positions.length === 0) return;
        // buffers of another length need another geometry
        this.geometry.dispose();
        this.geometry = new LineSegmentsGeometry();
        this.geometry.setPositions(positions);
        this.geometry.setColors(colours);
        this.object.geometry = this.geometry;
    }
}

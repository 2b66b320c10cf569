// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What is drawn over the bodies: contacts as dots (impacts are balls, micro-collisions octahedra,
// lasting contacts cones that point down), impulses, forces and velocities as arrows. Sizes are in
// pixels of the screen, so that a coin and a bowling lane are equally legible; what length stands for
// what is told by `arrowScales`.
import { Color, ConeGeometry, OctahedronGeometry, Vector3 } from 'three';
import { themeColour } from '../common/theme';
import type { ForcePlaces } from '../record/force_places';
import { BRIEF_EVENT, EVENT, EVENT_KINDS, SEGMENT } from '../record/layout';
import type { Recording } from '../record/recording';
import { STATE, type States } from '../record/states';
import type { Table } from '../record/table';
import { Arrows, Dots } from './arrows';
import type { Stage } from './stage';

export interface OverlayParts {
    contacts: boolean;
    impulses: boolean;
    velocities: boolean;
}

/** For so long an event stays visible while the recording plays (s of the clock). */
const SHOWN_SECONDS = 0.22;
/** Micro-collisions come in crowds: they are seen for this part of it. */
const MICRO_PART = 0.1;
const MOST_EVENTS = 160;
const MOST_FORCES = 600;
/** What is usual is so long, and nothing is longer than so many times that: it is cut. */
const LONGEST_ARROW_PX = 95;
const MOST_TIMES = 1.6;
const DOT_PX = 3.6;
const SHAFT_PX = 1.7;

/** The size that all but a few percent of the rows stay below, from an even sample of them; rows of size 0 do not count. */
function typicalSize(table: Table, sizeOf: (row: number) => number): number {
    const step = Math.max(1, Math.floor(table.rows / 3000));
    const sizes: number[] = [];
    for (let row = 0; row < table.rows; row += step) {
        const size = sizeOf(row);
        if (size > 0) sizes.push(size);
    }
    sizes.sort((a, b) => a - b);
    return sizes.length === 0 ? 1 : sizes[Math.floor(0.97 * (sizes.length - 1))];
}

type PixelSize = (at: Vector3) => number;

/** What an arrow stands for: so much for each pixel of its length on the screen. */
export interface ArrowScale {
    name: string;
    unit: string;
    perPixel: number;
    /** A custom property of theme.css. */
    colour: string;
}

export class Overlay {
    readonly parts: OverlayParts = { contacts: true, impulses: false, velocities: false };
    /** Events that have a dot now, for picking: rows and places. */
    shown: { row: number; at: Vector3 }[] = [];
    /** Whether some events are not drawn because their rows have not come yet. */
    lacking = false;
    private readonly velocities: Arrows;
    private readonly impulses = new Arrows(MOST_EVENTS + MOST_FORCES);
    /** By shape. */
    private readonly dots = {
        impact: new Dots(MOST_EVENTS + 1),
        micro: new Dots(MOST_EVENTS + 1, new OctahedronGeometry(1.35)),
        lasting: new Dots(MOST_EVENTS + MOST_FORCES + 1, new ConeGeometry(1.15, 1.9, 10).rotateX(-Math.PI / 2)),
    };
    private kindColours: Color[] = [];
    private velocityColour = new Color();
    private forceColour = new Color();
    private scales = { rows: -1, impulse: 1, force: 1, speed: 1 };
    private readonly scratch = { at: new Vector3(), vector: new Vector3(), place: [0, 0, 0] };
    /** Whether a body is seen; arrows of others are left out. */
    isSeen: (body: number) => boolean = () => true;

    constructor(
        private readonly stage: Stage,
        private readonly recording: Recording,
        private readonly places: ForcePlaces,
    ) {
        this.velocities = new Arrows(Math.min(recording.meta.bodies.length, 20_000));
        stage.scene.add(this.velocities.group, this.impulses.group, ...Object.values(this.dots).map(({ mesh }) => mesh));
    }

    recolour(): void {
        this.kindColours = EVENT_KINDS.map((kind) => new Color(themeColour(`--${kind}`)));
        this.velocityColour = new Color(themeColour('--series-1'));
        this.forceColour = new Color(themeColour('--lasting-begin'));
    }

    /** Of the arrows that are shown. */
    get arrowScales(): ArrowScale[] {
        const { impulse, force, speed } = this.scales;
        const { tables, meta } = this.recording;
        return [
            ...(this.parts.impulses && this.recording.eventIndex.ofKind(0).length > 0 ? [{ name: 'impulse', unit: 'N s', perPixel: impulse / LONGEST_ARROW_PX, colour: '--impact' }] : []),
            ...(this.parts.impulses && tables.forces.rows > 0
                ? [{ name: 'contact force', unit: 'N', perPixel: (2 * force) / LONGEST_ARROW_PX, colour: '--lasting-begin' }] : []),
            ...(this.parts.velocities && meta.bodies.length > 0 ? [{ name: 'velocity', unit: 'm/s', perPixel: speed / LONGEST_ARROW_PX, colour: '--series-1' }] : []),
        ];
    }

    update(t: number, speed: number, states: States, kinds: boolean[], selectedEvent: number | null): void {
        this.measure();
        const pixel = this.makePixelSize();
        const parts = [this.velocities, this.impulses, ...Object.values(this.dots)];
        for (const part of parts) part.begin();
        this.shown = [];
        this.lacking = false;
        if (this.parts.velocities) this.addVelocities(states, pixel);
        this.addForces(t, states, pixel);
        this.addEvents(t, speed, kinds, selectedEvent, pixel);
        for (const part of parts) part.end();
    }

    /** How many metres a pixel of the screen is worth at each place. */
    private makePixelSize(): (at: Vector3) => number {
        const { camera, heightPx } = this.stage;
        const perMetre = (2 * Math.tan((camera.fov * Math.PI) / 360)) / heightPx;
        const forward = camera.getWorldDirection(new Vector3());
        const offset = new Vector3();
        return (at) => perMetre * Math.max(offset.copy(at).sub(camera.position).dot(forward), camera.near);
    }

    /** Lengths of arrows are relative to what is usual in the recording. */
    private measure(): void {
        const { forces, forceColumns: column, segments } = this.recording.tables;
        const { events } = this.recording.brief;
        const rows = segments.rowsHere + events.rows + forces.rows;
        if (this.scales.rows >= 0 && rows < 1.5 * this.scales.rows) return;
        this.scales = {
            rows,
            impulse: typicalSize(events, (row) => (events.word(row, BRIEF_EVENT.kind) === 0 ? events.double(row, BRIEF_EVENT.impulseSize) : 0)),
            force: typicalSize(forces, (row) => forces.size(row, column.impulse) / (forces.double(row, column.t1) - forces.double(row, column.t0))),
            speed: typicalSize(segments, (row) => (segments.has(row) ? segments.size(row, SEGMENT.velocity) : 0)),
        };
    }

    private arrow(arrows: Arrows, at: Vector3, vector: Vector3, typical: number, pixel: PixelSize, colour: Color): void {
        const pixels = Math.min((LONGEST_ARROW_PX * vector.length()) / typical, MOST_TIMES * LONGEST_ARROW_PX);
        arrows.add(at, vector.setLength(pixels * pixel(at)), SHAFT_PX * pixel(at), colour);
    }

    private addVelocities(states: States, pixel: PixelSize): void {
        const { at, vector } = this.scratch;
        this.recording.meta.bodies.forEach((body, number) => {
            if (body.fixed || !this.isSeen(number)) return;
            at.fromArray(states, STATE.length * number + STATE.position);
            vector.fromArray(states, STATE.length * number + STATE.velocity);
            if (vector.lengthSq() > 0) this.arrow(this.velocities, at, vector, this.scales.speed, pixel, this.velocityColour);
        });
    }

    /** Lasting contacts: intervals that hold at t. They are in the order of their ends. */
    private addForces(t: number, states: States, pixel: PixelSize): void {
        const { forces, forceColumns: column } = this.recording.tables;
        const { at, vector, place } = this.scratch;
        const first = forces.firstAfter(t, column.t1);
        for (let row = first; row < Math.min(forces.rows, first + MOST_FORCES); row++) {
            const t0 = forces.double(row, column.t0);
            if (t0 > t) continue;
            if (!this.places.at(row, t, states, place)) {
                this.lacking = true;
                continue;
            }
            at.fromArray(place);
            if (this.parts.contacts) this.dots.lasting.add(at, 0.75 * DOT_PX * pixel(at), this.forceColour);
            if (!this.parts.impulses) continue;
            vector.fromArray(forces.vector(row, column.impulse)).divideScalar(forces.double(row, column.t1) - t0);
            if (vector.lengthSq() > 0) this.arrow(this.impulses, at, vector, 2 * this.scales.force, pixel, this.forceColour);
        }
    }

    private addEvents(t: number, speed: number, kinds: boolean[], selected: number | null, pixel: PixelSize): void {
        const { events } = this.recording.brief;
        const window = SHOWN_SECONDS * speed;
        const last = events.firstAfter(t);
        const first = Math.max(events.firstAfter(t - window), last - MOST_EVENTS);
        for (let row = first; row < last; row++) {
            if (row === selected || !kinds[events.word(row, BRIEF_EVENT.kind)]) continue;
            const age = (t - events.double(row, BRIEF_EVENT.t)) / window;
            const micro = events.word(row, BRIEF_EVENT.kind) === 1;
            if (!micro || age < MICRO_PART) this.addEvent(row, 1 - age, pixel, false);
        }
        if (selected !== null && selected < events.rows) this.addEvent(selected, 1, pixel, true);
    }

    private addEvent(row: number, freshness: number, pixel: PixelSize, chosen: boolean): void {
        const { events } = this.recording.tables;
        const { at, vector } = this.scratch;
        const kind = this.recording.brief.events.word(row, BRIEF_EVENT.kind);
        if (kind > 2) return; // only these have a place and an impulse
        if (!this.recording.hasEvent(row)) {
            this.lacking = true;
            return;
        }
        at.fromArray(events.vector(row, EVENT.point));
        const colour = this.kindColours[kind];
        if (this.parts.contacts || chosen) {
            this.dots[kind === 0 ? 'impact' : kind === 1 ? 'micro' : 'lasting'].add(at, (chosen ? 1.5 : kind === 1 ? 0.5 : 0.35 + 0.65 * freshness) * DOT_PX * pixel(at), colour);
            this.shown.push({ row, at: at.clone() });
        }
        if (!this.parts.impulses && !chosen) return;
        vector.fromArray(events.vector(row, EVENT.impulse));
        if (vector.lengthSq() > 0) {
            this.arrow(this.impulses, at, vector.multiplyScalar(chosen ? 1 : freshness), this.scales.impulse, pixel, colour);
        }
    }
}

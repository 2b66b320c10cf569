// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What a recording says of itself besides its tables: GET /api/meta, or the same inside a page.
import type { RowLayout, TableName } from './layout';

export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // w, x, y, z

export type Shape =
    | { type: 'sphere'; radius: number }
    | { type: 'box'; size: Vec3 }
    | { type: 'cylinder' | 'cone'; radius: number; height: number }
    | { type: 'capsule'; radius: number; length: number }
    | { type: 'plane'; normal: Vec3 }
    | { type: 'hull'; vertices: number[]; triangles: number[] }
    | { type: 'compound'; parts: { shape: Shape; position: Vec3; orientation: Quaternion }[] };

export interface BodyMeta {
    name: string;
    material: string;
    fixed: boolean;
    mass: number | null;
    /** Row by row, about the centre of mass, body axes; zero when fixed. */
    inertia: number[];
    /** The centre of mass in the shape's frame. */
    centre: Vec3;
    /** Of a fixed body that moves: a point of the axis that it turns about, at time 0, and how fast. */
    given?: { pivot: Vec3; velocity: Vec3; angular_velocity: Vec3 };
    shape: Shape | { ref: number };
}

/** The law of two materials; everything else in it is a parameter. */
export interface ContactRule {
    materials: [string, string];
    law: string;
    [parameter: string]: unknown;
}

export interface Audit {
    energy_start: number;
    energy_end: number;
    energy_lost: number;
    energy_gained: number;
    driven: number;
    energy_residual: number;
    momentum_residual: number;
    max_overlap: number;
}

export interface Meta {
    title: string;
    scene_name: string;
    scene_text: string;
    duration: number;
    /** The recording is complete up to here (s). */
    end: number;
    finished: boolean;
    running: boolean;
    gravity: Vec3;
    /** Whether forces, or fixed bodies that move, do work on the free ones. */
    driven?: boolean;
    settings: Record<string, unknown>;
    contacts: ContactRule[];
    audit: Audit | null;
    counts: Record<TableName, number>;
    /** How rows are laid out, where that is not as it has always been. */
    layouts?: Partial<Record<TableName, RowLayout>>;
    bodies: BodyMeta[];
    shapes?: Shape[];
    /** Of each material, `#4e79a7`. */
    colours: Record<string, string>;
    /** Why a run that was shown while it ran came to no good end. */
    error?: string | null;
}

/** Checks what the page relies on, so that a wrong answer is told and not shown as nonsense. */
export function checkMeta(value: unknown): Meta {
    const meta = value as Partial<Meta> | null;
    const wrong = (what: string): Error => new Error(`the recording's description ${what}`);
    if (typeof meta !== 'object' || meta === null) throw wrong('is no object');
    if (!Array.isArray(meta.bodies)) throw wrong('lists no bodies');
    if (typeof meta.end !== 'number' || typeof meta.duration !== 'number') throw wrong('has no times');
    if (!Array.isArray(meta.gravity) || meta.gravity.length !== 3) throw wrong('has no gravity');
    if (typeof meta.colours !== 'object' || meta.colours === null) throw wrong('has no colours');
    if (typeof meta.counts !== 'object' || meta.counts === null) throw wrong('has no counts of rows');
    return meta as Meta;
}

export function shapeOf(meta: Meta, body: number): Shape {
    const { shape } = meta.bodies[body];
    if (!('ref' in shape)) return shape;
    const shared = meta.shapes?.[shape.ref];
    if (shared === undefined) throw new Error(`body ${meta.bodies[body].name} refers to a shape that is not there`);
    return shared;
}

/** A number that the recorder may have written as text: an infinite one. */
export function numberOf(value: unknown): number | null {
    if (typeof value === 'number') return value;
    if (value === 'inf') return Infinity;
    if (value === '-inf') return -Infinity;
    return null;
}

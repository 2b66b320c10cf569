// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// One recorded impact as a problem for the laws: the collision matrix K from the bodies' masses,
// inertias and poses at its time, the velocity u and the impulse p, all in the contact frame
// (z is the normal, from b to a; carom/impact/problem.h).
import type { ContactBody, Laws, Parameters } from '../laws/laws';
import { EVENT, EVENT_KINDS, type EventKind, NO_BODY } from './layout';
import { type BodyMeta, type ContactRule, type Meta, numberOf } from './meta';
import type { Recording } from './recording';

export interface EventRow {
    row: number;
    t: number;
    kind: EventKind;
    a: number;
    b: number | null;
    lawNumber: number;
    point: number[];
    normal: number[];
    u: number[];
    uAfter: number[];
    impulse: number[];
    energyLost: number;
    restitution: number;
}

/** null: it is not here yet, and has been asked for. */
export function eventRow(recording: Recording, row: number): EventRow | null {
    const { events } = recording.tables;
    if (!recording.hasEvent(row)) return null;
    const b = events.word(row, EVENT.b);
    const vector = (field: number): number[] => Array.from(events.vector(row, field));
    return {
        row,
        t: events.double(row, EVENT.t),
        kind: EVENT_KINDS[events.word(row, EVENT.kind)],
        a: events.word(row, EVENT.a),
        b: b === NO_BODY ? null : b,
        lawNumber: events.word(row, EVENT.law),
        point: vector(EVENT.point),
        normal: vector(EVENT.normal),
        u: vector(EVENT.u),
        uAfter: vector(EVENT.uAfter),
        impulse: vector(EVENT.impulse),
        energyLost: events.double(row, EVENT.energyLost),
        restitution: events.double(row, EVENT.restitution),
    };
}

/** Whether the event has an impulse: impacts, micro-collisions and begins of lasting contact. */
export const hasImpulse = (kind: EventKind): boolean => ['impact', 'micro', 'lasting-begin'].includes(kind);

/** Where a body's centre of mass is and how it is turned at the event's time. */
export interface BodyPose {
    position: ArrayLike<number>;
    orientation: ArrayLike<number>;
}

export interface ContactProblem {
    K: number[];
    u: number[];
    p: number[];
    uAfter: number[];
    /**
     * How far u + K p is from the recorded velocity after, as a part of the larger of the two: not
     * small where other contacts acted at the same instant.
     */
    mismatch: number;
}

function contactBody(body: BodyMeta, pose: BodyPose, point: number[]): ContactBody {
    return {
        mass: body.mass,
        inertia: body.inertia,
        orientation: Array.from(pose.orientation),
        r: point.map((coordinate, axis) => coordinate - pose.position[axis]),
        // K does not depend on velocities, and u is recorded
        v: [0, 0, 0],
        w: [0, 0, 0],
    };
}

const apply = (m: number[], a: number[]): number[] =>
    [0, 3, 6].map((row) => m[row] * a[0] + m[row + 1] * a[1] + m[row + 2] * a[2]);

export function contactProblem(laws: Laws, meta: Meta, event: EventRow, poseA: BodyPose, poseB: BodyPose): ContactProblem {
    if (event.b === null) throw new Error('an event of one body is no impact');
    const { K, R } = laws.contact(
        event.normal,
        contactBody(meta.bodies[event.a], poseA, event.point),
        contactBody(meta.bodies[event.b], poseB, event.point),
    );
    const [u, p, uAfter] = [event.u, event.impulse, event.uAfter].map((vector) => apply(R, vector));
    const change = apply(K, p);
    const gap = u.map((before, axis) => before + change[axis] - uAfter[axis]);
    const scale = Math.max(Math.hypot(...u), Math.hypot(...uAfter));
    return { K, u, p, uAfter, mismatch: scale > 0 ? Math.hypot(...gap) / scale : 0 };
}

/** The rule for two materials: both named, then one, then none; among equals the last one. */
export function ruleOf(contacts: ContactRule[], materialA: string, materialB: string): ContactRule | null {
    let best: ContactRule | null = null;
    let bestNamed = -1;
    for (const rule of contacts) {
        const [x, y] = rule.materials;
        const matches = (one: string, other: string): boolean =>
            (one === '*' || one === materialA) && (other === '*' || other === materialB);
        if (!matches(x, y) && !matches(y, x)) continue;
        const named = Number(x !== '*') + Number(y !== '*');
        if (named >= bestNamed) [best, bestNamed] = [rule, named];
    }
    return best;
}

/** The law's parameters in a rule: all but what names the materials, the law and rolling friction. */
export function parametersOf(rule: ContactRule): Parameters {
    const others = new Set(['materials', 'law', 'rolling_friction', 'spinning_friction']);
    const parameters: Parameters = {};
    for (const [name, value] of Object.entries(rule)) {
        if (others.has(name)) continue;
        const asNumber = numberOf(value);
        if (asNumber !== null) parameters[name] = asNumber;
        else if (typeof value === 'string' || typeof value === 'boolean') parameters[name] = value;
        else if (Array.isArray(value)) parameters[name] = value.map(Number);
    }
    return parameters;
}

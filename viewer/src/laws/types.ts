// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Impacts and their answers, as the page speaks of them. SI units, contact frame: z is the normal,
// from body B to body A; u is A's contact velocity minus B's; p is the impulse on A.

export type ParameterValue = number | string | boolean | readonly number[];
export type Parameters = Record<string, ParameterValue>;

/** One impact. K is row by row (1/kg); parameters by the names of the registry. */
export interface ImpactProblem {
    K: readonly number[];
    u: readonly number[];
    law: string;
    parameters: Parameters;
}

export type ParameterKind = 'number' | 'vector' | 'termination' | 'boolean' | 'law';

/** What a parameter is, for every law that takes it; null: no bound. */
export interface ParameterInfo {
    name: string;
    kind: ParameterKind;
    least: number | null;
    most: number | null;
    leastOpen: boolean;
    mostOpen: boolean;
    range: string;
    meaning: string;
}

export interface LawInfo {
    name: string;
    summary: string;
    source: string;
    planeOnly: boolean;
    /** Has a path inside the impact. */
    incremental: boolean;
    mayGainEnergy: boolean;
    parameters: { name: string; required: boolean; fallback: string }[];
}

export type ModeName = 'separating' | 'slide' | 'stick' | 'ray' | 'frictionless' | 'reverse';

export interface Transition {
    kind: string;
    sample: number;
}

/** The path inside one impact: sample i of each list belongs together. */
export interface Trace {
    p: number[][];
    u: number[][];
    normalWork: number[];
    /** Of the compliant law's springs (J). */
    normalEnergy: number[];
    tangentialEnergy: number[];
    mode: ModeName[];
    transitions: Transition[];
}

export type Condition = 'energy' | 'separation' | 'cone' | 'normal';

export interface Solution {
    p: number[];
    uAfter: number[];
    /** Kinetic energy that the impact took (J). */
    dissipated: number;
    /** null where it has no meaning. */
    restitution: { kinematic: number | null; kinetic: number | null; energetic: number | null };
    margins: Record<Condition, number>;
    permissible: Record<Condition, boolean>;
    path: ModeName[];
    trace: Trace | null;
}

/** One law's answer to a problem, or why it has none. */
export interface LawAnswer {
    law: LawInfo;
    /** The law's name; routh with each termination. */
    label: string;
    solution: Solution | null;
    reason: string;
}

/** The permissible region of impulse space; curves are lists of points. */
export interface Region {
    plasticFrictionless: number[]; // P_I
    plasticSticking: number[]; // P_II, the centre of the energy ellipsoid
    largestRestitutionAt: number[];
    contactEnergy: number;
    largestRestitution: number;
    maximumCompression: number[][];
    coneRim: number[][];
    coneOnEllipsoid: number[][];
    sticking: number[][];
    ellipsoid: number[][][];
    coneLines: number[][][];
}

/** A slip direction that friction does not turn. */
export interface SlidingRay {
    angle: number;
    /** Change of the slip speed per normal impulse: below zero converging. */
    growth: number;
    attracting: boolean;
}

/** One of two bodies that touch; inertia in body axes, all else in the world frame. */
export interface ContactBody {
    /** null: moves as it is told. */
    mass: number | null;
    inertia: readonly number[];
    orientation: readonly number[];
    /** From the centre of mass to the contact. */
    r: readonly number[];
    v: readonly number[];
    w: readonly number[];
}

export interface FramedContact {
    K: number[];
    u: number[];
    /** World to contact frame, row by row. */
    R: number[];
}

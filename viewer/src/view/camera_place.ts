// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Where a camera can be: what comes from a link or from another page is looked at before it is used.

/** Where the camera is and what it looks at (m). */
export interface CameraPlace {
    position: number[];
    target: number[];
}

/** Nothing farther away and nothing smaller is looked at (m): single precision, which graphics have, squares lengths. */
export const FARTHEST = 1e12;
export const NEAREST = 1e-12;

export const isPlace = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === 3 && value.every((x) => Number.isFinite(x) && Math.abs(x) <= FARTHEST);

/** Two places from one of which the other can be seen. */
export function isCameraPlace(value: unknown): value is CameraPlace {
    const { position, target } = (value ?? {}) as Partial<CameraPlace>;
    return isPlace(position) && isPlace(target) && Math.hypot(...position.map((x, axis) => x - target[axis])) >= NEAREST;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A body of simple shape that meets the ground (z = 0, normal up): its inertia, how it is turned and
// where it touches.
import type { ContactBody } from '../laws/laws';

export const SHAPES = ['sphere', 'rod', 'box', 'cylinder', 'pencil'] as const;
export type ShapeName = (typeof SHAPES)[number];

/** Sizes in m, mass in kg, angles in degrees, velocities in m/s and rad/s, world axes. */
export interface LabBody {
    shape: ShapeName;
    radius: number;
    length: number;
    width: number;
    depth: number;
    tip: number;
    mass: number;
    tilt: number;
    roll: number;
    v: number[];
    w: number[];
}

export type SizeName = 'radius' | 'length' | 'width' | 'depth' | 'tip';

export const SIZES: Record<ShapeName, Partial<Record<SizeName, string>>> = {
    sphere: { radius: 'radius' },
    rod: { length: 'length' },
    box: { width: 'size x', depth: 'size y', length: 'size z' },
    cylinder: { radius: 'radius', length: 'height' },
    pencil: { radius: 'radius', length: 'shaft', tip: 'tip' },
};

type Vec = readonly number[];
const add = (a: Vec, b: Vec): number[] => a.map((component, i) => component + b[i]);
const times = (s: number, a: Vec): number[] => a.map((component) => s * component);
const degrees = (angle: number): number => (angle * Math.PI) / 180;

/** First turned by roll about x, then by tilt about y. */
export function orientationOf(body: LabBody): number[] {
    const [a, b] = [degrees(body.tilt) / 2, degrees(body.roll) / 2];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a) * Math.cos(b), -Math.sin(a) * Math.sin(b)];
}

/** Rows of the rotation from body to world axes. */
export function rotationOf([w, x, y, z]: Vec): number[][] {
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
}

export const apply = (rows: readonly Vec[], v: Vec): number[] => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

/** Of a pencil of mass 1, a cylinder on a cone: height of the centre above the tip, moments across and along. */
export function pencilMoments({ radius: r, length: shaft, tip }: LabBody): { height: number; across: number; along: number } {
    const cone = tip / 3;
    const whole = shaft + cone;
    const height = (shaft * (tip + shaft / 2) + cone * 0.75 * tip) / whole;
    const ofShaft = (3 * r * r + shaft * shaft) / 12 + (tip + shaft / 2 - height) ** 2;
    const ofTip = 0.6 * ((r * r) / 4 + tip * tip) - 1.5 * height * tip + height * height;
    return {
        height,
        across: (shaft * ofShaft + cone * ofTip) / whole,
        along: (shaft * 0.5 * r * r + cone * 0.3 * r * r) / whole,
    };
}

/** Principal moments in body axes, kg m². A rod has no width: about its own axis any will do. */
export function momentsOf(body: LabBody): [number, number, number] {
    const { mass: m, radius: r, length: l, width, depth } = body;
    switch (body.shape) {
        case 'sphere':
            return [0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r];
        case 'rod':
            return [(m * l * l) / 12, (m * l * l) / 12, (m * l * l) / 12];
        case 'box':
            return [
                (m * (depth * depth + l * l)) / 12,
                (m * (width * width + l * l)) / 12,
                (m * (width * width + depth * depth)) / 12,
            ];
        case 'cylinder':
            return [(m * (3 * r * r + l * l)) / 12, (m * (3 * r * r + l * l)) / 12, 0.5 * m * r * r];
        case 'pencil': {
            const { across, along } = pencilMoments(body);
            return [m * across, m * across, m * along];
        }
    }
}

const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

/** The lowest point from the centre of mass, world axes; the middle of an edge or face that lies flat. */
export function contactPoint(body: LabBody): number[] {
    const R = rotationOf(orientationOf(body));
    const axis = apply(R, [0, 0, 1]);
    const FLAT = 1e-9;
    switch (body.shape) {
        case 'sphere':
            return [0, 0, -body.radius];
        case 'rod':
            return Math.abs(axis[2]) < FLAT ? [0, 0, 0] : times((-Math.sign(axis[2]) * body.length) / 2, axis);
        case 'pencil':
            return times(-pencilMoments(body).height, axis);
        case 'box': {
            const half = [body.width / 2, body.depth / 2, body.length / 2];
            const corners = CORNERS.map((signs) =>
                apply(
                    R,
                    signs.map((sign, i) => sign * half[i]),
                ),
            );
            const lowest = Math.min(...corners.map((corner) => corner[2]));
            const touching = corners.filter((corner) => corner[2] - lowest < FLAT * Math.hypot(...half));
            return times(1 / touching.length, touching.reduce(add));
        }
        case 'cylinder': {
            const end = Math.abs(axis[2]) < FLAT ? [0, 0, 0] : times((-Math.sign(axis[2]) * body.length) / 2, axis);
            const down = [axis[2] * axis[0], axis[2] * axis[1], axis[2] * axis[2] - 1];
            const steepness = Math.hypot(...down);
            return steepness < FLAT ? end : add(end, times(body.radius / steepness, down));
        }
    }
}

export function contactBody(body: LabBody): ContactBody {
    const [x, y, z] = momentsOf(body);
    return {
        mass: body.mass,
        inertia: [x, 0, 0, 0, y, 0, 0, 0, z],
        orientation: orientationOf(body),
        r: contactPoint(body),
        v: body.v,
        w: body.w,
    };
}

/** The inertia in world axes, rows. */
export function worldInertia(body: LabBody): number[][] {
    const R = rotationOf(orientationOf(body));
    const moments = momentsOf(body);
    return [0, 1, 2].map((i) => [0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + R[i][k] * moments[k] * R[j][k], 0)));
}

export const GROUND: ContactBody = {
    mass: null,
    inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0],
    orientation: [1, 0, 0, 0],
    r: [0, 0, 0],
    v: [0, 0, 0],
    w: [0, 0, 0],
};

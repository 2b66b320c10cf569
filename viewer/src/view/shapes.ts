// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Triangles of the true shapes, in the shape's frame. A primitive's axis is z.
import {
    type Box3, BoxGeometry, type BufferGeometry, CapsuleGeometry, CylinderGeometry, BufferAttribute, Matrix4,
    BufferGeometry as Geometry, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { mergeGeometries, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Shape } from '../record/meta';

/** Edges of a hull that turn by more than this are sharp (rad). */
const CREASE_ANGLE = 0.45;

/** How finely round things are drawn: sides of a circle. */
export function sidesFor(bodies: number): number {
    if (bodies > 3000) return 12;
    if (bodies > 400) return 20;
    return bodies > 60 ? 32 : 48;
}

/** null: a half-space, which is drawn as ground. */
export function geometryOf(shape: Shape, sides: number): BufferGeometry | null {
    switch (shape.type) {
        case 'sphere':
            return new SphereGeometry(shape.radius, sides, Math.ceil(sides / 2)).rotateX(Math.PI / 2);
        case 'box':
            return new BoxGeometry(...shape.size);
        case 'cylinder':
            return alongZ(new CylinderGeometry(shape.radius, shape.radius, shape.height, sides));
        case 'cone':
            // the origin is the centre of mass, a quarter of the height above the base
            return alongZ(new CylinderGeometry(0, shape.radius, shape.height, sides)).translate(0, 0, shape.height / 4);
        case 'capsule':
            return alongZ(new CapsuleGeometry(shape.radius, shape.length, Math.ceil(sides / 4), sides));
        case 'hull':
            return hull(shape.vertices, shape.triangles);
        case 'compound':
            return compound(shape, sides);
        case 'plane':
            return null;
    }
}

/** three.js stands its cylinders along y. */
const alongZ = (geometry: BufferGeometry): BufferGeometry => geometry.rotateX(Math.PI / 2);

function hull(vertices: number[], triangles: number[]): BufferGeometry {
    const geometry = new Geometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(vertices), 3));
    geometry.setIndex(triangles);
    const creased = toCreasedNormals(geometry, CREASE_ANGLE);
    creased.setAttribute('uv', new BufferAttribute(new Float32Array(2 * creased.attributes.position.count), 2));
    return creased;
}

function compound(shape: Extract<Shape, { type: 'compound' }>, sides: number): BufferGeometry | null {
    const parts: BufferGeometry[] = [];
    for (const part of shape.parts) {
        const geometry = geometryOf(part.shape, sides);
        if (geometry === null) continue;
        const [w, x, y, z] = part.orientation;
        const place = new Matrix4().compose(
            new Vector3(...part.position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1),
        );
        parts.push((geometry.index === null ? geometry : geometry.toNonIndexed()).applyMatrix4(place));
    }
    return parts.length === 0 ? null : mergeGeometries(parts);
}

/** The box that holds a shape, in its own frame; null for a half-space. */
export function boxOf(shape: Shape): Box3 | null {
    // for a box few sides do: those of a circle that touch it
    const geometry = geometryOf(shape, 16);
    if (geometry === null) return null;
    geometry.computeBoundingBox();
    return geometry.boundingBox;
}

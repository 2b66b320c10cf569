// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The permissible region of impulse space as three.js objects, from the curves that the library
// gives: energy ellipsoid, friction cone, plane of maximum compression, line of sticking.
import {
    BufferGeometry,
    DoubleSide,
    Float32BufferAttribute,
    Group,
    LineBasicMaterial,
    LineSegments,
    type Material,
    Mesh,
    MeshLambertMaterial,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Region } from '../laws/laws';
import type { Palette } from './palette';

/** Impulses (N s) to the drawing's units. */
export type Scale = (p: readonly number[]) => [number, number, number];

export interface RegionParts {
    cone: Group;
    ellipsoid: Group;
    compression: Group;
    sticking: Group;
}

const flat = (points: readonly (readonly number[])[], scale: Scale): number[] => points.flatMap((point) => scale(point));

function surface(positions: number[], triangles: number[], colour: string, opacity: number): Mesh {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
    geometry.setIndex(triangles);
    geometry.computeVertexNormals();
    return new Mesh(
        geometry,
        new MeshLambertMaterial({ color: colour, transparent: true, opacity, side: DoubleSide, depthWrite: false }),
    );
}

function thinLines(segments: number[], colour: string, opacity: number): LineSegments {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(segments, 3));
    return new LineSegments(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false }));
}

/** Of so many pixels. */
export function thickLine(positions: number[], colour: string, width: number, opacity = 1): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions(positions);
    return new Line2(
        geometry,
        new LineMaterial({ color: colour, linewidth: width, transparent: opacity < 1, opacity, depthWrite: opacity === 1 }),
    );
}

/** The ends of each piece of a curve. */
const pieces = (curve: readonly (readonly number[])[], scale: Scale): number[] =>
    curve.slice(1).flatMap((point, at) => [...scale(curve[at]), ...scale(point)]);

function ellipsoidPart(region: Region, scale: Scale, palette: Palette): Group {
    const group = new Group();
    // meridians go all the way round: with the mirrored first one they close the surface
    const rings = [...region.ellipsoid, [...region.ellipsoid[0]].reverse()];
    const points = rings[0].length;
    const triangles: number[] = [];
    for (let i = 0; i + 1 < rings.length; i++) {
        for (let j = 0; j + 1 < points; j++) {
            const a = i * points + j;
            const b = a + points;
            triangles.push(a, b, a + 1, b, b + 1, a + 1);
        }
    }
    group.add(surface(flat(rings.flat(), scale), triangles, palette.ellipsoid, palette.veil));
    const shown = region.ellipsoid.filter((_, at) => at % 4 === 0);
    group.add(
        thinLines(
            shown.flatMap((curve) => pieces(curve, scale)),
            palette.ellipsoid,
            0.28,
        ),
    );
    return group;
}

/** `reach`: how far (N s) from the axis the cone is drawn at most. */
function conePart(region: Region, scale: Scale, palette: Palette, reach: number): Group {
    const group = new Group();
    const [x, y, height] = region.coneRim[0];
    const part = Math.min(1, reach / Math.max(Math.hypot(x, y), 1e-300), (1.5 * reach) / Math.max(height, 1e-300));
    const rim = region.coneRim.map((point) => point.map((component) => part * component));
    const positions = [...scale([0, 0, 0]), ...flat(rim, scale)];
    const triangles = rim.slice(1).flatMap((_, at) => [0, at + 1, at + 2]);
    group.add(surface(positions, triangles, palette.cone, palette.veil));
    const lines = rim.filter((_, at) => at % 8 === 0).flatMap((point) => [...scale([0, 0, 0]), ...scale(point)]);
    group.add(thinLines(lines, palette.cone, 0.32));
    group.add(thickLine(flat(rim, scale), palette.cone, 1.6, 0.8));
    const inReach = region.coneOnEllipsoid.every((point) => Math.hypot(...point) < 4 * reach);
    if (inReach) group.add(thickLine(flat(region.coneOnEllipsoid, scale), palette.cone, 2.2));
    return group;
}

function compressionPart(region: Region, scale: Scale, palette: Palette): Group {
    const group = new Group();
    const curve = region.maximumCompression;
    const positions = [...scale(region.plasticSticking), ...flat(curve, scale)];
    const triangles = curve.slice(1).flatMap((_, at) => [0, at + 1, at + 2]);
    group.add(surface(positions, triangles, palette.compression, 1.1 * palette.veil));
    group.add(thickLine(flat(curve, scale), palette.compression, 1.8));
    return group;
}

function stickingPart(region: Region, scale: Scale, palette: Palette): Group {
    const group = new Group();
    const geometry = new LineGeometry();
    const ends = region.sticking;
    geometry.setPositions([...scale(ends[0]), ...scale(ends[ends.length - 1])]);
    const line = new Line2(
        geometry,
        new LineMaterial({ color: palette.sticking, linewidth: 2, dashed: true, dashSize: 0.05, gapSize: 0.035 }),
    );
    line.computeLineDistances();
    group.add(line);
    return group;
}

/** Without a limit of friction (mu null) there is no cone. */
export function regionParts(region: Region, mu: number | null, scale: Scale, palette: Palette, reach: number): RegionParts {
    return {
        cone: mu === null ? new Group() : conePart(region, scale, palette, reach),
        ellipsoid: ellipsoidPart(region, scale, palette),
        compression: compressionPart(region, scale, palette),
        sticking: stickingPart(region, scale, palette),
    };
}

/** Gives back what the graphics card holds for an object and all in it. */
export function freeObject(root: { traverse: (visit: (object: object) => void) => void }): void {
    root.traverse((object) => {
        const drawn = object as { geometry?: BufferGeometry; material?: Material | Material[] };
        drawn.geometry?.dispose();
        for (const material of [drawn.material ?? []].flat()) material.dispose();
    });
}

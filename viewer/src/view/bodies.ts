// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The bodies of one run on the stage: one instanced mesh for each different shape, so that
// thousands cost no more calls than a few. A body that is seen through is drawn by a second,
// translucent mesh of its shape, and one that is hidden by none. The ghosts of a second run are the
// same in one colour.
import {
    type BufferGeometry, CanvasTexture, Color, DynamicDrawUsage, Group, InstancedMesh, type Intersection, type Material, Matrix4, MeshStandardMaterial,
    NearestFilter, Quaternion, type Raycaster, Sphere, SRGBColorSpace, type Texture, Vector3,
} from 'three';
import { bodyColour, ownColour } from '../common/colours';
import { themeColour } from '../common/theme';
import { type Meta, type Shape, shapeOf } from '../record/meta';
import { STATE, type States } from '../record/states';
import { flatBallGeometry, flatBallMaterial, type Lights } from './flat_balls';
import { geometryOf, sidesFor } from './shapes';
import type { Look } from './visibility';

export const HIGHLIGHT = new Color(1.0, 0.86, 0.25);
export type ColourBy = 'material' | 'body';
const GHOST_OPACITY = 0.6;
const FAINT_OPACITY = 0.22;
/** What is not drawn by a mesh is so small there. */
const NOWHERE = new Matrix4().makeScale(0, 0, 0);
/** So many free bodies, if all are of one material, get a colour each unless told otherwise. */
const FEW = 24;

/** How bodies are coloured until somebody chooses. */
export function usualColours(meta: Meta): ColourBy {
    const free = meta.bodies.filter(({ fixed }) => !fixed);
    const oneMaterial = new Set(free.map(({ material }) => material)).size === 1;
    return oneMaterial && free.length > 1 && free.length <= FEW ? 'body' : 'material';
}

/**
 * Round things show how they turn by fields that are alternately a little darker: a ball has eight,
 * a disc four.
 */
function spinPattern(across: number): CanvasTexture {
    const canvas = document.createElement('canvas');
    canvas.width = 16 * across;
    canvas.height = 32;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('the browser gives no 2D canvas');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#c8c8c8';
    for (let field = 0; field < across; field++) context.fillRect(16 * field, field % 2 === 0 ? 0 : 16, 16, 16);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = NearestFilter;
    return texture;
}

/** Whose segments of one shape are drawn together, and as which instance each. */
interface Batch {
    mesh: InstancedMesh;
    /** For those that are seen through; made when one is. */
    veil: InstancedMesh | null;
    shape: Shape;
    bodies: number[];
    /** Of balls: they are picked by their shape, not by their triangles. */
    radius: number | null;
}

export class Bodies {
    readonly group = new Group();
    private readonly batches: Batch[] = [];
    private colours: Color[] = [];
    private highlighted: number | null = null;
    private dark = false;
    private by: ColourBy;
    /** How each body is seen. */
    lookOf: (body: number) => Look = () => 'shown';
    private readonly sides: number;
    private readonly patterns: Partial<Record<Shape['type'], Texture>>;

    /** flatLights: draw balls flat, in these lights (flat_balls.ts). */
    constructor(
        private readonly meta: Meta,
        private readonly ghost: boolean,
        flatLights: Lights | null,
    ) {
        this.by = usualColours(meta);
        const drawn = meta.bodies.map((_, number) => number).filter((number) => !ghost || !meta.bodies[number].fixed);
        this.sides = sidesFor(drawn.length);
        this.patterns = { sphere: spinPattern(4), capsule: spinPattern(4), cylinder: spinPattern(2), cone: spinPattern(2) };
        for (const [shape, bodies] of this.byShape(drawn)) {
            const flat = shape.type === 'sphere' && flatLights !== null && !ghost;
            const geometry = flat ? flatBallGeometry() : geometryOf(shape, this.sides);
            if (geometry === null) continue;
            const material = flat ? flatBallMaterial(shape.radius, flatLights) : this.materialOf(shape, ghost ? GHOST_OPACITY : 1);
            const mesh = this.meshOf(geometry, material, bodies.length, !ghost);
            this.batches.push({ mesh, veil: null, shape, bodies, radius: shape.type === 'sphere' ? shape.radius : null });
        }
        this.setDark(false);
    }

    private materialOf(shape: Shape, opacity: number): MeshStandardMaterial {
        return new MeshStandardMaterial({
            roughness: 0.5, metalness: 0.05, map: this.patterns[shape.type] ?? null,
            transparent: opacity < 1, opacity, depthWrite: opacity >= GHOST_OPACITY,
        });
    }

    private meshOf(geometry: BufferGeometry, material: Material, count: number, shadows: boolean): InstancedMesh {
        const mesh = new InstancedMesh(geometry, material, count);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.castShadow = shadows;
        mesh.receiveShadow = shadows;
        mesh.frustumCulled = false;
        this.group.add(mesh);
        return mesh;
    }

    get colouredBy(): ColourBy {
        return this.by;
    }

    setDark(dark: boolean): void {
        this.dark = dark;
        let free = 0;
        this.colours = this.meta.bodies.map(({ material, fixed }, number) => {
            if (this.ghost) return new Color(themeColour('--ghost'));
            return this.by === 'body' && !fixed ? ownColour(free++, dark) : bodyColour(this.meta.colours[material], fixed, number, dark);
        });
        this.recolour();
    }

    colourBy(by: ColourBy): void {
        this.by = by;
        this.setDark(this.dark);
    }

    /** Puts every body where it is. */
    place(states: States): void {
        const [matrix, position, scale] = [new Matrix4(), new Vector3(), new Vector3(1, 1, 1)];
        const quaternion = new Quaternion();
        const offset = new Vector3();
        for (const batch of this.batches) {
            const { mesh, bodies } = batch;
            for (let instance = 0; instance < bodies.length; instance++) {
                const body = bodies[instance];
                const p = STATE.length * body + STATE.position;
                const q = STATE.length * body + STATE.orientation;
                quaternion.set(states[q + 1], states[q + 2], states[q + 3], states[q]);
                // the shape's frame from the centre of mass
                offset.fromArray(this.meta.bodies[body].centre).applyQuaternion(quaternion);
                position.fromArray(states, p).sub(offset);
                matrix.compose(position, quaternion, scale);
                const look = this.lookOf(body);
                if (look === 'faint') this.veilOf(batch).setMatrixAt(instance, matrix);
                else batch.veil?.setMatrixAt(instance, NOWHERE);
                mesh.setMatrixAt(instance, look === 'shown' ? matrix : NOWHERE);
            }
            for (const drawn of [mesh, batch.veil]) {
                if (drawn === null) continue;
                drawn.instanceMatrix.needsUpdate = true;
                drawn.boundingSphere = null;
            }
        }
    }

    private veilOf(batch: Batch): InstancedMesh {
        if (batch.veil === null) {
            const geometry = geometryOf(batch.shape, this.sides)!;
            batch.veil = this.meshOf(geometry, this.materialOf(batch.shape, FAINT_OPACITY), batch.bodies.length, false);
            for (let instance = 0; instance < batch.bodies.length; instance++) batch.veil.setMatrixAt(instance, NOWHERE);
            this.recolour();
        }
        return batch.veil;
    }

    highlight(body: number | null): void {
        if (body === this.highlighted) return;
        this.highlighted = body;
        this.recolour();
    }

    colourOf(body: number): string {
        return `#${this.colours[body].getHexString()}`;
    }

    /** The body that the ray meets first, of all that are shown but some. */
    pick(raycaster: Raycaster, but: number[] = []): { body: number; distance: number } | null {
        let nearest: { body: number; distance: number } | null = null;
        const meet = (body: number, distance: number): void => {
            if (this.lookOf(body) === 'shown' && !but.includes(body) && (nearest === null || distance < nearest.distance)) nearest = { body, distance };
        };
        for (const batch of this.batches) {
            if (batch.radius !== null) this.pickBalls(batch, batch.radius, raycaster, meet);
            else {
                const hits: Intersection[] = [];
                batch.mesh.raycast(raycaster, hits);
                for (const { instanceId, distance } of hits) if (instanceId !== undefined) meet(batch.bodies[instanceId], distance);
            }
        }
        return nearest;
    }

    private pickBalls({ mesh, bodies }: Batch, radius: number, { ray }: Raycaster, meet: (body: number, distance: number) => void): void {
        const matrix = new Matrix4();
        const ball = new Sphere(new Vector3(), radius);
        const hit = new Vector3();
        bodies.forEach((body, instance) => {
            mesh.getMatrixAt(instance, matrix);
            ball.center.setFromMatrixPosition(matrix);
            if (ray.intersectSphere(ball, hit) !== null) meet(body, hit.distanceTo(ray.origin));
        });
    }

    dispose(): void {
        for (const { mesh, veil } of this.batches) {
            for (const drawn of [mesh, veil]) {
                drawn?.geometry.dispose();
                (drawn?.material as Material | undefined)?.dispose();
                drawn?.dispose();
            }
        }
        this.group.removeFromParent();
    }

    private byShape(drawn: number[]): Map<Shape, number[]> {
        const byShape = new Map<Shape, number[]>();
        const known = new Map<string, Shape>();
        for (const body of drawn) {
            let shape = shapeOf(this.meta, body);
            if (!('ref' in this.meta.bodies[body].shape)) {
                const text = JSON.stringify(shape);
                shape = known.get(text) ?? shape;
                known.set(text, shape);
            }
            const bodies = byShape.get(shape);
            if (bodies === undefined) byShape.set(shape, [body]);
            else bodies.push(body);
        }
        return byShape;
    }

    private recolour(): void {
        const mixed = new Color();
        for (const { mesh, veil, bodies } of this.batches) {
            bodies.forEach((body, instance) => {
                mixed.copy(this.colours[body]);
                if (body === this.highlighted) mixed.lerp(HIGHLIGHT, 0.65);
                mesh.setColorAt(instance, mixed);
                veil?.setColorAt(instance, mixed);
            });
            for (const drawn of [mesh, veil]) if (drawn?.instanceColor) drawn.instanceColor.needsUpdate = true;
        }
    }
}

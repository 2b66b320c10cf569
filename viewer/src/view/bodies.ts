// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The bodies of one run on the stage: one instanced mesh for each different shape, so that
// thousands cost no more calls than a few. The ghosts of a second run are the same, translucent.
import {
    CanvasTexture, Color, DynamicDrawUsage, Group, InstancedMesh, type Intersection, type Material, Matrix4, MeshStandardMaterial,
    NearestFilter, Quaternion, type Raycaster, Sphere, SRGBColorSpace, type Texture, Vector3,
} from 'three';
import { bodyColour } from '../common/colours';
import { type Meta, type Shape, shapeOf } from '../record/meta';
import { STATE, type States } from '../record/states';
import { flatBallGeometry, flatBallMaterial, type Lights } from './flat_balls';
import { geometryOf, sidesFor } from './shapes';

export const HIGHLIGHT = new Color(1.0, 0.86, 0.25);

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
    bodies: number[];
    /** Of balls: they are picked by their shape, not by their triangles. */
    radius: number | null;
}

export class Bodies {
    readonly group = new Group();
    private readonly batches: Batch[] = [];
    private colours: Color[] = [];
    private highlighted: number | null = null;

    /** flatLights: draw balls flat, in these lights (flat_balls.ts). */
    constructor(
        private readonly meta: Meta,
        ghost: boolean,
        flatLights: Lights | null,
    ) {
        const drawn = meta.bodies.map((_, number) => number).filter((number) => !ghost || !meta.bodies[number].fixed);
        const sides = sidesFor(drawn.length);
        const patterns: Partial<Record<Shape['type'], Texture>> = {
            sphere: spinPattern(4), capsule: spinPattern(4), cylinder: spinPattern(2), cone: spinPattern(2),
        };
        for (const [shape, bodies] of this.byShape(drawn)) {
            const flat = shape.type === 'sphere' && flatLights !== null && !ghost;
            const geometry = flat ? flatBallGeometry() : geometryOf(shape, sides);
            if (geometry === null) continue;
            const material = flat ? flatBallMaterial(shape.radius, flatLights) : new MeshStandardMaterial({
                roughness: 0.5,
                metalness: 0.05,
                map: patterns[shape.type] ?? null,
                transparent: ghost,
                opacity: ghost ? 0.34 : 1,
                depthWrite: !ghost,
            });
            const mesh = new InstancedMesh(geometry, material, bodies.length);
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.castShadow = !ghost;
            mesh.receiveShadow = !ghost;
            mesh.frustumCulled = false;
            this.batches.push({ mesh, bodies, radius: shape.type === 'sphere' ? shape.radius : null });
            this.group.add(mesh);
        }
        this.setDark(false);
    }

    setDark(dark: boolean): void {
        this.colours = this.meta.bodies.map((body, number) => bodyColour(this.meta.colours[body.material], body.fixed, number, dark));
        this.recolour();
    }

    /** Puts every body where it is. */
    place(states: States): void {
        const [matrix, position, scale] = [new Matrix4(), new Vector3(), new Vector3(1, 1, 1)];
        const quaternion = new Quaternion();
        const offset = new Vector3();
        for (const { mesh, bodies } of this.batches) {
            for (let instance = 0; instance < bodies.length; instance++) {
                const body = bodies[instance];
                const p = STATE.length * body + STATE.position;
                const q = STATE.length * body + STATE.orientation;
                quaternion.set(states[q + 1], states[q + 2], states[q + 3], states[q]);
                // the shape's frame from the centre of mass
                offset.fromArray(this.meta.bodies[body].centre).applyQuaternion(quaternion);
                position.fromArray(states, p).sub(offset);
                mesh.setMatrixAt(instance, matrix.compose(position, quaternion, scale));
            }
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
    }

    highlight(body: number | null): void {
        if (body === this.highlighted) return;
        this.highlighted = body;
        this.recolour();
    }

    colourOf(body: number): string {
        return `#${this.colours[body].getHexString()}`;
    }

    /** The body that the ray meets first, of all but some. */
    pick(raycaster: Raycaster, but: number[] = []): { body: number; distance: number } | null {
        let nearest: { body: number; distance: number } | null = null;
        const meet = (body: number, distance: number): void => {
            if (!but.includes(body) && (nearest === null || distance < nearest.distance)) nearest = { body, distance };
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
        for (const { mesh } of this.batches) {
            mesh.geometry.dispose();
            (mesh.material as Material).dispose();
            mesh.dispose();
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
        for (const { mesh, bodies } of this.batches) {
            bodies.forEach((body, instance) => {
                mixed.copy(this.colours[body]);
                if (body === this.highlighted) mixed.lerp(HIGHLIGHT, 0.65);
                mesh.setColorAt(instance, mixed);
            });
            if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
        }
    }
}

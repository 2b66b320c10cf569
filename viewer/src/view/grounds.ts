// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The half-spaces of a scene, or a floor grid where it has none: sheets (ground.ts) that are put
// where their bodies are.
import { type Box3, Quaternion, type Scene, Vector3 } from 'three';
import { themeColour, themeMode } from '../common/theme';
import { type Meta, shapeOf } from '../record/meta';
import { STATE, type States } from '../record/states';
import { Ground, gridSpacing } from './ground';
import type { Look } from './visibility';

export class Grounds {
    private readonly sheets: { ground: Ground; body: number | null }[] = [];
    /** How wide a square of the grid is (m); null: there is none. */
    square: number | null = null;

    constructor(
        private readonly meta: Meta,
        private readonly scene: Scene,
        private readonly shadows: boolean,
    ) {}

    /** Makes the sheets for a scene of this box and radius (m). */
    make(box: Box3, radius: number, states: States): void {
        for (const { ground } of this.sheets.splice(0)) ground.dispose();
        const centre = box.getCenter(new Vector3());
        this.square = gridSpacing(radius);
        this.meta.bodies.forEach((_, body) => {
            const shape = shapeOf(this.meta, body);
            if (shape.type !== 'plane') return;
            // the sheet's middle is below the scene's, in the body's own frame
            const normal = new Vector3(...shape.normal).normalize();
            const { position, quaternion } = poseOf(states, body);
            const local = centre.clone().sub(position).applyQuaternion(quaternion.clone().invert());
            const point = local.addScaledVector(normal, -local.dot(normal));
            const facesUp = normal.clone().applyQuaternion(quaternion).z > 0.9;
            this.add(new Ground(point, normal, { sceneRadius: radius, filled: true, facesUp, shadows: this.shadows }), body);
        });
        if (this.sheets.length === 0) {
            const floor = new Vector3(centre.x, centre.y, box.min.z - 0.002 * radius);
            this.add(new Ground(floor, new Vector3(0, 0, 1), { sceneRadius: radius, filled: false, facesUp: true, shadows: this.shadows }), null);
        }
        this.place(states, () => 'shown');
    }

    place(states: States, lookOf: (body: number) => Look): void {
        for (const { ground, body } of this.sheets) {
            if (body === null) continue;
            const { position, quaternion } = poseOf(states, body);
            ground.group.position.copy(position);
            ground.group.quaternion.copy(quaternion);
            ground.group.visible = lookOf(body) === 'shown';
        }
    }

    recolour(): void {
        for (const { ground } of this.sheets) this.colour(ground);
    }

    private add(ground: Ground, body: number | null): void {
        this.sheets.push({ ground, body });
        this.scene.add(ground.group);
        this.colour(ground);
    }

    private colour(ground: Ground): void {
        ground.recolour(themeColour('--grid'), themeColour('--ground'), themeMode() === 'dark');
    }
}

function poseOf(states: States, body: number): { position: Vector3; quaternion: Quaternion } {
    const q = STATE.length * body + STATE.orientation;
    return {
        position: new Vector3().fromArray(states, STATE.length * body + STATE.position),
        quaternion: new Quaternion(states[q + 1], states[q + 2], states[q + 3], states[q]),
    };
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The recording on the stage at one time: bodies, ghosts of another run, ground, and what is drawn
// over them; choosing things by a click; following a body.
import { Box3, Raycaster, Vector2, Vector3 } from 'three';
import { themeColour, themeMode } from '../common/theme';
import { shapeOf } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';
import { Bodies } from './bodies';
import { Framing } from './framing';
import { Ground } from './ground';
import { Overlay } from './overlay';
import type { Player } from './player';
import { type Quality, qualityFor } from './quality';
import type { Selection } from './selection';
import { Stage } from './stage';
import { bestVantage } from './vantage';

/** A pointer that moved less than this between down and up has clicked (px). */
const CLICK_PX = 5;
const DOT_REACH_PX = 12;

export class SceneView {
    readonly stage: Stage;
    readonly bodies: Bodies;
    readonly overlay: Overlay;
    private readonly framing: Framing;
    private readonly quality: Quality;
    private readonly grounds: { ground: Ground; body: number | null }[] = [];
    private ghosts: { bodies: Bodies; reader: StateReader; end: () => number } | null = null;
    /** What is shown; a copy, for the reader's own array changes whenever something else is asked of it. */
    private readonly states: States;
    private drawn = false;
    private readonly followedAt = new Vector3();
    private followed: number | null = null;
    /** Whether the user, or a link, looks at something of their own. */
    private cameraMoved = false;
    /** From where the whole scene is seen, degrees; null: as it is best. */
    private direction: [number, number] | null = null;

    constructor(
        container: HTMLElement,
        private readonly recording: Recording,
        private readonly reader: StateReader,
        private readonly player: Player,
        private readonly selection: Selection,
        requestDraw: () => void,
    ) {
        const { meta } = recording;
        this.quality = qualityFor(meta.bodies.length);
        this.stage = new Stage(container, this.quality, requestDraw);
        this.bodies = new Bodies(meta, false, this.quality.flatBalls ? this.stage : null);
        this.overlay = new Overlay(this.stage, recording);
        this.framing = new Framing(meta, reader);
        this.stage.scene.add(this.bodies.group);
        this.states = new Float64Array(STATE.length * meta.bodies.length);
        this.frameScene();
        this.stage.controls.addEventListener('start', () => (this.cameraMoved = true));
        this.stage.onRecolour = (dark) => this.recolour(dark);
        this.recolour(themeMode() === 'dark');
        this.listenToClicks();
    }

    /** Draws the scene as it is at the player's time; false, and nothing is drawn: that has not come yet. */
    draw(): boolean {
        const { t, speed } = this.player;
        const states = this.reader.at(t);
        if (states === null) return false;
        this.states.set(states);
        this.drawn = true;
        this.bodies.place(this.states);
        this.bodies.highlight(this.selection.body);
        for (const { ground, body } of this.grounds) {
            if (body !== null) this.poseGround(ground, body);
        }
        this.placeGhosts(t);
        this.follow();
        this.overlay.update(t, speed, this.states, this.selection.kinds, this.selection.event);
        this.stage.draw();
        return true;
    }

    private placeGhosts(t: number): void {
        if (this.ghosts === null) return;
        const { bodies, reader, end } = this.ghosts;
        const states = reader.at(Math.min(t, end()));
        bodies.group.visible = states !== null;
        if (states !== null) bodies.place(states);
    }

    /** As more of the recording is known: shows all of it, unless the user looks elsewhere. */
    reframe(): void {
        if (this.cameraMoved) return;
        this.frameScene();
        if (this.direction !== null) this.lookFrom(...this.direction);
    }

    /** The whole scene, or the chosen body. */
    frame(): void {
        const { body } = this.selection;
        if (body !== null && this.framing.isBounded(body)) {
            this.closeUp(this.framing.bodyBox(this.states, body));
        } else {
            this.direction = null;
            this.frameScene();
        }
    }

    private frameScene(): void {
        const box = this.framing.sceneBox(this.recording);
        const focus = this.framing.middleOfFree();
        const first = this.drawn ? null : this.reader.at(0);
        if (first !== null) this.states.set(first);
        this.stage.frame(box, focus);
        this.addGrounds(box);
    }

    /** The whole scene from a direction, degrees. */
    lookFrom(azimuth: number, elevation: number): void {
        this.cameraMoved = false;
        this.direction = [azimuth, elevation];
        this.stage.lookAt(this.framing.sceneBox(this.recording), azimuth, elevation);
    }

    /** Looks at the neighbourhood of a place from where the camera is. */
    lookNear(point: Vector3, reach: number, azimuth: number, elevation: number): void {
        this.cameraMoved = true;
        this.stage.lookAt(new Box3(point.clone().addScalar(-reach), point.clone().addScalar(reach)), azimuth, elevation);
    }

    /** Comes near to where two bodies touch, to a side from which the contact can be seen. */
    lookAtContact(point: Vector3, normal: Vector3, bodies: number[]): void {
        const sizes = bodies.filter((body) => this.framing.isBounded(body))
            .map((body) => this.framing.bodyBox(this.states, body).getSize(new Vector3()).length());
        const reach = 0.6 * Math.min(...sizes, this.stage.radius);
        const vantage = bestVantage(point, normal, (ray) => this.bodies.pick(ray, bodies) !== null);
        this.lookNear(point, reach, vantage.azimuth, vantage.elevation);
    }

    private closeUp(box: Box3): void {
        this.cameraMoved = true;
        const { camera, controls } = this.stage;
        const to = camera.position.clone().sub(controls.target);
        const azimuth = (Math.atan2(to.y, to.x) * 180) / Math.PI;
        const elevation = (Math.asin(to.z / to.length()) * 180) / Math.PI;
        this.stage.lookAt(box.expandByScalar(0.4 * box.getSize(new Vector3()).length()), azimuth, elevation);
    }

    showGhosts(recording: Recording, reader: StateReader): void {
        this.hideGhosts();
        const bodies = new Bodies(recording.meta, true, null);
        this.ghosts = { bodies, reader, end: () => recording.end };
        this.stage.scene.add(bodies.group);
    }

    hideGhosts(): void {
        this.ghosts?.bodies.dispose();
        this.ghosts = null;
    }

    private positionOf(body: number): Vector3 {
        return new Vector3().fromArray(this.states, STATE.length * body + STATE.position);
    }

    private follow(): void {
        const { followed } = this.selection;
        if (followed === null) {
            this.followed = null;
            return;
        }
        const now = this.positionOf(followed);
        if (this.followed === followed) this.stage.shift(now.clone().sub(this.followedAt));
        else this.stage.shift(now.clone().sub(this.stage.controls.target));
        this.followed = followed;
        this.followedAt.copy(now);
    }

    private addGrounds(box: Box3): void {
        const { meta } = this.recording;
        for (const { ground } of this.grounds.splice(0)) ground.dispose();
        const centre = box.getCenter(new Vector3());
        const radius = this.stage.radius;
        meta.bodies.forEach((_, body) => {
            const shape = shapeOf(meta, body);
            if (shape.type !== 'plane') return;
            // the sheet's middle is below the scene's, in the body's own frame
            const normal = new Vector3(...shape.normal).normalize();
            const pose = this.poseOf(body);
            const local = centre.clone().sub(pose.position).applyQuaternion(pose.quaternion.clone().invert());
            const point = local.addScaledVector(normal, -local.dot(normal));
            const facesUp = normal.clone().applyQuaternion(pose.quaternion).z > 0.9;
            this.addGround(new Ground(point, normal, { sceneRadius: radius, filled: true, facesUp, shadows: this.quality.shadows }), body);
        });
        if (this.grounds.length > 0) return;
        const floor = new Vector3(centre.x, centre.y, box.min.z - 0.002 * radius);
        this.addGround(new Ground(floor, new Vector3(0, 0, 1), { sceneRadius: radius, filled: false, facesUp: true, shadows: this.quality.shadows }), null);
    }

    private addGround(ground: Ground, body: number | null): void {
        this.grounds.push({ ground, body });
        this.stage.scene.add(ground.group);
        ground.recolour(themeColour('--grid'), themeColour('--ground'), themeMode() === 'dark');
        if (body !== null) this.poseGround(ground, body);
    }

    private poseOf(body: number) {
        const q = STATE.length * body + STATE.orientation;
        const quaternion = this.stage.camera.quaternion.clone();
        quaternion.set(this.states[q + 1], this.states[q + 2], this.states[q + 3], this.states[q]);
        return { position: this.positionOf(body), quaternion };
    }

    private poseGround(ground: Ground, body: number): void {
        const { position, quaternion } = this.poseOf(body);
        ground.group.position.copy(position);
        ground.group.quaternion.copy(quaternion);
    }

    private recolour(dark: boolean): void {
        for (const { ground } of this.grounds) ground.recolour(themeColour('--grid'), themeColour('--ground'), dark);
        this.bodies.setDark(dark);
        this.overlay.recolour();
    }

    private listenToClicks(): void {
        const canvas = this.stage.renderer.domElement;
        let down: PointerEvent | null = null;
        canvas.addEventListener('pointerdown', (event) => {
            down = event.isPrimary && event.button === 0 ? event : null;
        });
        canvas.addEventListener('pointerup', (event) => {
            if (down !== null && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < CLICK_PX) {
                this.click(event);
            }
            down = null;
        });
    }

    private click(event: PointerEvent): void {
        const canvas = this.stage.renderer.domElement;
        const bounds = canvas.getBoundingClientRect();
        const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
        const row = this.eventAt(x, y);
        if (row !== null) {
            this.selection.chooseEvent(row);
            return;
        }
        const raycaster = new Raycaster();
        raycaster.setFromCamera(
            new Vector2((2 * x) / bounds.width - 1, 1 - (2 * y) / bounds.height), this.stage.camera,
        );
        this.selection.chooseBody(this.bodies.pick(raycaster)?.body ?? null);
    }

    /** The event whose dot is nearest to a place on the canvas. */
    private eventAt(x: number, y: number): number | null {
        const { clientWidth, clientHeight } = this.stage.renderer.domElement;
        let nearest: number | null = null;
        let least = DOT_REACH_PX;
        for (const { row, at } of this.overlay.shown) {
            const seen = at.clone().project(this.stage.camera);
            const distance = Math.hypot(((seen.x + 1) / 2) * clientWidth - x, ((1 - seen.y) / 2) * clientHeight - y);
            if (distance < least) [nearest, least] = [row, distance];
        }
        return nearest;
    }
}

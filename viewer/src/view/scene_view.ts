// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The recording on the stage at one time: bodies, ghosts of another run, ground, trails, and what is
// drawn over them; where the camera looks; following a body.
import { Box3, Vector3 } from 'three';
import { themeMode } from '../common/theme';
import { ForcePlaces } from '../record/force_places';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';
import { Bodies } from './bodies';
import type { CameraPlace } from './camera_place';
import { Framing } from './framing';
import { Gizmo } from './gizmo';
import { Grounds } from './grounds';
import { Overlay } from './overlay';
import type { Player } from './player';
import { Pointing } from './pointing';
import { qualityFor } from './quality';
import type { Selection } from './selection';
import { Stage } from './stage';
import { Trails } from './trails';
import { bestVantage } from './vantage';
import type { Visibility } from './visibility';

export class SceneView {
    readonly stage: Stage;
    readonly bodies: Bodies;
    readonly overlay: Overlay;
    readonly trails: Trails;
    /** Called when the user, or what they chose, has moved the camera. */
    onLook: () => void = () => undefined;
    private readonly reader: StateReader;
    private readonly framing: Framing;
    private readonly grounds: Grounds;
    private readonly gizmo: Gizmo;
    private ghosts: { bodies: Bodies; reader: StateReader; end: () => number } | null = null;
    /** What is shown; a copy, for the reader's own array changes whenever something else is asked of it. */
    private readonly states: States;
    private drawn = false;
    private readonly followedAt = new Vector3();
    private followed: number | null = null;
    /** A camera that was put somewhere while a body is followed stays there at first. */
    private keepsPlace = false;
    /** Whether the user, or a link, looks at something of their own. */
    private cameraMoved = false;
    /** From where the whole scene is seen, degrees; null: as it is best. */
    private direction: [number, number] | null = null;

    constructor(
        container: HTMLElement,
        private readonly recording: Recording,
        newReader: () => StateReader,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly visibility: Visibility,
        private readonly requestDraw: () => void,
    ) {
        const { meta } = recording;
        const quality = qualityFor(meta.bodies.length);
        this.reader = newReader();
        this.stage = new Stage(container, quality, requestDraw);
        this.bodies = new Bodies(meta, false, quality.flatBalls ? this.stage : null);
        this.bodies.lookOf = (body) => visibility.of(body);
        this.overlay = new Overlay(this.stage, recording, new ForcePlaces(recording, newReader()));
        this.overlay.isSeen = (body) => visibility.of(body) !== 'hidden';
        this.trails = new Trails(recording, newReader());
        this.framing = new Framing(meta, this.reader);
        this.grounds = new Grounds(meta, this.stage.scene, quality.shadows);
        this.stage.scene.add(this.bodies.group, this.trails.object);
        this.states = new Float64Array(STATE.length * meta.bodies.length);
        this.frameScene();
        this.stage.controls.addEventListener('start', () => (this.cameraMoved = true));
        this.stage.onTurn = () => this.onLook();
        this.stage.onResize = () => this.reframe();
        this.stage.onRecolour = (dark) => this.recolour(dark);
        this.recolour(themeMode() === 'dark');
        this.gizmo = new Gizmo(container, (azimuth, elevation) => {
            this.lookFrom(azimuth, elevation);
            this.onLook();
        });
        new Pointing(container, this.stage, this.bodies, this.overlay, selection, (body) => meta.bodies[body].name);
        visibility.onChange(requestDraw);
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
        this.grounds.place(this.states, (body) => this.visibility.of(body));
        this.placeGhosts(t);
        this.follow();
        this.overlay.update(t, speed, this.states, this.selection.kinds, this.selection.event);
        const isSeen = (body: number): boolean => this.visibility.of(body) !== 'hidden';
        const complete = this.trails.update(t, this.states, isSeen, this.selection.body, (body) => this.bodies.colourOf(body));
        this.stage.draw();
        this.gizmo.update(this.stage.camera, this.grounds.square, this.overlay.arrowScales);
        if (!complete) window.setTimeout(this.requestDraw);
        return true;
    }

    /** Of all bodies at the time that was drawn last; null: none was yet. */
    get shownStates(): States | null {
        return this.drawn ? this.states : null;
    }

    /** The scene as it is seen now, as a PNG file. */
    picture(): Promise<Blob> {
        this.stage.draw();
        return new Promise((resolve, reject) => {
            this.stage.renderer.domElement.toBlob((blob) => (blob === null ? reject(new Error('the browser made no picture')) : resolve(blob)));
        });
    }

    private placeGhosts(t: number): void {
        if (this.ghosts === null) return;
        const { bodies, reader, end } = this.ghosts;
        const states = reader.at(Math.min(t, end()));
        bodies.group.visible = states !== null;
        if (states !== null) bodies.place(states);
    }

    get camera(): CameraPlace {
        return { position: this.stage.camera.position.toArray(), target: this.stage.controls.target.toArray() };
    }

    /** Puts the camera exactly there. */
    setCamera({ position, target }: CameraPlace): void {
        this.cameraMoved = true;
        this.keepsPlace = true;
        this.stage.place(new Vector3().fromArray(position), new Vector3().fromArray(target));
        this.requestDraw();
    }

    /** Whether the camera is where somebody put it, or goes with a body. */
    get isOwnView(): boolean {
        return this.cameraMoved || this.direction !== null || this.selection.followed !== null;
    }

    /** As more of the recording is known, or there is another room for it: shows all, unless the user looks elsewhere. */
    reframe(): void {
        if (this.cameraMoved || this.selection.followed !== null) return;
        this.frameScene();
        if (this.direction !== null) this.lookFrom(...this.direction);
    }

    /** The whole scene, or the chosen body. */
    frame(): void {
        const { body } = this.selection;
        if (body !== null && this.framing.isBounded(body)) {
            this.closeUp(this.framing.bodyBox(this.states, body));
        } else {
            this.cameraMoved = false;
            this.direction = null;
            this.frameScene();
        }
        this.onLook();
    }

    private frameScene(): void {
        const box = this.framing.sceneBox(this.recording);
        const focus = this.framing.middleOfFree();
        const first = this.drawn ? null : this.reader.at(0);
        if (first !== null) this.states.set(first);
        this.stage.frame(box, focus);
        this.grounds.make(box, this.stage.radius, this.states);
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
        this.onLook();
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

    private follow(): void {
        const { followed } = this.selection;
        if (followed !== null) {
            const now = new Vector3().fromArray(this.states, STATE.length * followed + STATE.position);
            const from = this.followed === followed ? this.followedAt : this.stage.controls.target;
            if (!this.keepsPlace) this.stage.shift(now.clone().sub(from));
            this.followedAt.copy(now);
        }
        this.keepsPlace = false;
        this.followed = followed;
    }

    private recolour(dark: boolean): void {
        this.grounds.recolour();
        this.bodies.setDark(dark);
        this.ghosts?.bodies.setDark(dark);
        this.overlay.recolour();
    }
}

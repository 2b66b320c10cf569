// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The 3D view itself: renderer, light with soft shadows, sky, camera and its controls. It draws
// when asked, not all the time, and lowers its resolution while playing is slow.
import {
    Box3, Color, DirectionalLight, HemisphereLight, MathUtils, PCFShadowMap, PerspectiveCamera, Scene, Sphere,
    Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { onTheme, themeColour } from '../common/theme';
import type { Quality } from './quality';
import { Resolution } from './resolution';
import { directionOf } from './vantage';

/** A scene this many times longer than wide is looked at along its length. */
const NARROW = 4;
/** The part of the picture's height and width that is filled. */
const FILLED = 0.9;
/** Buttons that cover more of the picture than this part of its height are not taken into account further. */
const MOST_COVERED = 0.3;
const LIGHT_STEP = 1.6;
/** Shadow maps, at full resolution and below it (px). */
const SHADOW_PX = { fine: 2048, coarse: 1024 };

function cornersOf(box: Box3): Vector3[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => new Vector3(
        corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z,
    ));
}

export class Stage {
    readonly scene = new Scene();
    readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
    readonly renderer: WebGLRenderer;
    readonly controls: OrbitControls;
    /** Radius of what is looked at, for sizes of arrows and grids (m). */
    radius = 1;
    /** Of the canvas. */
    heightPx = 1;
    onRecolour: (dark: boolean) => void = () => undefined;
    /** Called when there is another room for the picture. */
    onResize: () => void = () => undefined;
    /** Called when the user turns, moves or zooms. */
    onTurn: () => void = () => undefined;
    readonly sun = new DirectionalLight(0xffffff, 2.6);
    readonly sky = new HemisphereLight(0xffffff, 0x888888, 1.1);
    private readonly middle = new Vector3();
    private readonly lit = { centre: new Vector3(), reach: 0 };
    private readonly resolution = new Resolution(Math.min(window.devicePixelRatio, 2));

    constructor(
        private readonly container: HTMLElement,
        quality: Quality,
        private readonly requestDraw: () => void,
    ) {
        this.renderer = new WebGLRenderer({ antialias: quality.antialias, powerPreference: 'high-performance' });
        this.renderer.shadowMap.enabled = quality.shadows;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.domElement.setAttribute('aria-label', 'The scene in three dimensions');
        this.renderer.domElement.setAttribute('role', 'img');
        container.prepend(this.renderer.domElement);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.enableDamping = false;
        let turning = false;
        this.controls.addEventListener('start', () => (turning = true));
        this.controls.addEventListener('end', () => (turning = false));
        this.controls.addEventListener('change', () => {
            if (turning) this.onTurn();
            requestDraw();
        });
        this.sun.castShadow = quality.shadows;
        this.sun.shadow.mapSize.set(SHADOW_PX.fine, SHADOW_PX.fine);
        this.sun.shadow.radius = 2.5;
        this.scene.add(this.sun, this.sun.target, this.sky);
        const sizes = new ResizeObserver(() => {
            this.resize();
            this.onResize();
        });
        sizes.observe(container);
        const buttons = container.querySelector('#overlay-buttons');
        if (buttons !== null) sizes.observe(buttons);
        this.resize();
        onTheme((mode) => this.recolour(mode === 'dark'));
    }

    resize(): void {
        const { clientWidth: width, clientHeight: height } = this.container;
        if (width === 0 || height === 0) return;
        this.heightPx = height;
        this.renderer.setPixelRatio(this.resolution.ratio);
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.requestDraw();
    }

    draw(): void {
        this.placeLight();
        this.renderer.render(this.scene, this.camera);
    }

    /**
     * Looks at all of the box from a corner, its longer side across the view; a long and narrow one
     * from the end that is nearer to `focus`, along it.
     */
    frame(box: Box3, focus: Vector3): void {
        const ball = box.getBoundingSphere(new Sphere());
        this.radius = Math.max(ball.radius, 1e-6);
        const { x, y } = box.getSize(new Vector3());
        const toFocus = focus.clone().sub(ball.center);
        const narrow = Math.max(x, y) > NARROW * Math.min(x, y);
        const alongX = toFocus.x > 0 ? -24 : -156;
        const alongY = toFocus.y > 0 ? 66 : -66;
        const azimuth = narrow ? (x > y ? alongX : alongY) : x >= y ? -62 : -28;
        this.lookAt(box, azimuth, narrow ? 32 : 24);
        this.middle.copy(ball.center);
    }

    /** From a direction, degrees: azimuth from x towards y, elevation above the horizon. */
    lookAt(box: Box3, azimuth: number, elevation: number): void {
        const direction = directionOf({ azimuth, elevation });
        const { target } = this.controls;
        box.getCenter(target);
        // what is near looks larger, so that the middle of the picture is not that of the box
        for (let round = 0; round < 4; round++) {
            this.camera.position.copy(target).addScaledVector(direction, this.distanceFor(box, target, direction));
            this.camera.lookAt(target);
            this.camera.updateMatrixWorld();
            target.add(this.offCentre(box));
        }
        this.camera.position.copy(target).addScaledVector(direction, this.distanceFor(box, target, direction));
        this.clip(box);
        this.controls.update();
        this.requestDraw();
    }

    /** Puts the camera there, looking at the target. */
    place(position: Vector3, target: Vector3): void {
        const distance = position.distanceTo(target);
        this.camera.near = Math.min(this.camera.near, distance / 50);
        this.camera.far = Math.max(this.camera.far, 4 * distance);
        this.camera.updateProjectionMatrix();
        this.controls.minDistance = Math.min(this.controls.minDistance, distance / 50);
        this.controls.maxDistance = Math.max(this.controls.maxDistance, distance);
        this.camera.position.copy(position);
        this.controls.target.copy(target);
        this.controls.update();
    }

    /** Moves camera and target together, as when a body is followed. */
    shift(by: Vector3): void {
        this.camera.position.add(by);
        this.controls.target.add(by);
        this.controls.update();
    }

    /** The smallest distance from the target at which every corner of the box is inside the view. */
    private distanceFor(box: Box3, target: Vector3, direction: Vector3): number {
        const forward = direction.clone().negate();
        const right = new Vector3().crossVectors(forward, this.camera.up).normalize();
        const up = new Vector3().crossVectors(right, forward);
        const tangent = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
        const tangentRight = tangent * FILLED * this.camera.aspect;
        // the middle of what the buttons leave free is below that of the picture
        const covered = this.covered();
        const tangentUp = tangent * (FILLED * (1 - covered) - covered);
        const tangentDown = tangent * (FILLED * (1 - covered) + covered);
        let distance = 1e-6 * box.getSize(new Vector3()).length();
        for (const corner of cornersOf(box)) {
            const at = corner.sub(target);
            const high = at.dot(up);
            const needed = Math.max(Math.abs(at.dot(right)) / tangentRight, high > 0 ? high / tangentUp : -high / tangentDown);
            distance = Math.max(distance, at.dot(direction) + needed);
        }
        return distance;
    }

    /** The part of the picture's height that the buttons above it cover. */
    private covered(): number {
        const bottom = this.container.querySelector('#overlay-buttons')?.getBoundingClientRect().bottom ?? 0;
        const { top, height } = this.container.getBoundingClientRect();
        return height === 0 ? 0 : MathUtils.clamp((bottom - top) / height, 0, MOST_COVERED);
    }

    /** How far the target has to move, across the view, for the box to be in the middle of what is free. */
    private offCentre(box: Box3): Vector3 {
        const seen = new Box3();
        for (const corner of cornersOf(box)) seen.expandByPoint(corner.project(this.camera));
        const middle = seen.getCenter(new Vector3());
        const height = this.camera.position.distanceTo(this.controls.target) * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
        const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
        return right.multiplyScalar(middle.x * height * this.camera.aspect).addScaledVector(up, (middle.y + this.covered()) * height);
    }

    private clip(box: Box3): void {
        const smallest = Math.min(this.radius, box.getSize(new Vector3()).length());
        this.camera.near = smallest / 200;
        this.camera.far = this.radius * 60;
        this.camera.updateProjectionMatrix();
        this.controls.minDistance = smallest / 50;
        this.controls.maxDistance = this.radius * 20;
    }

    /**
     * The light falls on what is looked at: the nearer the camera, the smaller the place that has
     * shadows, and the finer they are. It follows in steps, so that shadows do not swim.
     */
    private placeLight(): void {
        const { target } = this.controls;
        const seen = 1.6 * this.camera.position.distanceTo(target) * Math.tan(MathUtils.degToRad(this.camera.fov / 2)) * Math.max(1, this.camera.aspect);
        const reach = Math.min(1.3 * this.radius, LIGHT_STEP ** Math.ceil(Math.log(seen) / Math.log(LIGHT_STEP)));
        const centre = reach < this.radius ? target : this.middle;
        if (reach === this.lit.reach && centre.distanceTo(this.lit.centre) < 0.2 * reach) return;
        this.lit.reach = reach;
        this.lit.centre.copy(centre);
        // far enough away for what is high above to cast its shadow too
        const distance = 2 * this.radius + reach;
        this.sun.position.copy(centre).add(new Vector3(0.45, -0.6, 1.25).normalize().multiplyScalar(distance));
        this.sun.target.position.copy(centre);
        const { camera } = this.sun.shadow;
        Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * distance, far: 2 * distance });
        camera.updateProjectionMatrix();
        this.sun.shadow.bias = -4e-4;
        this.sun.shadow.normalBias = 0.002 * reach;
    }

    private recolour(dark: boolean): void {
        this.scene.background = new Color(themeColour('--sky-bottom'));
        this.sun.intensity = dark ? 2.1 : 2.4;
        this.sky.intensity = dark ? 0.9 : 1.25;
        this.sky.color.set(dark ? 0xaebfdd : 0xffffff);
        this.sky.groundColor.set(dark ? 0x2a3142 : 0xb8bcc6);
        this.onRecolour(dark);
        this.requestDraw();
    }

    /**
     * Told with every frame how long the last one took (s) while the recording plays, and null when it
     * does not: resolution.ts says what follows.
     */
    adapt(frameSeconds: number | null): void {
        if (!this.resolution.told(frameSeconds)) return;
        const side = this.resolution.isFull ? SHADOW_PX.fine : SHADOW_PX.coarse;
        if (this.sun.shadow.mapSize.x !== side) {
            this.sun.shadow.mapSize.set(side, side);
            this.sun.shadow.map?.dispose();
            this.sun.shadow.map = null;
        }
        this.resize();
    }
}

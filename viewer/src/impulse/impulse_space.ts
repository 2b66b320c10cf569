// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Impulse space of one impact in 3D: the friction cone, the energy ellipsoid, the plane of maximum
// compression, the line of sticking, the path of the impulse, and every law's answer. Horizontal
// axes are the tangents, the vertical one is the normal. Drawn when something changes, not all the
// time.
import { AmbientLight, DirectionalLight, Group, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { el } from '../common/dom';
import { type Mode, onTheme, themeColour, themeMode } from '../common/theme';
import { frictionOf, type ImpactProblem, type LawAnswer, type Laws, NO_FRICTION_LIMIT, type Region } from '../laws/laws';
import { drawAnswers, drawRecorded, type Dot } from './answer_dots';
import { makeAxes } from './axes';
import { groupAnswers } from './groups';
import './impulse.css';
import { type Box, Labels } from './labels';
import { modeColour, paletteOf } from './palette';
import { drawPath } from './path_lines';
import { freeObject, regionParts, type Scale } from './region_meshes';
import { clippingPlanes, extentOf, type Shown, solveAll } from './shown';
import { spaceSvg } from './space_svg';

export type { ImpactProblem } from '../laws/laws';

const LAYERS = ['cone', 'ellipsoid', 'compression', 'sticking', 'path', 'laws'] as const;
type Layer = (typeof LAYERS)[number];
const LAYER_NAMES: Record<Layer, string> = {
    cone: 'friction cone',
    ellipsoid: 'energy ellipsoid',
    compression: 'maximum compression',
    sticking: 'line of sticking',
    path: 'path',
    laws: 'all laws',
};

const PICK_PIXELS = 16;

/** From where it is seen unless somebody turns it, and from how near at the most (units of the drawing). */
const USUAL_VIEW = new Vector3(0.72, -1.1, 0.48).normalize();
const NEAREST = 3.7;
/** The names of the axes have so much room (px). */
const NAME_ROOM = { side: 36, above: 22, below: 14 };

export class ImpulseSpace {
    /** Called with the label of a law whose dot was clicked. */
    onPick: ((label: string) => void) | null = null;

    private readonly frame = el('div', { class: 'impulse-space' });
    private readonly labels = new Labels();
    private readonly tip = el('div', { class: 'impulse-tip', hidden: true });
    private readonly note = el('div', { class: 'impulse-note', hidden: true });
    private readonly modes = el('div', { class: 'impulse-modes' });
    private readonly legend = el('div', { class: 'impulse-legend' });
    private readonly renderer: WebGLRenderer;
    private readonly scene = new Scene();
    private readonly camera = new PerspectiveCamera(34, 1, 0.01, 60);
    private readonly controls: OrbitControls;
    private readonly watcher: ResizeObserver;
    private readonly stopTheme: () => void;
    private readonly hidden = new Set<Layer>();
    private layers: Partial<Record<Layer, Group>> = {};
    private content = new Group();
    /** Drawn before: freed after the next picture, which takes over its compiled shaders. */
    private stale: Group[] = [];
    private dots: Dot[] = [];
    private rings: Group['children'] = [];
    private shown: Shown | null = null;
    /** What of the axes has to be in sight, and what words must not stand on. */
    private axes: { ends: Vector3[]; tips: Vector3[] } = { ends: [], tips: [] };
    private waiting = 0;
    /** Whether somebody looks from elsewhere. */
    private isTurned = false;
    private isFresh = true;

    constructor(
        container: HTMLElement,
        private readonly laws: Laws,
    ) {
        this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
        this.renderer.outputColorSpace = SRGBColorSpace;
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
        const canvas = this.renderer.domElement;
        canvas.tabIndex = 0;
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', 'Impulse space: arrow keys turn it, plus and minus zoom');
        this.frame.append(canvas, this.labels.layer, this.modes, this.legend, this.note, this.tip);
        container.append(this.frame);
        this.camera.up.set(0, 0, 1);
        this.scene.add(this.content, new AmbientLight(0xffffff, 1.7));
        const sun = new DirectionalLight(0xffffff, 1.6);
        sun.position.set(2, -3, 5);
        this.scene.add(sun);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enablePan = false;
        this.controls.rotateSpeed = 0.8;
        this.controls.addEventListener('change', () => this.redraw());
        this.controls.addEventListener('start', () => (this.isTurned = true));
        canvas.addEventListener('pointermove', (event) => this.hover(event));
        canvas.addEventListener('pointerleave', () => (this.tip.hidden = true));
        canvas.addEventListener('click', (event) => this.click(event));
        canvas.addEventListener('keydown', (event) => this.key(event));
        this.watcher = new ResizeObserver(() => this.resize());
        this.watcher.observe(this.frame);
        this.stopTheme = onTheme(() => this.rebuild());
        this.resize();
    }

    /** Draws one impact; `shown.p` is an impulse that was recorded for it. */
    show(problem: ImpactProblem, shown?: { p: readonly number[] }, answers?: LawAnswer[]): void {
        this.shown = solveAll(this.laws, problem, shown?.p ?? null, answers);
        this.rebuild();
    }

    /** The kinetic energy of the contact before the impact (J), where there is an approach. */
    get contactEnergy(): number | null {
        return this.shown?.region?.contactEnergy ?? null;
    }

    resize(): void {
        const { clientWidth: width, clientHeight: height } = this.frame;
        if (width === 0 || height === 0) return;
        this.renderer.setSize(width, height, false);
        this.renderer.domElement.style.width = `${width}px`;
        this.renderer.domElement.style.height = `${height}px`;
        this.camera.aspect = width / height;
        this.lift();
        if (!this.isTurned) this.frameAll();
        this.redraw();
    }

    /** Puts the picture a little higher than the middle: the legend is below. */
    private lift(): void {
        const { clientWidth: width, clientHeight: height } = this.frame;
        this.camera.setViewOffset(width, height, 0, this.legend.offsetHeight / 2, width, height);
        this.camera.updateProjectionMatrix();
    }

    /** Puts the camera where all is seen, the names of the axes too. */
    frameAll(): void {
        const nearest = NEAREST / Math.min(1, this.camera.aspect * 1.05);
        this.isTurned = false;
        this.controls.target.set(0, 0, 0);
        for (let distance = nearest; distance < 3 * nearest; distance *= 1.02) {
            this.camera.position.copy(USUAL_VIEW).multiplyScalar(distance);
            this.camera.lookAt(this.controls.target);
            this.camera.updateMatrixWorld();
            if (this.axes.ends.every((end) => this.hasRoom(end))) break;
        }
        this.controls.update();
    }

    /** Whether a name can stand there, above the legend. */
    private hasRoom(end: Vector3): boolean {
        const { x, y } = this.onScreen(end);
        const { side, above, below } = NAME_ROOM;
        const bottom = this.legend.offsetHeight === 0 ? this.frame.clientHeight : this.legend.offsetTop;
        return x >= side && x <= this.frame.clientWidth - side && y >= above && y <= bottom - below;
    }

    /** The picture as an SVG file; null: there is nothing to be seen. */
    svg(): string | null {
        const { clientWidth: width, clientHeight: height } = this.frame;
        if (width === 0 || this.shown?.region == null) return null;
        return spaceSvg({
            content: this.content, camera: this.camera, width, height, planes: this.renderer.clippingPlanes,
            words: this.labels.layer, background: themeColour('--panel'),
        });
    }

    dispose(): void {
        cancelAnimationFrame(this.waiting);
        this.stopTheme();
        this.watcher.disconnect();
        this.controls.dispose();
        [this.content, ...this.stale].forEach(freeObject);
        this.renderer.dispose();
        this.renderer.forceContextLoss();
        this.frame.remove();
    }

    /** What is drawn has changed: made anew with the next picture. */
    private rebuild(): void {
        this.isFresh = false;
        this.redraw();
    }

    private build(): void {
        this.isFresh = true;
        this.scene.remove(this.content);
        this.stale.push(this.content);
        this.content = new Group();
        this.scene.add(this.content);
        this.layers = {};
        this.axes = { ends: [], tips: [] };
        this.dots = [];
        this.rings = [];
        const { shown } = this;
        this.note.hidden = shown === null || shown.note === '';
        this.note.textContent = shown?.note ?? '';
        this.tip.hidden = true;
        if (shown === null || shown.region === null) this.labels.set([]);
        else this.fill(shown, shown.region, themeMode());
        this.fillLegend(themeMode());
        this.lift();
        if (!this.isTurned) this.frameAll();
    }

    private fill(shown: Shown, region: Region, mode: Mode): void {
        const palette = paletteOf(mode);
        const { extent, isCut } = extentOf(shown, region);
        const centre = [0, 1, 2].map((i) => 0.5 * (extent.low[i] + extent.high[i]));
        const size = 0.5 * Math.hypot(...[0, 1, 2].map((i) => extent.high[i] - extent.low[i]));
        const scale: Scale = (p) => [(p[0] - centre[0]) / size, (p[1] - centre[1]) / size, (p[2] - centre[2]) / size];
        this.renderer.clippingPlanes = clippingPlanes(extent, scale, isCut);
        const mu = frictionOf(shown.problem.parameters);
        const parts = regionParts(region, mu === NO_FRICTION_LIMIT ? null : mu, scale, palette, 0.9 * size);
        const axes = makeAxes(extent, scale, palette);
        this.axes = axes;
        const label = this.laws.labelOf(shown.problem);
        const groups = groupAnswers(shown.answers, label);
        const answers = drawAnswers(this.laws, groups, label, scale, palette, mode);
        const path = shown.chosen === null ? null : drawPath(shown.chosen, scale, palette, mode);
        const recorded = shown.recorded === null ? null : drawRecorded(shown.recorded, scale, palette);
        this.layers = { ...parts, laws: answers.group, ...(path === null ? {} : { path: path.group }) };
        this.content.add(axes.group, ...Object.values(this.layers), ...(recorded === null ? [] : [recorded.group]));
        this.dots = [...answers.dots, ...(recorded?.dots ?? [])];
        this.rings = answers.rings;
        this.applyHidden();
        const visible = (layer: Layer): boolean => !this.hidden.has(layer);
        this.labels.set([
            ...axes.labels,
            ...(visible('laws') ? answers.labels : []),
            ...(visible('path') ? (path?.labels ?? []) : []),
            ...(recorded?.labels ?? []),
        ]);
    }

    private fillLegend(mode: Mode): void {
        const palette = paletteOf(mode);
        const colours: Record<Layer, string> = {
            cone: palette.cone,
            ellipsoid: palette.ellipsoid,
            compression: palette.compression,
            sticking: palette.sticking,
            path: modeColour(mode, 'slide'),
            laws: palette.soft,
        };
        this.legend.replaceChildren(
            ...LAYERS.map((layer) =>
                el(
                    'button',
                    { type: 'button', 'aria-pressed': String(!this.hidden.has(layer)), onclick: () => this.toggle(layer) },
                    el('span', { class: 'swatch', style: `background:${colours[layer]}` }),
                    LAYER_NAMES[layer],
                ),
            ),
        );
        const modes = [...new Set(this.shown?.chosen?.path ?? [])];
        this.modes.replaceChildren(
            ...modes.map((name) => el('span', {}, el('i', { style: `background:${modeColour(mode, name)}` }), name)),
        );
    }

    private toggle(layer: Layer): void {
        if (!this.hidden.delete(layer)) this.hidden.add(layer);
        this.rebuild();
    }

    private applyHidden(): void {
        for (const layer of LAYERS) {
            const group = this.layers[layer];
            if (group !== undefined) group.visible = !this.hidden.has(layer);
        }
    }

    private redraw(): void {
        if (this.waiting !== 0) return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = 0;
            // hidden: words cannot be measured; drawn when it has a size again
            if (this.frame.clientWidth === 0) return;
            if (!this.isFresh) this.build();
            for (const ring of this.rings) ring.quaternion.copy(this.camera.quaternion);
            this.renderer.render(this.scene, this.camera);
            this.stale.splice(0).forEach(freeObject);
            this.placeLabels();
        });
    }

    private placeLabels(): void {
        const { clientWidth: width, clientHeight: height } = this.frame;
        const dots = [...this.dots.map(({ point }) => point), ...this.axes.tips].map((point) => this.onScreen(point));
        const boxes = [this.legend, this.modes].map(({ offsetLeft: x, offsetTop: y, offsetWidth, offsetHeight }): Box => ({ x, y, width: offsetWidth, height: offsetHeight }));
        this.labels.place(this.camera, width, height, dots, boxes);
    }

    private onScreen(point: Vector3): { x: number; y: number } {
        const at = point.clone().project(this.camera);
        return { x: 0.5 * (at.x + 1) * this.frame.clientWidth, y: 0.5 * (1 - at.y) * this.frame.clientHeight };
    }

    private nearest(event: MouseEvent): { dot: Dot; x: number; y: number } | null {
        if (this.hidden.has('laws')) return null;
        const box = this.frame.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        const found = this.dots
            .map((dot) => ({ dot, ...this.onScreen(dot.point) }))
            .map((place) => ({ ...place, away: Math.hypot(place.x - x, place.y - y) }))
            .sort((a, b) => a.away - b.away)[0];
        return found !== undefined && found.away < PICK_PIXELS ? found : null;
    }

    private hover(event: PointerEvent): void {
        const found = event.buttons === 0 ? this.nearest(event) : null;
        this.tip.hidden = found === null;
        this.renderer.domElement.style.cursor = found?.dot.label != null && this.onPick !== null ? 'pointer' : '';
        if (found === null) return;
        this.tip.textContent = found.dot.tip;
        const left = Math.min(found.x + 16, this.frame.clientWidth - this.tip.offsetWidth - 6);
        const top = Math.min(found.y + 14, this.frame.clientHeight - this.tip.offsetHeight - 6);
        this.tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
        Object.assign(this.tip.style, { left: '0', top: '0' });
    }

    private click(event: MouseEvent): void {
        const label = this.nearest(event)?.dot.label;
        if (label != null) this.onPick?.(label);
    }

    private key(event: KeyboardEvent): void {
        const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        const zoom = { '+': 0.9, '=': 0.9, '-': 1.1 }[event.key];
        if (turn === undefined && zoom === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        this.isTurned = true;
        const away = this.camera.position.clone().sub(this.controls.target);
        if (zoom !== undefined) away.multiplyScalar(zoom);
        if (turn !== undefined) {
            away.applyAxisAngle(new Vector3(0, 0, 1), 0.12 * turn[0]);
            const side = new Vector3(0, 0, 1).cross(away).normalize();
            const tilted = away.clone().applyAxisAngle(side, 0.12 * turn[1]);
            if (Math.abs(tilted.z) < 0.98 * tilted.length()) away.copy(tilted);
        }
        this.camera.position.copy(this.controls.target).add(away);
        this.controls.update();
    }
}

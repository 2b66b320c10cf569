// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The buttons over the scene: what is drawn besides the bodies, how they are coloured, and what the
// camera shows.
import { el } from '../common/dom';
import { number } from '../common/format';
import type { OverlayParts } from './overlay';
import type { Plots } from './plots';
import type { SceneView } from './scene_view';
import { MOST_TRAILS, TRAIL_SECONDS } from './trails';

const PARTS = ['contacts', 'impulses', 'velocities'] as const satisfies readonly (keyof OverlayParts)[];
type Layer = (typeof PARTS)[number] | 'trails' | 'plots';
const KEYS: Record<Layer, string> = { contacts: 'C', impulses: 'I', velocities: 'V', trails: 'T', plots: 'E' };

export class Layers {
    private readonly buttons = new Map<Layer, HTMLButtonElement>();
    private readonly seconds: HTMLSelectElement;
    private readonly colours: HTMLButtonElement;

    constructor(
        container: HTMLElement,
        private readonly scene: SceneView,
        private readonly plots: Plots,
        private readonly requestDraw: () => void,
        private readonly recoloured: () => void,
    ) {
        const { trails } = scene;
        for (const layer of [...PARTS, 'trails', 'plots'] as const) {
            const title = layer === 'trails'
                ? `Show paths of centres of mass (T); with more than ${MOST_TRAILS} free bodies, that of the chosen one`
                : `Show ${layer} (${KEYS[layer]})`;
            this.buttons.set(layer, el('button', { title, 'data-layer': layer, onclick: () => this.toggle(layer) }, layer));
        }
        this.seconds = el('select', { 'aria-label': 'Length of trails', title: 'How much of the past trails show' }, ...TRAIL_SECONDS.map(
            (seconds) => el('option', { value: String(seconds) }, Number.isFinite(seconds) ? `${number(seconds)} s` : 'all'),
        ));
        this.seconds.addEventListener('change', () => {
            trails.window = Number(this.seconds.value);
            requestDraw();
        });
        this.colours = el('button', {
            title: 'Colour bodies by their material, or each its own (B)', onclick: () => this.toggleColours(),
        });
        const buttons = [...this.buttons.values()];
        container.append(
            ...buttons.slice(0, -1), this.seconds, buttons[buttons.length - 1], this.colours,
            el('button', { title: 'Look at everything, or at the chosen body (F)', onclick: () => scene.frame() }, 'frame'),
        );
        this.refresh();
    }

    toggle(layer: Layer): void {
        if (layer === 'plots') this.showPlots(!this.plotsShown);
        else if (layer === 'trails') this.scene.trails.shown = !this.scene.trails.shown;
        else this.scene.overlay.parts[layer] = !this.scene.overlay.parts[layer];
        this.refresh();
        this.requestDraw();
    }

    toggleColours(): void {
        this.scene.bodies.colourBy(this.scene.bodies.colouredBy === 'body' ? 'material' : 'body');
        this.recoloured();
        this.refresh();
        this.requestDraw();
    }

    /** Which there are. */
    get all(): string[] {
        return [...this.buttons.keys()];
    }

    /** Which are shown. */
    get names(): string[] {
        const { overlay, trails } = this.scene;
        return [...PARTS.filter((part) => overlay.parts[part]), ...(trails.shown ? ['trails'] : []), ...(this.plotsShown ? ['plots'] : [])];
    }

    /** Exactly these. */
    showOnly(names: string[]): void {
        for (const part of PARTS) this.scene.overlay.parts[part] = names.includes(part);
        this.scene.trails.shown = names.includes('trails');
        this.showPlots(names.includes('plots'));
        this.refresh();
    }

    refresh(): void {
        const shown = this.names;
        for (const [layer, button] of this.buttons) button.setAttribute('aria-pressed', String(shown.includes(layer)));
        this.seconds.hidden = !this.scene.trails.shown;
        this.seconds.value = String(this.scene.trails.window);
        this.colours.textContent = `by ${this.scene.bodies.colouredBy}`;
    }

    private get plotsShown(): boolean {
        return !document.body.classList.contains('no-plots');
    }

    private showPlots(shown: boolean): void {
        document.body.classList.toggle('no-plots', !shown);
        this.plots.setVisible(shown);
    }
}

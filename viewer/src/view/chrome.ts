// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What is round the scene: title and state of the run, buttons of the page and of what is drawn
// over the scene, and the tabs.
import { byId, el, icon } from '../common/dom';
import { count, number } from '../common/format';
import type { Recording } from '../record/recording';
import type { OverlayParts } from './overlay';
import type { Plots } from './plots';
import type { SceneView } from './scene_view';

const HALF_MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';
const WIDEN = 'M4 4h7v2H7.4l4.3 4.3-1.4 1.4L6 7.4V11H4zm16 16h-7v-2h3.6l-4.3-4.3 1.4-1.4 4.3 4.3V13h2z';

const LINK = 'M10.6 13.4a1 1 0 0 1 0-1.4l3-3a1 1 0 1 1 1.4 1.4l-3 3a1 1 0 0 1-1.4 0zM7.5 19a4.5 4.5 0 0 1-3.2-7.7l2.3-2.3 1.4 1.4-2.3 2.3a2.5 2.5 0 0 0 3.6 3.6l2.3-2.3 1.4 1.4-2.3 2.3A4.5 4.5 0 0 1 7.5 19zm9.9-4-1.4-1.4 2.3-2.3a2.5 2.5 0 0 0-3.6-3.6l-2.3 2.3L11 8.6l2.3-2.3a4.5 4.5 0 1 1 6.4 6.4z';

type Side = 'events' | 'impact';
type Tab = 'scene' | 'plots' | Side;

export interface ChromeActions {
    showHelp: () => void;
    changeTheme: () => void;
    /** Of the moment that is shown: see link.ts. */
    address: () => string;
    requestDraw: () => void;
}

export class Chrome {
    private readonly parts = new Map<keyof OverlayParts, HTMLButtonElement>();
    private readonly plotsButton: HTMLButtonElement;
    private readonly state = byId('state');
    private readonly progress = byId('progress');

    constructor(
        private readonly recording: Recording,
        private readonly scene: SceneView,
        private readonly plots: Plots,
        private readonly actions: ChromeActions,
    ) {
        const { meta } = recording;
        byId('title').textContent = meta.title;
        byId('title').title = meta.scene_name;
        document.title = `${meta.title} · Carom`;
        byId('tools').append(
            ...(recording.source.whatIf === null ? [] : [el('a', { class: 'button', href: 'lab', title: 'The laboratory of collision laws' }, 'Lab')]),
            el('button', { class: 'quiet', 'aria-label': 'Link to this moment', title: 'Copy a link to this moment', onclick: () => this.copyLink() }, icon(LINK)),
            el('button', { class: 'quiet', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: actions.changeTheme }, icon(HALF_MOON)),
            el('button', { class: 'quiet', 'aria-label': 'Help', title: 'Keys (F1 or ?)', onclick: actions.showHelp }, '?'),
        );
        const part = (name: keyof OverlayParts, key: string): void => {
            const button = el('button', { title: `Show ${name} (${key})`, onclick: () => this.toggle(name) }, name);
            this.parts.set(name, button);
        };
        part('contacts', 'C');
        part('impulses', 'I');
        part('velocities', 'V');
        this.plotsButton = el('button', { title: 'Show plots (E)', onclick: () => this.togglePlots() }, 'plots');
        byId('overlay-buttons').append(
            ...this.parts.values(), this.plotsButton, el('button', { title: 'Look at everything, or at the chosen body (F)', onclick: () => scene.frame() }, 'frame'),
        );
        this.makeTabs();
        this.refresh();
        recording.onGrowth(() => this.update());
        this.update();
    }

    toggle(part: keyof OverlayParts): void {
        this.scene.overlay.parts[part] = !this.scene.overlay.parts[part];
        this.refresh();
        this.actions.requestDraw();
    }

    /** Exactly these of contacts, impulses, velocities and plots. */
    showOnly(names: string[]): void {
        for (const part of this.parts.keys()) this.scene.overlay.parts[part] = names.includes(part);
        if (names.includes('plots') === document.body.classList.contains('no-plots')) this.togglePlots();
        this.refresh();
    }

    togglePlots(): void {
        const hidden = document.body.classList.toggle('no-plots');
        this.plots.setVisible(!hidden);
        this.refresh();
        this.actions.requestDraw();
    }

    showSide(side: Side): void {
        document.body.dataset.side = side;
        if (document.body.dataset.tab === 'events' || document.body.dataset.tab === 'impact') document.body.dataset.tab = side;
        this.refreshTabs();
    }

    /** Puts the moment into the page's address, and the address into the clipboard where that is allowed. */
    private copyLink(): void {
        window.history.replaceState(null, '', this.actions.address());
        void navigator.clipboard?.writeText(window.location.href).catch(() => undefined);
    }

    /** The state of the run and of the page's own loading. */
    update(): void {
        const { meta, loaded, end } = this.recording;
        const part = meta.running ? end / meta.duration : loaded;
        this.progress.hidden = !meta.running && loaded >= 1;
        (this.progress.firstElementChild as HTMLElement).style.width = `${100 * part}%`;
        this.state.textContent = this.stateText();
        this.state.classList.toggle('idle', this.progress.hidden && !meta.error && meta.finished);
        this.state.classList.toggle('warn', Boolean(meta.error));
    }

    private stateText(): string {
        const { meta, loaded, end } = this.recording;
        if (meta.error) return meta.error;
        if (meta.running) return `running: ${number(end, 4)} of ${number(meta.duration, 4)} s`;
        if (loaded < 1) return `opening: ${Math.floor(100 * loaded)} %`;
        const bodies = meta.bodies.filter(({ fixed }) => !fixed).length;
        const unfinished = meta.finished ? '' : ', not finished';
        return `${count(bodies)} ${bodies === 1 ? 'body' : 'bodies'}, ${count(meta.counts.events)} events${unfinished}`;
    }

    private refresh(): void {
        for (const [name, button] of this.parts) button.setAttribute('aria-pressed', String(this.scene.overlay.parts[name]));
        this.plotsButton.setAttribute('aria-pressed', String(!document.body.classList.contains('no-plots')));
    }

    private makeTabs(): void {
        const tab = (name: Tab, text: string, choose: () => void): HTMLElement => el('button', { role: 'tab', 'data-tab': name, onclick: choose }, text);
        const side = (name: Side, text: string): HTMLElement => tab(name, text, () => this.showSide(name));
        const wide = el('button', {
            class: 'quiet', title: 'More room for the impact', 'aria-label': 'More room for the impact', 'aria-pressed': 'false',
            onclick: () => wide.setAttribute('aria-pressed', String(document.body.classList.toggle('wide'))),
        }, icon(WIDEN));
        byId('side-tabs').append(side('events', 'Events'), side('impact', 'Impact'), el('span', { class: 'grow' }), wide);
        const phone = (name: Tab, text: string): HTMLElement => tab(name, text, () => {
            document.body.dataset.tab = name;
            if (name === 'events' || name === 'impact') document.body.dataset.side = name;
            if (name === 'plots') this.plots.setVisible(true);
            this.refreshTabs();
        });
        byId('tabs').append(phone('scene', 'Scene'), phone('events', 'Events'), phone('impact', 'Impact'), phone('plots', 'Plots'));
        this.refreshTabs();
    }

    private refreshTabs(): void {
        const { side, tab } = document.body.dataset;
        for (const button of byId('side-tabs').querySelectorAll<HTMLElement>('[role=tab]')) {
            button.setAttribute('aria-selected', String(button.dataset.tab === side));
        }
        for (const button of byId('tabs').querySelectorAll<HTMLElement>('[role=tab]')) {
            button.setAttribute('aria-selected', String(button.dataset.tab === tab));
        }
    }
}

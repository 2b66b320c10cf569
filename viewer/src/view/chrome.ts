// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What is round the scene: title and state of the run, buttons of the page, files to save, and the
// tabs of narrow screens.
import { byId, el, icon } from '../common/dom';
import { counted, number } from '../common/format';
import { saveMenu } from '../common/save_menu';
import { readable } from '../common/sentences';
import { copyText } from '../common/told';
import type { Recording } from '../record/recording';
import type { Plots } from './plots';

const HALF_MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';
const WIDEN = 'M4 4h7v2H7.4l4.3 4.3-1.4 1.4L6 7.4V11H4zm16 16h-7v-2h3.6l-4.3-4.3 1.4-1.4 4.3 4.3V13h2z';
const LINK = 'M10.6 13.4a1 1 0 0 1 0-1.4l3-3a1 1 0 1 1 1.4 1.4l-3 3a1 1 0 0 1-1.4 0zM7.5 19a4.5 4.5 0 0 1-3.2-7.7l2.3-2.3 1.4 1.4-2.3 2.3a2.5 2.5 0 0 0 3.6 3.6l2.3-2.3 1.4 1.4-2.3 2.3A4.5 4.5 0 0 1 7.5 19zm9.9-4-1.4-1.4 2.3-2.3a2.5 2.5 0 0 0-3.6-3.6l-2.3 2.3L11 8.6l2.3-2.3a4.5 4.5 0 1 1 6.4 6.4z';

type Tab = 'scene' | 'events' | 'impact' | 'plots';

export interface ChromeActions {
    showHelp: () => void;
    changeTheme: () => void;
    /** Of the moment that is shown: see link.ts. */
    address: () => string;
    /** Files that can be saved, by what they are. */
    files: Record<string, () => void>;
}

export class Chrome {
    /** Gives the impact card more room. */
    readonly widen: HTMLButtonElement;
    private readonly state = byId('state');
    private readonly progress = byId('progress');

    constructor(
        private readonly recording: Recording,
        private readonly plots: Plots,
        private readonly actions: ChromeActions,
    ) {
        const { meta } = recording;
        byId('title').textContent = meta.title;
        byId('title').title = meta.scene_name;
        document.title = `${meta.title} · Carom`;
        byId('tools').append(
            ...(recording.source.whatIf === null ? [] : [el('a', { class: 'button', href: 'lab', title: 'The laboratory of collision laws' }, 'Lab')]),
            saveMenu(actions.files),
            el('button', { class: 'quiet', 'aria-label': 'Link to this moment', title: 'Copy a link to this moment', onclick: () => this.copyLink() }, icon(LINK)),
            el('button', { class: 'quiet', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: actions.changeTheme }, icon(HALF_MOON)),
            el('button', { class: 'quiet', 'aria-label': 'Help', title: 'Keys (F1 or ?)', onclick: actions.showHelp }, '?'),
        );
        this.widen = el('button', {
            class: 'quiet widen', title: 'More room for the impact', 'aria-label': 'More room for the impact', 'aria-pressed': 'false',
            onclick: () => this.widen.setAttribute('aria-pressed', String(document.body.classList.toggle('wide'))),
        }, icon(WIDEN));
        this.makeTabs();
        recording.onGrowth(() => this.update());
        this.update();
    }

    /** On narrow screens: the card of an event, where its list was; not while the keyboard is in the list. */
    showImpact(): void {
        if (document.body.dataset.tab !== 'events' || document.activeElement?.closest('#events') !== null) return;
        this.showTab('impact');
    }

    /** Puts the moment into the page's address, and the address into the clipboard where that is allowed. */
    private copyLink(): void {
        window.history.replaceState(null, '', this.actions.address());
        void copyText(window.location.href, 'Link');
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
        if (meta.error) return readable(meta.error);
        if (meta.running) return `running: ${number(end, 4)} of ${number(meta.duration, 4)} s`;
        if (loaded < 1) return `opening: ${Math.floor(100 * loaded)} %`;
        const bodies = meta.bodies.filter(({ fixed }) => !fixed).length;
        const unfinished = meta.finished ? '' : ', not finished';
        return `${counted(bodies, 'body', 'bodies')}, ${counted(meta.counts.events, 'event')}${unfinished}`;
    }

    private makeTabs(): void {
        const choose = (name: Tab): void => {
            this.showTab(name);
            // where the page is low, what they show is below what is seen
            byId('tabs').scrollIntoView();
        };
        const tab = (name: Tab, text: string): HTMLElement => el('button', { role: 'tab', 'data-tab': name, onclick: () => choose(name) }, text);
        byId('tabs').append(tab('scene', 'Bodies'), tab('events', 'Events'), tab('impact', 'Impact'), tab('plots', 'Plots'));
        this.showTab('scene');
    }

    showTab(name: Tab): void {
        document.body.dataset.tab = name;
        if (name === 'plots') this.plots.setVisible(true);
        for (const button of byId('tabs').querySelectorAll<HTMLElement>('[role=tab]')) {
            button.setAttribute('aria-selected', String(button.dataset.tab === name));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Two runs beside each other, each in a viewer of its own, linked in time and view.
import { byId, el, icon } from '../common/dom';
import { number } from '../common/format';
import { Keys } from '../common/keys';
import { toggleTheme } from '../common/theme';
import './compare.css';
import { Link, type Part, type Ready, type Sync } from './link';

const HALF_MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';
const PLAY = 'M7 4.5v15l13-7.5z';
const PAUSE = 'M7 5h4v14H7zm6 0h4v14h-4z';
const TO_START = 'M6 5h2.4v14H6zm14 0v14L9.5 12z';

interface Run {
    folder: string;
    name: string;
}

interface Frame {
    element: HTMLIFrameElement;
    end: HTMLElement;
}

declare global {
    interface Window {
        /** For tests and for the curious in the console. */
        caromLink?: Link;
    }
}

function say(problem: string): void {
    const place = byId('problem');
    place.textContent = problem;
    place.hidden = problem === '';
}

async function listRuns(): Promise<Run[]> {
    const response = await fetch('api/compare', { cache: 'no-store' }).catch(() => null);
    if (response === null || !response.ok) throw new Error('The server does not answer. Is carom view still running?');
    return ((await response.json()) as { runs: Run[] }).runs;
}

function makeFrame(run: Run, at: number): Frame {
    const element = el('iframe', { title: run.name, 'data-folder': run.folder });
    const end = el('span', { class: 'end faint' });
    const letter = String.fromCharCode('A'.charCodeAt(0) + at);
    const heading = el('h2', { title: run.name }, el('span', { class: 'letter' }, letter), el('span', { class: 'name' }, run.name), end);
    byId('runs').append(el('section', { class: 'run', 'aria-label': `Run ${letter}` }, heading, element));
    return { element, end };
}

/** Buttons that act on both runs. Gives back what shows their state. */
function makeControls(link: Link): () => void {
    const play = el('button', { type: 'button', onclick: () => togglePlay() });
    const togglePlay = (): void => {
        link.tellBoth({ playing: !link.playing });
        refresh();
    };
    const restart = (): void => {
        link.tellBoth({ t: 0 });
        refresh();
    };
    const toggle = (part: Part): void => {
        link.setLinked(part, !link.isLinked(part));
        refresh();
    };
    const linkButton = (part: Part, key: string, title: string): HTMLButtonElement =>
        el('button', { type: 'button', title: `${title} (${key})`, 'data-part': part, onclick: () => toggle(part) }, `link ${part}`);
    const buttons: [Part, HTMLButtonElement][] = [
        ['time', linkButton('time', 'T', 'Both show the same time, and play and pause together')],
        ['view', linkButton('view', 'V', 'Both are seen from the same place')],
    ];
    const refresh = (): void => {
        play.replaceChildren(icon(link.playing ? PAUSE : PLAY));
        play.ariaLabel = link.playing ? 'Pause both' : 'Play both';
        play.title = `${play.ariaLabel} (Space)`;
        for (const [part, button] of buttons) button.ariaPressed = String(link.isLinked(part));
    };
    byId('together').append(
        el('button', { type: 'button', 'aria-label': 'Both to the start', title: 'Both to the start (Home)', onclick: restart }, icon(TO_START)),
        play, el('span', { class: 'gap' }), ...buttons.map(([, button]) => button),
    );
    const keys = new Keys('Keys');
    keys.bind({ keys: [' '], shown: ['Space'], help: 'play or pause both', action: togglePlay });
    keys.bind({ keys: ['Home'], help: 'both to the start', action: restart });
    keys.bind({ keys: ['t'], shown: ['T'], help: 'link or unlink time', action: () => toggle('time') });
    keys.bind({ keys: ['v'], shown: ['V'], help: 'link or unlink the view', action: () => toggle('view') });
    keys.bind({ keys: ['d'], shown: ['D'], help: 'light or dark', action: toggleTheme });
    byId('tools').append(
        el('button', { class: 'quiet', type: 'button', 'aria-label': 'Light or dark', title: 'Light or dark (D)', onclick: toggleTheme }, icon(HALF_MOON)),
        el('button', { class: 'quiet', type: 'button', 'aria-label': 'Help', title: 'Keys (F1 or ?)', onclick: () => keys.toggleHelp() }, '?'),
    );
    refresh();
    return refresh;
}

async function start(): Promise<void> {
    const runs = await listRuns();
    const frames = runs.map(makeFrame);
    document.title = `${runs.map(({ name }) => name).join(' | ')} · Carom`;
    const link = new Link(frames.map(({ element }) => (message) => element.contentWindow?.postMessage(message, window.location.origin)));
    window.caromLink = link;
    const refresh = makeControls(link);
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const from = frames.findIndex(({ element }) => element.contentWindow === event.source);
        const message = event.data as Sync | Ready | null;
        if (event.origin !== window.location.origin || from < 0 || typeof message !== 'object' || message === null) return;
        if (message.carom === 'ready') {
            frames[from].end.textContent = `${number(message.end, 4)} s`;
        } else if (message.carom === 'sync') {
            link.heard(from, message);
            refresh();
        }
    });
    // not before the page listens
    frames.forEach(({ element }, at) => (element.src = runs[at].folder));
}

start().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));

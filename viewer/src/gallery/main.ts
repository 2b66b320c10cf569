// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The gallery of built-in scenes: each card is a link that starts its scene and leads to the viewer.
import { byId, el, icon } from '../common/dom';
import { count, number } from '../common/format';
import { Keys } from '../common/keys';
import { onTheme, themeMode, toggleTheme } from '../common/theme';
import { type Drawing, drawn } from './drawing';
import './gallery.css';
import { drawingOf, listScenes, openScene, type SceneEntry } from './scenes';

const HALF_MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';

interface Card {
    scene: SceneEntry;
    item: HTMLLIElement;
    link: HTMLAnchorElement;
    picture: HTMLElement;
    drawing: Drawing | null;
}

const cards: Card[] = [];
const search = byId<HTMLInputElement>('search');

function say(problem: string): void {
    const place = byId('problem');
    place.textContent = problem;
    place.hidden = problem === '';
}

/** Starts the scene and goes to its page, in another tab where that was asked for. */
async function open(card: Card, elsewhere: boolean): Promise<void> {
    if (card.link.ariaBusy === 'true') return;
    // a tab can be opened only at once, not when the server has answered
    const tab = elsewhere ? window.open('about:blank') : window;
    card.link.ariaBusy = 'true';
    say('');
    try {
        const folder = await openScene(card.scene.name);
        (tab ?? window).location.assign(new URL(folder, document.baseURI).href);
    } catch (error) {
        if (elsewhere) tab?.close();
        say(error instanceof Error ? error.message : String(error));
    } finally {
        card.link.ariaBusy = 'false';
    }
}

function draw(card: Card): void {
    if (card.drawing !== null) card.picture.replaceChildren(drawn(card.drawing, themeMode(), `shade-${card.scene.name}`));
}

function makeCard(scene: SceneEntry): Card {
    const { name, title, expect, duration, bodies } = scene;
    const picture = el('span', { class: 'picture' });
    const sentence = expect === '' ? '' : `${expect[0].toUpperCase()}${expect.slice(1)}.`;
    const link = el(
        'a',
        { class: 'scene', href: `scene/${name}/`, 'data-name': name },
        picture,
        el(
            'span',
            { class: 'words' },
            el('h2', {}, title),
            el('span', { class: 'expect' }, sentence),
            el(
                'span',
                { class: 'facts' },
                el('span', { class: 'mono' }, name),
                el('span', {}, `${number(duration, 3)} s`),
                el('span', {}, `${count(bodies)} ${bodies === 1 ? 'body' : 'bodies'}`),
            ),
        ),
    );
    const card: Card = { scene, item: el('li', {}, link), link, picture, drawing: null };
    link.addEventListener('click', (event) => {
        event.preventDefault();
        void open(card, event.ctrlKey || event.metaKey || event.shiftKey);
    });
    link.addEventListener('auxclick', (event) => {
        if (event.button !== 1) return;
        event.preventDefault();
        void open(card, true);
    });
    return card;
}

const shownCards = (): Card[] => cards.filter(({ item }) => !item.hidden);

function filter(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    for (const { scene, item } of cards) {
        const text = `${scene.name} ${scene.title} ${scene.expect}`.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
    }
    const none = byId('none');
    none.hidden = cards.length === 0 || shownCards().length > 0;
    none.textContent = none.hidden ? '' : `No scene has “${search.value.trim()}” in its words.`;
}

/** Moves the focus by so many cards to the right and rows down. */
function move(right: number, down: number): void {
    const shown = shownCards();
    if (shown.length === 0) return;
    const columns = shown.filter(({ item }) => item.offsetTop === shown[0].item.offsetTop).length;
    const at = shown.findIndex(({ link }) => link === document.activeElement);
    const next = at < 0 ? 0 : at + right + columns * down;
    if (next >= 0 && next < shown.length) shown[next].link.focus();
}

function bindKeys(): Keys {
    const keys = new Keys('Keys');
    keys.bind({ keys: ['ArrowRight'], shown: ['→'], help: 'the next scene; Enter starts it', action: () => move(1, 0) });
    keys.bind({ keys: ['ArrowLeft'], shown: ['←'], help: 'the scene before', action: () => move(-1, 0) });
    keys.bind({ keys: ['ArrowDown'], shown: ['↓'], help: 'the scene below', action: () => move(0, 1) });
    keys.bind({ keys: ['ArrowUp'], shown: ['↑'], help: 'the scene above', action: () => move(0, -1) });
    keys.bind({ keys: ['/'], help: 'search', action: () => search.focus() });
    keys.bind({ keys: ['l'], shown: ['L'], help: 'the laboratory of collision laws', action: () => window.location.assign('lab') });
    keys.bind({ keys: ['d'], shown: ['D'], help: 'light or dark', action: toggleTheme });
    search.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') search.value = '';
        if (event.key === 'Escape') filter();
        if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        shownCards()[0]?.link.focus();
    });
    search.addEventListener('input', filter);
    return keys;
}

function fillTools(keys: Keys): void {
    byId('tools').append(
        el('a', { class: 'button', href: 'lab', title: 'The laboratory of collision laws (L)' }, 'Lab'),
        el('button', { class: 'quiet', type: 'button', 'aria-label': 'Light or dark', title: 'Light or dark (D)', onclick: toggleTheme }, icon(HALF_MOON)),
        el('button', { class: 'quiet', type: 'button', 'aria-label': 'Help', title: 'Keys (F1 or ?)', onclick: () => keys.toggleHelp() }, '?'),
    );
}

async function start(): Promise<void> {
    fillTools(bindKeys());
    for (const scene of await listScenes()) cards.push(makeCard(scene));
    byId('cards').append(...cards.map(({ item }) => item));
    filter();
    onTheme(() => cards.forEach(draw));
    for (const card of cards) {
        card.drawing = await drawingOf(card.scene.name);
        draw(card);
    }
    document.body.dataset.drawn = 'all';
}

start().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));

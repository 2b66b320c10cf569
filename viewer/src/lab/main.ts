// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The laboratory: one impact, every law, live. Puts the parts of the page together.
import { byId, el, icon } from '../common/dom';
import { Keys } from '../common/keys';
import { saveMenu, saveSvg } from '../common/save_menu';
import { onTheme, toggleTheme } from '../common/theme';
import { copyText, tell } from '../common/told';
import { ImpulseSpace } from '../impulse/impulse_space';
import { lawTable } from '../impulse/law_table';
import { type Laws, loadLaws } from '../laws/laws';
import { ImpactControls } from './controls';
import { problemLine, pythonProgram } from './copying';
import { energyLines, velocityLines } from './curves';
import './lab.css';
import { LawControls } from './law_controls';
import { LinePlot } from './line_plot';
import { PRESETS } from './presets';
import { SlipPlane } from './slip_plane';
import { FIRST_STATE, fromHash, toHash } from './state';
import { Store } from './store';
import { checkSweep } from './sweep';
import { SweepPlot } from './sweep_plot';

const HALF_MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';
const HASH_SETTLE_MS = 250;

/** The state of the address, or the first one; says so where the address is no good. */
function firstState(laws: Laws) {
    const hash = location.hash.slice(1);
    if (hash === '') return FIRST_STATE;
    try {
        const state = fromHash(laws, hash);
        checkSweep(laws, state);
        return state;
    } catch (error) {
        tell(`The link cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        return FIRST_STATE;
    }
}

function makePresets(store: Store): (step: number) => void {
    const select = byId<HTMLSelectElement>('preset');
    const story = byId('story');
    const groups = [...new Set(PRESETS.map(({ group }) => group))];
    select.append(el('option', { value: '', hidden: true }, 'Your own impact'));
    for (const group of groups) {
        select.append(
            el(
                'optgroup',
                { label: group },
                ...PRESETS.flatMap((preset, at) => (preset.group === group ? [el('option', { value: at }, preset.name)] : [])),
            ),
        );
    }
    let last = 0;
    const show = (at: number): void => store.replace(PRESETS[(last = at)].state);
    select.addEventListener('change', () => show(Number(select.value)));
    store.onChange(() => {
        // one that was changed is no longer that of the paper
        const hash = toHash(store.state);
        const found = PRESETS.findIndex(({ state }) => toHash(state) === hash);
        select.value = found < 0 ? '' : String(found);
        const { recorded } = store.state;
        story.textContent =
            recorded !== undefined
                ? `A recorded impact: ${recorded.story}. The diamond is the impulse that was recorded.`
                : found < 0
                  ? `Your own impact, begun from “${PRESETS[last].name}”.`
                  : `${PRESETS[found].group}. ${PRESETS[found].story}`;
        if (found >= 0) last = found;
    });
    return (step) => show((last + step + PRESETS.length) % PRESETS.length);
}

function makeTools(laws: Laws, store: Store, keys: Keys, files: Record<string, () => void>): void {
    const copyJson = (): void => void copyText(problemLine(laws, store.state), 'JSON for carom impact');
    const copyPython = (): void => void copyText(pythonProgram(laws, store.state), 'Python program');
    const copyLink = (): void => void copyText(`${location.href.split('#')[0]}#${toHash(store.state)}`, 'Link');
    const button = (name: string, title: string, onclick: () => void): HTMLElement =>
        el('button', { type: 'button', title, onclick }, name);
    byId('tools').append(
        button('Link', 'Copy a link to just this impact (L)', copyLink),
        button('JSON', 'Copy as one line for carom impact (J)', copyJson),
        button('Python', 'Copy as a Python program (P)', copyPython),
        saveMenu(files),
        el(
            'button',
            { class: 'quiet', type: 'button', 'aria-label': 'Light or dark', title: 'Light or dark (D)', onclick: toggleTheme },
            icon(HALF_MOON),
        ),
        el(
            'button',
            { class: 'quiet', type: 'button', 'aria-label': 'Help', title: 'Keys (F1 or ?)', onclick: () => keys.toggleHelp() },
            '?',
        ),
    );
    keys.bind({ keys: ['l'], shown: ['L'], help: 'copy a link', action: copyLink });
    keys.bind({ keys: ['j'], shown: ['J'], help: 'copy as JSON for carom impact', action: copyJson });
    keys.bind({ keys: ['p'], shown: ['P'], help: 'copy as Python', action: copyPython });
    keys.bind({ keys: ['d'], shown: ['D'], help: 'light or dark', action: toggleTheme });
}

function keepAddress(store: Store): void {
    let waiting = 0;
    store.onChange(() => {
        clearTimeout(waiting);
        waiting = window.setTimeout(() => history.replaceState(null, '', `#${toHash(store.state)}`), HASH_SETTLE_MS);
    });
}

/** The table; where it is scrolled to stays, unless another law was chosen. */
function showAnswers(laws: Laws, { problem, answers, state }: Store, onPick: (label: string) => void): void {
    const box = byId('answers');
    const { scrollTop, scrollLeft } = box;
    box.replaceChildren(lawTable(laws, problem, { answers, onPick, digits: box.clientWidth > 800 ? 4 : 3 }));
    if (scrollTop !== 0 || scrollLeft !== 0) box.scrollTo(scrollLeft, scrollTop);
    if (box.dataset.law === state.law) return;
    box.dataset.law = state.law;
    const row = box.querySelector<HTMLElement>('tr.chosen');
    const head = box.querySelector<HTMLElement>('thead');
    if (row === null || head === null) return;
    const hidden =
        row.offsetTop < box.scrollTop + head.offsetHeight || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

function start(laws: Laws): void {
    const store = new Store(laws, firstState(laws));
    const pick = (label: string): void => store.change((state) => (state.law = label));
    new ImpactControls(byId('controls'), store);
    new LawControls(byId('controls'), laws, store);
    const space = new ImpulseSpace(byId('space'), laws);
    space.onPick = pick;
    const slip = new SlipPlane(byId('plots'), laws);
    const velocity = new LinePlot(byId('plots'), { title: 'Normal velocity', xName: 'p normal (N s)', yName: 'u normal (m/s)' });
    const energy = new LinePlot(byId('plots'), { title: 'Energy', xName: 'p normal (N s)', yName: 'energy (J)' });
    const sweep = new SweepPlot(byId('plots'), laws, store);
    const keys = new Keys('Keys of the laboratory');
    const stepPreset = makePresets(store);
    keys.bind({ keys: ['ArrowRight'], shown: ['→'], help: 'next impact of the list', action: () => stepPreset(1) });
    keys.bind({ keys: ['ArrowLeft'], shown: ['←'], help: 'the one before', action: () => stepPreset(-1) });
    keys.bind({ keys: ['f'], shown: ['F'], help: 'look at all of impulse space', action: () => space.frameAll() });
    makeTools(laws, store, keys, {
        'Impulse space (SVG)': () => saveSvg('impulse-space', space.svg()),
        'Normal velocity (SVG)': () => saveSvg('normal-velocity', velocity.svg()),
        'Energy (SVG)': () => saveSvg('energy', energy.svg()),
        'Sweep (SVG)': () => saveSvg('sweep', sweep.plot.svg()),
    });
    keepAddress(store);
    const draw = (): void => {
        const { problem, answers, chosen, state } = store;
        showAnswers(laws, store, pick);
        space.show(problem, state.recorded, answers);
        slip.show(problem, answers, chosen);
        velocity.show(velocityLines(laws, problem, state.law, chosen));
        energy.show(energyLines(problem, chosen, space.contactEnergy ?? 0));
        document.documentElement.dataset.solvedIn = store.solvedIn.toFixed(2);
    };
    store.onChange(draw);
    onTheme(() => store.tell());
    window.addEventListener('hashchange', () => store.replace(firstState(laws)));
}

loadLaws().then(start, (error: unknown) => {
    byId('story').textContent = `The laboratory cannot start: ${error instanceof Error ? error.message : String(error)}`;
});

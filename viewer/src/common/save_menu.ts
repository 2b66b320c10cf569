// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A button that opens a list of files to save.
import { el } from './dom';
import './save_menu.css';
import { saveFile, tell } from './told';

/** Called by what the file is; each saves its own. */
export function saveMenu(files: Record<string, () => void>): HTMLElement {
    const menu = el('details', { class: 'menu' }, el('summary', { class: 'button', title: 'Save pictures' }, 'Save'));
    const items = Object.entries(files).map(([name, save]) => el('button', {
        class: 'quiet', type: 'button', onclick: () => {
            menu.open = false;
            save();
        },
    }, name));
    menu.append(el('div', { class: 'menu-items' }, ...items));
    menu.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        menu.open = false;
        event.stopPropagation();
    });
    document.addEventListener('pointerdown', (event) => {
        if (!menu.contains(event.target as Node)) menu.open = false;
    });
    return menu;
}

/** Saves a drawing; null: there is none yet, which is told. */
export function saveSvg(name: string, drawing: string | null): void {
    if (drawing === null) tell('There is nothing to save yet.');
    else saveFile(`${name}.svg`, new Blob([drawing], { type: 'image/svg+xml' }));
}

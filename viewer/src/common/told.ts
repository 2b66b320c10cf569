// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A short word to the user at the bottom of the page, which goes by itself and is read aloud.
import { el } from './dom';
import './told.css';

// there from the start: only what changes is read aloud
const line = el('p', { id: 'told', role: 'status', 'aria-live': 'polite' });
document.body.append(line);

export function tell(text: string): void {
    line.textContent = text;
    line.classList.remove('fresh');
    void line.offsetWidth; // lets the animation begin again
    line.classList.add('fresh');
}

/** Puts text into the clipboard; where that is not allowed, shows it to be copied by hand. */
export async function copyText(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        tell(`${what} copied`);
    } catch {
        const area = el('textarea', { readonly: true, rows: 12, cols: 60, 'aria-label': what });
        area.value = text;
        const close = el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close'));
        const dialog = el('dialog', { 'aria-label': what }, el('h1', {}, what), area, close);
        document.body.append(dialog);
        dialog.addEventListener('close', () => dialog.remove());
        dialog.showModal();
        area.select();
    }
}

/** Gives the user a file. */
export function saveFile(name: string, content: Blob): void {
    const address = URL.createObjectURL(content);
    const link = el('a', { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

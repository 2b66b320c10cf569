// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Keys of a page: each with what it does, so that the help is always complete.
import { el, isTyping } from './dom';

export interface KeyBinding {
    /** As in KeyboardEvent.key, with `Shift+` before it where Shift is meant: several do the same. */
    keys: string[];
    /** As the help shows them, where that differs. */
    shown?: string[];
    help: string;
    action: () => void;
}

const nameOf = (event: KeyboardEvent): string => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    return event.shiftKey && event.key.length > 1 ? `Shift+${key}` : key;
};

export class Keys {
    private readonly actions = new Map<string, () => void>();
    private readonly bindings: KeyBinding[] = [];
    private dialog: HTMLDialogElement | null = null;

    constructor(private readonly title: string) {
        this.bind({ keys: ['F1', '?', 'Shift+F1'], shown: ['F1', '?'], help: 'this help', action: () => this.toggleHelp() });
        window.addEventListener('keydown', (event) => this.pressed(event));
    }

    bind(binding: KeyBinding): void {
        this.bindings.push(binding);
        for (const key of binding.keys) this.actions.set(key, binding.action);
    }

    toggleHelp(): void {
        if (this.dialog?.open) {
            this.dialog.close();
            return;
        }
        this.dialog ??= this.makeDialog();
        this.dialog.showModal();
    }

    private pressed(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
        const name = nameOf(event);
        // a focused button takes Space and Enter itself
        if (event.target instanceof HTMLButtonElement && (name === ' ' || name === 'Enter')) return;
        // a focused slider takes the arrows itself
        if (event.target instanceof HTMLInputElement && /Arrow/.test(name)) return;
        // an open dialog takes all but the key that closes it
        if (this.dialog?.open && !['F1', '?'].includes(name)) return;
        const action = this.actions.get(name);
        if (action === undefined) return;
        event.preventDefault();
        action();
    }

    private makeDialog(): HTMLDialogElement {
        const list = el('div', { class: 'keys' });
        for (const binding of [...this.bindings.slice(1), this.bindings[0]]) {
            const caps = (binding.shown ?? binding.keys).map((key) => el('kbd', {}, key));
            list.append(el('span', {}, ...caps.flatMap((cap, at) => (at === 0 ? [cap] : [' ', cap]))));
            list.append(el('span', {}, binding.help));
        }
        const dialog = el('dialog', { 'aria-label': this.title }, el('h1', {}, this.title), list);
        dialog.append(el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')));
        document.body.append(dialog);
        return dialog;
    }
}

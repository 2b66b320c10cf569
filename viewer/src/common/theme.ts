// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Light and dark. The page follows the system until the user chooses; colours live in theme.css as
// custom properties, and what draws on a canvas reads them from there.
import './theme.css';

export type Mode = 'light' | 'dark';

const STORED_AS = 'carom-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<(mode: Mode) => void>();

function storedMode(): Mode | null {
    try {
        const stored = localStorage.getItem(STORED_AS);
        return stored === 'light' || stored === 'dark' ? stored : null;
    } catch {
        return null; // pages opened from disk may have no storage
    }
}

let chosen = storedMode();

export function themeMode(): Mode {
    return chosen ?? (system.matches ? 'dark' : 'light');
}

function apply(): void {
    document.documentElement.dataset.theme = themeMode();
    for (const listener of listeners) listener(themeMode());
}

export function toggleTheme(): void {
    chosen = themeMode() === 'dark' ? 'light' : 'dark';
    try {
        localStorage.setItem(STORED_AS, chosen);
    } catch {
        // the choice then lasts as long as the page
    }
    apply();
}

/** Calls the listener now and whenever the colours change; gives back how to stop that. */
export function onTheme(listener: (mode: Mode) => void): () => void {
    listeners.add(listener);
    listener(themeMode());
    return () => listeners.delete(listener);
}

/** The value of a custom property of theme.css, such as `--ink`. */
export function themeColour(property: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}

system.addEventListener('change', () => {
    if (chosen === null) apply();
});
// chosen in another page of this server: in the frame beside this one, say
window.addEventListener('storage', (event) => {
    if (event.key !== STORED_AS) return;
    chosen = storedMode();
    apply();
});
apply();

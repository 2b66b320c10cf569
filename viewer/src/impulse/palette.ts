// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Colours of impulse space: of its surfaces, of what a contact does, and of the laws.
import type { Mode } from '../common/theme';
import type { Laws, ModeName } from '../laws/laws';

export interface Palette {
    ink: string;
    soft: string;
    grid: string;
    /** x, y and z. */
    axes: [string, string, string];
    cone: string;
    ellipsoid: string;
    compression: string;
    sticking: string;
    mark: string;
    recorded: string;
    wrong: string;
    /** Of the lit surfaces, how opaque. */
    veil: number;
}

const LIGHT: Palette = {
    ink: '#1a1f2b',
    soft: '#566074',
    grid: '#c3cad6',
    axes: ['#c4242b', '#24772f', '#2456c4'],
    cone: '#14866d',
    ellipsoid: '#3b6fd4',
    compression: '#c98a10',
    sticking: '#8a44b8',
    mark: '#1a1f2b',
    recorded: '#1a1f2b',
    wrong: '#c92a2a',
    veil: 0.13,
};

const DARK: Palette = {
    ink: '#e6eaf2',
    soft: '#a3adc0',
    grid: '#364052',
    axes: ['#ff7b7b', '#6fd07c', '#82aaff'],
    cone: '#3fcfa8',
    ellipsoid: '#7aa7ff',
    compression: '#f0b940',
    sticking: '#c890f0',
    mark: '#e6eaf2',
    recorded: '#ffffff',
    wrong: '#ff6b6b',
    veil: 0.16,
};

export const paletteOf = (mode: Mode): Palette => (mode === 'dark' ? DARK : LIGHT);

const MODES: Record<Mode, Record<ModeName, string>> = {
    light: {
        separating: '#7d879a',
        slide: '#d9480f',
        stick: '#1864ab',
        ray: '#a61e6b',
        frictionless: '#5c940d',
        reverse: '#6741d9',
    },
    dark: {
        separating: '#8b96ab',
        slide: '#ff8a52',
        stick: '#74b9ff',
        ray: '#ff7ac0',
        frictionless: '#a9e34b',
        reverse: '#b197fc',
    },
};

/** What the contact does on a stretch of the path. */
export const modeColour = (mode: Mode, name: ModeName): string => MODES[mode][name];

/** In the order of the registry; laws that are often compared are far apart. */
const LAW_HUES = [210, 50, 140, 100, 350, 178, 62, 232, 88, 325, 8, 195, 268, 298, 24, 312];

/** A law's own colour: the same in every drawing, table and plot. */
export function lawColour(laws: Laws, label: string, mode: Mode): string {
    const [law, termination] = label.split('/');
    const number = laws.list.findIndex((info) => info.name === law);
    const hue = LAW_HUES[number % LAW_HUES.length];
    // terminations of one law are shades of its colour
    const shade = termination === undefined ? 0 : laws.terminations.indexOf(termination);
    // with commas, as three.js reads them too
    return mode === 'dark'
        ? `hsl(${hue + 9 * shade}, 75%, ${68 - 5 * shade}%)`
        : `hsl(${hue + 9 * shade}, 68%, ${38 + 6 * shade}%)`;
}

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
    compression: '#b67c0a',
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

/** In the order of the registry: hue, and which of the luminances. Laws that are often compared are far apart. */
const LAWS: readonly (readonly [number, number])[] = [
    [210, 0], [50, 1], [140, 0], [100, 2], [350, 0], [178, 0], [62, 0], [232, 2],
    [88, 3], [325, 0], [8, 2], [195, 1], [268, 2], [298, 1], [24, 0], [312, 2],
];
/** Relative luminances (WCAG 2.2): names of laws are words, so that the first has 4.5 to 1 with the page. */
const LUMINANCES: Record<Mode, readonly number[]> = { light: [0.16, 0.1, 0.06, 0.03], dark: [0.27, 0.38, 0.54, 0.75] };
const SATURATION = 0.85;
/** Of one termination after another (degrees). */
const HUE_STEP = 14;

/** Red, green and blue, 0 to 1, of a hue (degrees) at a lightness. */
function colourAt(hue: number, lightness: number): number[] {
    const reach = SATURATION * Math.min(lightness, 1 - lightness);
    return [0, 8, 4].map((offset) => {
        const sector = (offset + hue / 30) % 12;
        return lightness - reach * Math.max(-1, Math.min(sector - 3, 9 - sector, 1));
    });
}

function luminanceOf(colour: readonly number[]): number {
    const [r, g, b] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The colour of a hue that has a luminance: lightness of HSL says little of it, yellow has ten times that of blue. */
function colourOf(hue: number, luminance: number): string {
    let [low, high] = [0, 1];
    for (let step = 0; step < 20; step++) {
        const middle = 0.5 * (low + high);
        if (luminanceOf(colourAt(hue, middle)) < luminance) low = middle;
        else high = middle;
    }
    return `#${colourAt(hue, low).map((part) => Math.round(255 * part).toString(16).padStart(2, '0')).join('')}`;
}

/** A law's own colour, as #rrggbb: the same in every drawing, table and plot. */
export function lawColour(laws: Laws, label: string, mode: Mode): string {
    const [law, termination] = label.split('/');
    const number = laws.list.findIndex((info) => info.name === law);
    const [hue, level] = LAWS[number % LAWS.length];
    // terminations of one law are shades of its colour
    const shade = termination === undefined ? 0 : laws.terminations.indexOf(termination);
    const luminances = LUMINANCES[mode];
    return colourOf((hue + HUE_STEP * shade) % 360, luminances[(level + shade) % luminances.length]);
}

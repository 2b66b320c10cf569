// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Colours of bodies: from those of their materials, which the recording gives
// (carom/record/export_palette.h), so that exported files look the same; or each its own, where
// many bodies are of one material.
import { Color } from 'three';

/** Bodies of one material differ by this much in lightness at most, so that neighbours stay apart. */
const LIGHTNESS_SPREAD = 0.07;
/** Multiples of the golden ratio are spread evenly, however many there are. */
const GOLDEN = 0.618034;

/** Bodies that cannot be moved are paler than the others, so that what moves stands out. */
export function bodyColour(material: string, fixed: boolean, number: number, dark: boolean): Color {
    const colour = new Color(material);
    const { h, s, l } = colour.getHSL({ h: 0, s: 0, l: 0 });
    if (fixed) return colour.setHSL(h, 0.35 * s, dark ? 0.42 : 0.7);
    const shade = ((number * GOLDEN) % 1) - 0.5;
    return colour.setHSL(h, s, Math.min(0.9, Math.max(0.1, l + 2 * LIGHTNESS_SPREAD * shade)));
}

/** The colour of the free body that is so manieth among the free ones, whatever its material. */
export function ownColour(number: number, dark: boolean): Color {
    // three lightnesses besides, so that near hues differ too
    const lightness = [0.5, 0.62, 0.42][number % 3] + (dark ? 0.06 : 0);
    return new Color().setHSL((0.58 + number * GOLDEN) % 1, 0.62, lightness);
}

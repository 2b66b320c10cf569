// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Numbers as people read them.

const MINUS = '\u2212';

/** What is left of a scale by rounding; ten times more would hide true digits. */
const ROUNDING = 1e-12;

/** A value, or 0 where it is no more than rounding of quantities as large as `scale`. */
export const cleaned = (value: number, scale: number): number => (Math.abs(value) <= ROUNDING * Math.abs(scale) ? 0 : value);

/** A number with so many significant digits; very large and small ones with a power of ten. */
export function number(value: number, digits = 4): string {
    if (Number.isNaN(value)) return '–';
    if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
    if (value === 0) return '0';
    const size = Math.abs(value);
    const text = size >= 1e6 || size < 1e-4 ? powerOfTen(size, digits) : plain(size, digits);
    return value < 0 ? MINUS + text : text;
}

function plain(size: number, digits: number): string {
    const text = size.toPrecision(digits);
    return text.includes('e') ? String(Number(text)) : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const SUPERSCRIPTS: Record<string, string> = {
    '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
};

function powerOfTen(size: number, digits: number): string {
    const [mantissa, exponent] = size.toExponential(Math.max(digits - 1, 0)).split('e');
    const shorter = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    const power = [...String(Number(exponent))].map((sign) => SUPERSCRIPTS[sign]).join('');
    return `${shorter}·10${power}`;
}

/** A number for a narrow column: three digits, and powers of ten as 5.1e−8. */
export function short(value: number): string {
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-3 && size < 1e5) || !Number.isFinite(value)) return number(value, 3);
    return value.toExponential(1).replace('e+', 'e').replaceAll('-', MINUS);
}

/** Components in parentheses; scale: those that are rounding beside it, or beside the largest, are 0. */
export function vector(values: ArrayLike<number>, digits = 4, scale = 0): string {
    const size = Math.max(scale, ...Array.from(values, Math.abs));
    return `(${Array.from(values, (value) => number(cleaned(value, size), digits)).join(', ')})`;
}

/** How many there are, with the right ending: 1 event, 2 events. */
export const counted = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** A whole number with thin spaces between groups of three. */
export function count(value: number): string {
    return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A time on a clock whose last digit is worth about `step` seconds. */
export function time(seconds: number, step: number): string {
    const decimals = Math.min(12, Math.max(2, Math.ceil(-Math.log10(Math.max(step, 1e-12)))));
    const text = Math.abs(seconds).toFixed(decimals);
    return seconds < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A speed of playing: 1/1000, 0.5, 2. */
export function ratio(value: number): string {
    return value < 1 ? `1/${count(Math.round(1 / value))}` : String(value);
}

/** All digits that a double has, for copying. */
export function exact(value: number): string {
    return String(value);
}

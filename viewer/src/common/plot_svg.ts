// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A plot of lines as an SVG file: the same lines, axes and legend, as shapes and text.
import { number } from './format';

export interface SvgLine {
    name: string;
    colour: string;
    dashed?: boolean;
    stems?: boolean;
    x: readonly number[];
    /** null: a gap; undefined: a gap that the line spans. */
    y: readonly (number | null | undefined)[];
}

export interface SvgPlot {
    title: string;
    width: number;
    height: number;
    x: [number, number];
    y: [number, number];
    /** Of stems. */
    right: [number, number] | null;
    marker: number | null;
    lines: SvgLine[];
    colours: { paper: string; ink: string; faint: string; grid: string; marker: string };
}

const MARGIN = { left: 56, right: 14, top: 44, bottom: 26 };
const RIGHT_AXIS = 44;

export const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Round values in a range, about so many. */
function roundTicks([from, to]: [number, number], about: number): number[] {
    const rough = (to - from) / about;
    if (!(rough > 0)) return [];
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough)!;
    const ticks: number[] = [];
    for (let i = Math.ceil(from / step); i * step <= to; i++) ticks.push(i * step);
    return ticks;
}

export function plotSvg(plot: SvgPlot): string {
    const { width, height, colours, lines } = plot;
    const box = { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right - (plot.right ? RIGHT_AXIS : 0), bottom: height - MARGIN.bottom };
    const scale = ([low, high]: [number, number], from: number, to: number) => (value: number): number =>
        Number((from + ((value - low) / (high - low || 1)) * (to - from)).toFixed(2));
    const x = scale(plot.x, box.left, box.right);
    const y = scale(plot.y, box.bottom, box.top);
    const right = plot.right && scale(plot.right, box.bottom, box.top);
    const parts: string[] = [`<rect width="${width}" height="${height}" fill="${colours.paper}"/>`];
    const text = (at: [number, number], words: string, colour: string, anchor = 'start', weight = 400): void => {
        parts.push(`<text x="${at[0]}" y="${at[1]}" fill="${colour}" text-anchor="${anchor}" font-weight="${weight}">${escaped(words)}</text>`);
    };
    for (const tick of roundTicks(plot.x, 8)) {
        parts.push(`<path d="M${x(tick)} ${box.top}V${box.bottom}" stroke="${colours.grid}"/>`);
        text([x(tick), box.bottom + 15], number(tick, 6), colours.faint, 'middle');
    }
    for (const tick of roundTicks(plot.y, 5)) {
        parts.push(`<path d="M${box.left} ${y(tick)}H${box.right}" stroke="${colours.grid}"/>`);
        text([box.left - 6, y(tick) + 4], number(tick, 4), colours.faint, 'end');
    }
    if (right) for (const tick of roundTicks(plot.right!, 5)) text([box.right + 6, right(tick) + 4], number(tick, 4), colours.faint);
    parts.push(`<g clip-path="url(#lines)" fill="none" stroke-width="1.5" stroke-linejoin="round">`);
    for (const line of lines) parts.push(line.stems ? stemsOf(line, x, right ?? y) : pathOf(line, x, y));
    if (plot.marker !== null) parts.push(`<path d="M${x(plot.marker)} ${box.top}V${box.bottom}" stroke="${colours.marker}"/>`);
    parts.push('</g>');
    text([box.left, 16], plot.title, colours.ink, 'start', 600);
    let at = box.left;
    for (const { name, colour } of lines) {
        parts.push(`<rect x="${at}" y="27" width="12" height="3" rx="1.500" fill="${colour}"/>`);
        text([at + 17, 33], name, colours.ink);
        at += 34 + 6.2 * name.length;
    }
    const clip = `<clipPath id="lines"><rect x="${box.left}" y="${box.top}" width="${box.right - box.left}" height="${box.bottom - box.top}"/></clipPath>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">\n<defs>${clip}</defs>\n${parts.join('\n')}\n</svg>\n`;
}

type Place = (value: number) => number;

function pathOf({ x: xs, y: ys, colour, dashed }: SvgLine, x: Place, y: Place): string {
    let pen = 'M';
    const words: string[] = [];
    ys.forEach((value, i) => {
        if (value === null) pen = 'M';
        if (value === null || value === undefined) return;
        words.push(`${pen}${x(xs[i])} ${y(value)}`);
        pen = 'L';
    });
    return `<path d="${words.join('')}" stroke="${colour}"${dashed ? ' stroke-dasharray="5 4"' : ''}/>`;
}

function stemsOf({ x: xs, y: ys, colour }: SvgLine, x: Place, y: Place): string {
    const words = ys.flatMap((value, i) => (value === null || value === undefined ? [] : [`M${x(xs[i])} ${y(0)}V${y(value)}`]));
    const heads = ys.flatMap((value, i) => (value === null || value === undefined ? [] : [`M${x(xs[i]) - 1.5} ${y(value) - 1.5}h3v3h-3z`]));
    return `<path d="${words.join('')}" stroke="${colour}" stroke-width="1"/><path d="${heads.join('')}" fill="${colour}"/>`;
}

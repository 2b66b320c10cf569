// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Legible in both themes: the contrast of words with what is behind them (WCAG 2.2, 1.4.3: 4.5 to 1),
// of marks and lines (1.4.11: 3 to 1), and kinds of events that differ in shape, not only in colour.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../viewer_lab/support/library.mjs';
import { carom, launch, openViewer, record, serve } from './support/carom.mjs';

const WORDS = 4.5;
const MARKS = 3;
let browser, server;

before(async () => {
    browser = await launch();
    server = await serve('view', record('bowling'));
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

/** WCAG's relative luminance of #rrggbb. */
function luminance(colour) {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
}

const PAIRS = [
    ...['--ink', '--ink-soft', '--ink-faint'].flatMap((ink) => ['--panel', '--paper', '--raised'].map((ground) => [ink, ground, WORDS])),
    ...['--ink-soft', '--ink-faint'].map((ink) => [ink, '--sky-bottom', WORDS]),
    ['--ink', '--accent-soft', WORDS], ['--ink-faint', '--accent-soft', WORDS], ['--accent', '--accent-soft', WORDS], ['--accent-ink', '--accent', WORDS],
    ...['--accent', '--warn', '--good', '--axis-x', '--axis-y', '--axis-z'].map((ink) => [ink, '--panel', WORDS]),
    ...['--impact', '--micro', '--lasting-begin', '--lasting-end', '--sleep', '--wake'].map((mark) => [mark, '--panel', MARKS]),
    ...['--series-1', '--series-2', '--series-3', '--series-4'].map((line) => [line, '--panel', MARKS]),
    ['--ghost', '--sky-bottom', MARKS],
];

for (const colorScheme of ['light', 'dark']) {
    test(`words and marks are legible when it is ${colorScheme}`, async () => {
        const { page, context } = await openViewer(browser, server.address, { colorScheme });
        const colours = await page.evaluate((names) => {
            const style = getComputedStyle(document.documentElement);
            return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]));
        }, [...new Set(PAIRS.flatMap(([ink, ground]) => [ink, ground]))]);
        const poor = PAIRS.filter(([ink, ground, least]) => !(contrast(colours[ink], colours[ground]) >= least))
            .map(([ink, ground, least]) => `${ink} on ${ground}: ${contrast(colours[ink], colours[ground]).toFixed(2)}, not ${least}`);
        assert.deepEqual(poor, []);
        await context.close();
    });
}

/** #rrggbb of what is drawn, in Oklab: as far apart as the eye has it. */
function oklab(colour) {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
}

/** Colours that are this far apart are told from each other. */
const APART = 0.045;

for (const mode of ['light', 'dark']) {
    test(`impulse space is legible, and laws are told from each other, when it is ${mode}`, async () => {
        const { lawColour, modeColour, paletteOf } = await load('impulse/palette.ts');
        const laws = { list: JSON.parse(carom('laws', '--json')), terminations: ['stronge', 'poisson', 'poisson-first', 'newton'] };
        const labels = laws.list.flatMap(({ name }) => (name === 'routh' ? laws.terminations.map((one) => `${name}/${one}`) : [name]));
        assert.equal(labels.length, laws.list.length + 3);
        const { page, context } = await openViewer(browser, server.address, { colorScheme: mode });
        // behind it is a gradient between these two
        const grounds = await page.evaluate(() => ['--panel', '--paper'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
        // as the browser paints it
        const shown = await page.evaluate((colours) => colours.map((colour) => {
            const context = document.createElement('canvas').getContext('2d');
            context.fillStyle = colour;
            return context.fillStyle;
        }), labels.map((label) => lawColour(laws, label, mode)));
        await context.close();
        const palette = paletteOf(mode);
        const marks = ['cone', 'ellipsoid', 'compression', 'sticking', 'mark', 'recorded', 'wrong'].map((part) => [part, palette[part], MARKS]);
        const modes = ['separating', 'slide', 'stick', 'ray', 'frictionless', 'reverse'].map((name) => [name, modeColour(mode, name), MARKS]);
        const words = [['ticks', palette.soft, WORDS], ...palette.axes.map((colour, axis) => [`axis ${'xyz'[axis]}`, colour, WORDS])];
        const poor = [...labels.map((label, i) => [label, shown[i], WORDS]), ...words, ...marks, ...modes].flatMap(([name, colour, least]) => grounds
            .filter((ground) => !(contrast(colour, ground) >= least))
            .map((ground) => `${name} on ${ground}: ${contrast(colour, ground).toFixed(2)}, not ${least}`));
        assert.deepEqual(poor, []);
        const near = labels.flatMap((a, i) => labels.slice(i + 1).map((b, j) => [a, b, Math.hypot(...oklab(shown[i]).map((x, k) => x - oklab(shown[i + 1 + j])[k]))]))
            .filter(([, , distance]) => distance < APART).map(([a, b, distance]) => `${a} and ${b}: ${distance.toFixed(3)}`);
        assert.deepEqual(near, []);
    });
}

test('no words are made paler by being translucent', async () => {
    const { page, context } = await openViewer(browser, `${server.address}#t=2.6&event=30`);
    await page.locator('.kinds .kind').first().click();
    const pale = await page.$$eval('body *', (elements) => elements.flatMap((element) => {
        const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
        if (!hasWords || element.closest('#told, [hidden], :disabled') || element.getClientRects().length === 0) return [];
        let opacity = 1;
        for (let at = element; at !== null; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
        return opacity < 1 ? [`${element.className}: ${element.textContent.trim().slice(0, 20)}`] : [];
    }));
    assert.deepEqual(pale, []);
    await context.close();
});

test('kinds of events differ in shape', async () => {
    const { page, context } = await openViewer(browser, server.address);
    const shapes = await page.$$eval('.kinds .kind:not([hidden]) .kind-mark', (marks) => marks.map((mark) => {
        const { clipPath, borderRadius, borderTopWidth } = getComputedStyle(mark);
        return [clipPath, borderRadius, borderTopWidth].join(' ');
    }));
    assert.ok(shapes.length >= 4);
    assert.equal(new Set(shapes).size, shapes.length, shapes.join('; '));
    await context.close();
});

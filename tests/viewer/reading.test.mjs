// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Numbers beside the picture: legends of plots at the time that is shown, tables that are seen
// whole, and rounding that is told as nothing.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { caromLines, close, launch, openViewer, record, scratch, serve, settle } from './support/carom.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** What a plot's legend tells of a line, with all digits. */
const told = (page, line) => page.locator(`.plot-legend [data-line="${line}"] .mono`).getAttribute('data-value').then(Number);

/** Half of m v² of the free bodies, from `carom sample`; bowling's spin is not in it. */
function kineticOf(recording, t, bodies) {
    let linear = 0;
    for (const { body, velocity } of caromLines('sample', recording, '--at', String(t), '--json')) {
        linear += 0.5 * (bodies[body] ?? 0) * velocity.reduce((sum, v) => sum + v * v, 0);
    }
    return linear;
}

describe('bowling', () => {
    const recording = record('bowling');
    const events = caromLines('events', recording, '--json');
    const curtain = events.find(({ kind, a, b }) => kind === 'impact' && [a, b].includes('curtain') && [a, b].includes('ball'));
    let server, page, context;

    before(async () => {
        server = await serve('view', recording);
        ({ page, context } = await openViewer(browser, server.address));
        await page.waitForFunction(() => window.carom.plots.series !== null);
    });
    after(async () => {
        await context?.close();
        await server?.stop();
    });

    test('the energy’s legend is that of the time shown, not of a sample before it', async () => {
        const masses = Object.fromEntries(await page.evaluate(() => window.carom.recording.meta.bodies.map(({ name, mass }) => [name, mass])));
        // right before and right after the impact that takes most of the ball's energy
        for (const t of [curtain.t - 1e-7, curtain.t]) {
            await page.evaluate((time) => window.carom.player.seek(time), t);
            await settle(page);
            const linear = kineticOf(recording, t, masses);
            const kinetic = await told(page, 'kinetic');
            assert.ok(kinetic >= linear * (1 - 1e-9), `${kinetic} J is less than the ${linear} J without spin`);
            assert.ok(kinetic <= 1.45 * linear + 1, `${kinetic} J is far more than the ${linear} J without spin`);
        }
        const [before, after] = [kineticOf(recording, curtain.t - 1e-7, masses), kineticOf(recording, curtain.t, masses)];
        assert.ok(before - after > 20, 'the impact changes much');
    });

    test('all energies are told when the plot has come, without a change of time', async () => {
        const other = await openViewer(browser, `${server.address}#t=1.2`);
        await other.page.waitForFunction(() => window.carom.plots.series?.kinetic.every((value) => value !== null));
        await settle(other.page);
        for (const line of ['kinetic', 'potential', 'lost']) {
            const value = await other.page.locator(`.plot-legend [data-line="${line}"] .mono`).getAttribute('data-value');
            assert.ok(value !== null && Number(value) > 0, `${line}: ${value}`);
        }
        await other.context.close();
    });

    test('energy lost and momentum balance at that time', async () => {
        const [kinetic, potential, lost] = await Promise.all(['kinetic', 'potential', 'lost'].map((line) => told(page, line)));
        await page.evaluate(() => window.carom.player.seek(0));
        await settle(page);
        const start = (await told(page, 'kinetic')) + (await told(page, 'potential'));
        close(kinetic + potential + lost, start, 1e-9, 'all energy');
    });

    test('the card of a body says what it does, whatever its motion', async () => {
        // the longest segment of each kind, in its middle
        const cases = await page.evaluate(() => {
            const { recording } = window.carom;
            const { segments } = recording.brief;
            const found = new Map();
            recording.meta.bodies.forEach((_, body) => {
                const rows = Array.from(recording.segmentsOf.of(body));
                rows.forEach((row, i) => {
                    const kind = segments.word(row, 3);
                    const t0 = segments.double(row, 0);
                    const length = (i + 1 < rows.length ? segments.double(rows[i + 1], 0) : recording.end) - t0;
                    if (!(found.get(kind)?.length >= length)) found.set(kind, { kind, body, length, t: t0 + 0.5 * length });
                });
            });
            return [...found.values()];
        });
        assert.ok(cases.some(({ kind }) => kind === 6), 'bodies in exact lasting contact are among them');
        for (const { kind, body, t } of cases) {
            await page.evaluate(([number, time]) => {
                window.carom.selection.chooseBody(number);
                window.carom.player.seek(time);
            }, [body, t]);
            await settle(page);
            const words = await page.locator('.body-numbers tr', { hasText: 'now' }).locator('td').innerText();
            assert.match(words, [/^fixed$/, /^in flight$/, /^asleep$/, /^under forces$/, /^in lasting contact$/, /^on a plane$/, /^in lasting contact$/][kind], `kind ${kind}`);
        }
        await page.evaluate(() => window.carom.selection.chooseBody(null));
    });

    test('plots have a sample for every pixel', async () => {
        const { samples, pixels } = await page.evaluate(() => {
            const { plots } = window.carom;
            return { samples: plots.series.t.length, pixels: Math.round(plots.energy.plot.bbox.width) };
        });
        assert.equal(samples, pixels);
    });

    test('the force plot says how wide its intervals are, and has impulses as stems', async () => {
        await page.evaluate((t) => window.carom.player.seek(t), curtain.t);
        await settle(page);
        const legend = await page.locator('.plot').nth(2).locator('.plot-legend').innerText();
        assert.match(legend, /N s in [\d.]+ ms/);
        const { from, width } = await page.evaluate(() => window.carom.plots.bins);
        const begin = from + width * Math.floor((curtain.t - from) / width);
        const within = events.filter(({ t, impulse }) => impulse !== null && t >= begin && t < begin + width);
        close(await told(page, 'impulses'), within.reduce((sum, { impulse }) => sum + Math.hypot(...impulse), 0), 1e-9, 'impulses of the interval');
    });

    test('the table of answers is within its card, with the names of laws and the column ‘ok’ in sight', async () => {
        await page.evaluate((row) => window.carom.selection.chooseEvent(row), events.indexOf(curtain));
        await settle(page);
        const card = await page.locator('#impact').boundingBox();
        const table = await page.locator('#impact .answers').boundingBox();
        assert.ok(table.x >= card.x && table.x + table.width <= card.x + card.width + 1, JSON.stringify({ card, table }));
        const seen = await page.locator('#impact table.law-table').evaluate((element) => {
            const box = element.closest('.answers').getBoundingClientRect();
            const ok = [...element.querySelectorAll('th')][1].getBoundingClientRect();
            const name = element.querySelector('th').getBoundingClientRect();
            return { name: name.left >= box.left - 0.5, ok: ok.left >= name.right - 1 && ok.right <= box.right };
        });
        assert.deepEqual(seen, { name: true, ok: true });
        assert.equal(await page.locator('#impact .answers').evaluate((element) => getComputedStyle(element.querySelector('table')).marginLeft), '0px');
    });

    test('a large screen has room for names, and for x, y and z alike', async () => {
        await page.evaluate((row) => window.carom.selection.chooseEvent(row), events.indexOf(curtain));
        for (const width of [1280, 1560, 1759, 1760, 1920]) {
            await page.setViewportSize({ width, height: 1080 });
            await settle(page);
            const names = await page.$$eval('#events .row .name', (all) => all.map((name) => ({ text: name.innerText, isCut: name.scrollWidth > name.clientWidth + 1 })));
            assert.ok(names.length > 10, `${names.length} rows at ${width} px`);
            assert.deepEqual(names.filter(({ isCut }) => isCut).map(({ text }) => text), [], `${width} px`);
        }
        const widths = await page.$$eval('.impact-numbers tr:first-child td', (cells) => cells.map((cell) => cell.getBoundingClientRect().width));
        assert.equal(widths.length, 3);
        assert.ok(Math.max(...widths) < 1.5 * Math.min(...widths), `${widths}`);
        await page.setViewportSize({ width: 1280, height: 720 });
        await settle(page);
    });

    test('the list is beside the card, and follows the time', async () => {
        assert.equal(await page.locator('#events').isVisible(), true);
        assert.equal(await page.locator('#impact .space').isVisible(), true);
        const lastSeen = () => page.$$eval('#events .row:not(.ahead)', (rows) => rows.length && rows[rows.length - 1].innerText.split('\n')[0]);
        for (const t of [2.9, 1.7, 3.5]) {
            await page.evaluate((time) => window.carom.player.seek(time), t);
            await settle(page);
            const last = events.filter((event) => event.t <= t).at(-1);
            assert.equal(await lastSeen(), last.t.toFixed(4));
        }
    });
});

const SLIDING = `
title = "One fall"
[simulation]
duration = 0.5
[[contact]]
law = "routh"
e = 0.5
mu = 0.2
[[body]]
name = "floor"
shape = { type = "plane", normal = [0, 0, 1] }
fixed = true
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.1 }
mass = 1.0
position = [0, 0, 0.5]
velocity = [1e-17, 0, 0]
`;

test('one event is "1 event", and rounding is 0', async () => {
    const scene = join(scratch, 'one-fall.toml');
    writeFileSync(scene, SLIDING);
    const recording = record(scene);
    const count = caromLines('events', recording, '--json').length;
    const server = await serve('view', recording);
    try {
        const { page, context } = await openViewer(browser, `${server.address}#body=ball&t=0.1`);
        const words = count === 1 ? '1 event' : `${count} events`;
        assert.equal(count, 1, 'the scene has one impact');
        assert.match(await page.locator('#state').innerText(), new RegExp(`${words}$`));
        assert.equal(await page.locator('#events .tally').innerText(), words);
        // 1e-17 m/s beside the fall's 1 m/s
        const cells = await page.locator('.body-numbers tr', { hasText: 'v (m/s)' }).locator('td').allInnerTexts();
        assert.equal(cells[0], '0');
        assert.match(cells[2], /0\.98/);
        await context.close();
    } finally {
        await server.stop();
    }
});

test('with more room for the impact, everything is still in the window', async () => {
    const server = await serve('view', record('bowling'));
    try {
        for (const width of [1100, 1280, 1700]) {
            const { page, context } = await openViewer(browser, `${server.address}#t=2.6&event=40`, { viewport: { width, height: 720 } });
            const outside = () => page.evaluate(() => ['#left', '#stage', '#events', '#impact', '#bottom'].flatMap((name) => {
                const { left, right } = document.querySelector(name).getBoundingClientRect();
                return left < -1 || right > window.innerWidth + 1 ? [`${name}: ${left} to ${right}`] : [];
            }));
            await page.evaluate(() => window.carom.selection.chooseEvent(window.carom.recording.eventIndex.ofKind(0)[40]));
            await settle(page);
            assert.deepEqual(await outside(), []);
            await page.getByRole('button', { name: 'More room for the impact' }).click();
            await settle(page);
            assert.deepEqual(await outside(), []);
            assert.equal(await page.locator('#events').isVisible(), true);
            await context.close();
        }
    } finally {
        await server.stop();
    }
});

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A long recording: the page is open before all rows are in it. What is not there is waited for, in
// sight, and comes when it is asked for; nothing else is shown in its place.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { caromLines, clock, close, launch, openViewer, record, scratch, serve, settle } from './support/carom.mjs';

const wall = (name, position, normal) => `
[[body]]
name = "${name}"
shape = { type = "plane", normal = [${normal}] }
position = [${position}]
fixed = true
`;

/** Spheres in a box, until the rows are more than a page waits for. */
const GAS = `
title = "A gas"
[simulation]
duration = 6
gravity = [0, 0, 0]
[[contact]]
law = "frictionless"
e = 0.998
[[swarm]]
name = "atom"
shape = { type = "sphere", radius = 0.03 }
mass = 0.001
count = 1000
low = [-0.5, -0.5, -0.5]
high = [0.5, 0.5, 0.5]
speed = 1.0
seed = 1
${[0, 1, 2].map((axis) => [-1, 1].map((side) => wall(
    `wall${axis}${side}`, [0, 1, 2].map((i) => (i === axis ? 0.5 * side : 0)), [0, 1, 2].map((i) => (i === axis ? -side : 0)),
)).join('')).join('')}
`;

let browser, server, recording, events;

before(async () => {
    const scene = join(scratch, 'gas.toml');
    writeFileSync(scene, GAS);
    recording = record(scene);
    events = caromLines('events', recording, '--json');
    browser = await launch();
    server = await serve('view', recording);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

/** Holds requests of whole rows, but for those the page begins with, until `release` is called with what to do. */
async function hold(page) {
    let release;
    const released = new Promise((done) => (release = done));
    await page.route('**/api/table/**', async (route) => {
        const { searchParams } = new URL(route.request().url());
        if (searchParams.get('from') === '0') return route.continue();
        return (await released)(route);
    });
    return release;
}

async function openHeld() {
    let release;
    const opened = await openViewer(browser, server.address, {}, async (page) => (release = await hold(page)));
    return { ...opened, release };
}

describe('a long recording', () => {
    let page, context, release, complaints;
    const row = 50_000;

    before(async () => {
        ({ page, context, release, complaints } = await openHeld());
    });
    after(() => context?.close());

    test('is open before all of it has come', async () => {
        assert.ok(events.length > row, `${events.length} events are too few for this test`);
        assert.equal(await page.evaluate(() => window.carom.recording.whole), false);
        assert.equal(await page.evaluate(() => window.carom.recording.brief.events.rows), events.length);
        assert.match(await page.locator('#events .tally').innerText(), /events$/);
        assert.equal(await page.locator('#waiting').isVisible(), false);
    });

    test('sorts all events without their whole rows', async () => {
        await page.locator('.heads button', { hasText: 'p (N s)' }).click();
        await settle(page);
        const first = await page.evaluate(() => window.carom.events.rowAt(0));
        const size = ({ impulse }) => (impulse === null ? 0 : Math.hypot(...impulse));
        close(size(events[first]), events.reduce((most, event) => Math.max(most, size(event)), 0), 1e-15, 'the largest impulse');
        await page.locator('.heads button', { hasText: 't (s)' }).click();
    });

    test('waits in sight for a time that has not come', async () => {
        const frames = await page.evaluate(() => window.carom.frames);
        await page.evaluate((event) => window.carom.selection.chooseEvent(event), row);
        await page.locator('#waiting').waitFor();
        await settle(page);
        assert.match(await page.locator('#waiting').innerText(), /Loading/);
        assert.match(await page.locator('#impact').innerText(), /Loading/);
        assert.equal(await page.evaluate(() => window.carom.frames), frames, 'nothing is drawn meanwhile');
        assert.equal(await clock(page), events[row].t);
        await page.keyboard.press(' ');
        await settle(page);
        assert.equal(await clock(page), events[row].t, 'time stands still meanwhile');
        await page.keyboard.press(' ');
    });

    test('then shows it, with the numbers of carom events and carom sample', async () => {
        release((route) => route.continue());
        await page.locator('#waiting').waitFor({ state: 'hidden' });
        await page.locator('#impact-time').waitFor();
        await page.evaluate((event) => window.carom.player.seek(event), events[row].t);
        await settle(page);
        assert.equal(await page.locator('#impact-time').innerText(), `${events[row].t} s`);
        assert.equal(Number(await page.locator('#energy-lost').getAttribute('title')), events[row].energy_lost);
        const expected = caromLines('sample', recording, '--at', String(events[row].t), '--json');
        const seen = await page.evaluate(() => Array.from(window.carom.scene.states));
        expected.forEach(({ body, position }, number) => position.forEach((coordinate, axis) => {
            assert.equal(seen[13 * number + axis], coordinate, `${body}, axis ${axis}`);
        }));
    });

    test('has everything in the end, and plots the energy', async () => {
        await page.waitForFunction(() => window.carom.recording.whole);
        await page.waitForFunction(() => window.carom.plots.series?.kinetic.every((value) => value !== null));
        const lost = await page.evaluate(() => window.carom.plots.energy.data[3].at(-1));
        close(lost, events.reduce((sum, event) => sum + (event.energy_lost ?? 0), 0), 1e-9, 'the energy lost');
        assert.deepEqual(complaints, []);
    });
});

test('a server that went away is told to who waits', async () => {
    const { page, context, release } = await openHeld();
    await page.evaluate(() => window.carom.player.seek(window.carom.recording.end));
    await page.locator('#waiting').waitFor();
    release((route) => route.abort());
    await page.waitForFunction(() => /does not answer/.test(document.getElementById('waiting').textContent));
    await context.close();
});

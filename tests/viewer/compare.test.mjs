// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Two runs beside each other: `carom view A B`.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, record, serve, tryPages, watch } from './support/carom.mjs';

let server;
let browser;
let recordings;

before(async () => {
    recordings = [record('bounce'), record('superball')];
    server = await serve('view', ...recordings);
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function openBoth(viewport = { width: 1400, height: 800 }) {
    const context = await browser.newContext({ viewport });
    context.setDefaultTimeout(120_000);
    await tryPages(context, 'compare.html');
    const page = await context.newPage();
    const complaints = watch(page);
    await page.goto(server.address);
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 2);
    const frames = [];
    for (const folder of ['a/', 'b/']) {
        const element = await page.waitForSelector(`iframe[data-folder="${folder}"]`);
        const frame = await element.contentFrame();
        await frame.waitForFunction(() => window.carom !== undefined && window.carom.recording.loaded === 1);
        frames.push(frame);
    }
    return { page, context, frames, complaints };
}

/** What the other frame has been told, as the page that holds them sends it. */
const collect = (frame) => frame.evaluate(() => {
    window.heard = [];
    window.addEventListener('message', (event) => {
        if (event.source === window.parent && event.data?.carom === 'sync') window.heard.push(event.data);
    });
});
const heard = (frame) => frame.evaluate(() => window.heard);
/** As a viewer tells what its user did. */
const tell = (frame, message) => frame.evaluate((data) => window.parent.postMessage(data, window.location.origin), message);
const told = (frame, count) => frame.waitForFunction((least) => window.heard.length >= least, count);

const CAMERA = { position: [1, -2, 1], target: [0, 0, 0.5] };

test('both runs are there, with their names above them', async () => {
    const { page, context, frames, complaints } = await openBoth();
    const names = await page.$$eval('.run h2 .name', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(names.map((name) => basename(name)), recordings.map((file) => basename(file)));
    const scenes = [];
    for (const frame of frames) scenes.push(await frame.evaluate(() => window.carom.recording.meta.scene_name));
    assert.deepEqual(scenes, ['bounce', 'superball']);
    const boxes = await page.$$eval('iframe', (all) => all.map((frame) => frame.getBoundingClientRect().left));
    assert.ok(boxes[1] > boxes[0] + 500);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('what one does the other is told, without what is not linked', async () => {
    const { page, context, frames } = await openBoth();
    await collect(frames[0]);
    await collect(frames[1]);
    await tell(frames[0], { carom: 'sync', t: 0.2, playing: false, speed: 0.5, camera: CAMERA });
    await told(frames[1], 1);
    assert.deepEqual((await heard(frames[1]))[0], { carom: 'sync', t: 0.2, playing: false, speed: 0.5, camera: CAMERA });
    assert.deepEqual(await heard(frames[0]), []);
    // unlinked by a button and by a key
    await page.click('button[data-part=view]');
    assert.equal(await page.getAttribute('button[data-part=view]', 'aria-pressed'), 'false');
    await tell(frames[0], { carom: 'sync', t: 0.3, playing: false, speed: 0.5, camera: CAMERA });
    await told(frames[1], 2);
    assert.deepEqual((await heard(frames[1]))[1], { carom: 'sync', t: 0.3, playing: false, speed: 0.5 });
    await page.keyboard.press('t');
    assert.equal(await page.getAttribute('button[data-part=time]', 'aria-pressed'), 'false');
    await tell(frames[1], { carom: 'sync', t: 0.1, playing: false, speed: 1, camera: CAMERA });
    await page.waitForTimeout(300);
    assert.deepEqual(await heard(frames[0]), []);
    // linked again: the other follows that whose user has acted last
    await page.keyboard.press('t');
    await told(frames[0], 1);
    assert.equal((await heard(frames[0]))[0].t, 0.1);
    await context.close();
});

test('the controls of the page act on both', async () => {
    const { page, context, frames } = await openBoth();
    for (const frame of frames) await collect(frame);
    await page.click('button[aria-label="Play both"]');
    for (const frame of frames) {
        await told(frame, 1);
        assert.deepEqual((await heard(frame))[0], { carom: 'sync', playing: true });
    }
    await page.click('button[aria-label="Pause both"]');
    await page.keyboard.press('Home');
    for (const frame of frames) {
        await told(frame, 3);
        assert.equal((await heard(frame))[1].playing, false);
        assert.equal((await heard(frame))[2].t, 0);
    }
    await context.close();
});

test('messages of strangers are not passed on', async () => {
    const { page, context, frames } = await openBoth();
    await collect(frames[0]);
    await collect(frames[1]);
    await page.evaluate(() => window.postMessage({ carom: 'sync', t: 0.4 }, window.location.origin));
    await tell(frames[0], 'nonsense');
    await tell(frames[0], null);
    await tell(frames[0], { carom: 'sync' });
    await page.waitForTimeout(300);
    assert.deepEqual(await heard(frames[1]), []);
    await context.close();
});

test('on a phone the controls are in sight, and each scene is wider than the buttons over it', async () => {
    for (const [width, height] of [[390, 844], [844, 390]]) {
        const { page, context, frames, complaints } = await openBoth({ width, height });
        const hidden = await page.$$eval('#top button', (buttons) => buttons.filter((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
        }).map((button) => button.title));
        assert.deepEqual(hidden, [], `${width} x ${height}`);
        for (const frame of frames) {
            const { stage, page: whole, free } = await frame.evaluate(() => {
                const stage = document.getElementById('stage').getBoundingClientRect();
                const buttons = document.getElementById('overlay-buttons').getBoundingClientRect();
                const middle = document.elementFromPoint(stage.left + stage.width / 2, (buttons.bottom + stage.bottom) / 2);
                return { stage: stage.width, page: innerWidth, free: middle?.matches('#stage canvas') && stage.bottom - buttons.bottom > 0.4 * stage.height && stage.bottom <= innerHeight };
            });
            assert.equal(stage, whole, `the scene is ${stage} of ${whole} px wide at ${width} x ${height}`);
            assert.ok(free, `buttons cover the scene at ${width} x ${height}`);
        }
        // what a tab shows comes into sight
        await frames[0].locator('#tabs [data-tab=events]').click();
        await frames[0].waitForFunction(() => document.getElementById('events').getBoundingClientRect().top < 0.5 * innerHeight);
        assert.deepEqual(complaints, []);
        await context.close();
    }
});

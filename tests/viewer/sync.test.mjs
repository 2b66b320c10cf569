// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Two viewers in frames of one page, which passes on what each tells: time, playing, speed and camera
// go together, and nothing goes round in circles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PAGES } from '../viewer_lab/support/library.mjs';
import { launch, record, serve, settle } from './support/carom.mjs';

const PAIR = `<!doctype html><style>html,body{margin:0;height:100%}iframe{width:50%;height:100%;border:0;float:left}</style>
<iframe id="a" src="one"></iframe><iframe id="b" src="two"></iframe>
<script>
    window.passed = [];
    window.ready = [];
    window.addEventListener('message', ({ data, source }) => {
        const frames = [...document.querySelectorAll('iframe')];
        const from = frames.findIndex((frame) => frame.contentWindow === source);
        if (data.carom === 'ready') window.ready.push(data);
        if (data.carom !== 'sync') return;
        window.passed.push({ from, ...data });
        frames[1 - from].contentWindow.postMessage(data, location.origin);
    });
</script>`;

let browser, server, page, context, frames;

before(async () => {
    browser = await launch();
    server = await serve('view', record('coins'));
    context = await browser.newContext({ viewport: { width: 1600, height: 700 } });
    const html = (body) => (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    await context.route((url) => url.pathname === '/pair', html(PAIR));
    // the page without the server's headers, which say who may frame it
    await context.route((url) => ['/one', '/two'].includes(url.pathname), html(readFileSync(join(PAGES, 'viewer.html'), 'utf8')));
    page = await context.newPage();
    await page.goto(new URL('pair', server.address).href);
    frames = await Promise.all(['#a', '#b'].map(async (id) => (await page.locator(id).elementHandle()).contentFrame()));
    for (const frame of frames) await frame.waitForFunction(() => window.carom !== undefined && window.carom.recording.loaded === 1);
    await settle(page);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const stateOf = (frame) => frame.evaluate(() => {
    const { player, scene } = window.carom;
    return { t: player.t, playing: player.playing, speed: player.speed, camera: scene.camera };
});
const passed = () => page.evaluate(() => window.passed);
const forget = () => page.evaluate(() => void (window.passed.length = 0));
const quiet = async () => {
    for (const frame of frames) await settle(frame);
    await page.waitForTimeout(250);
};

test('both tell that they are ready, and nothing else by themselves', async () => {
    const ready = await page.evaluate(() => window.ready);
    assert.equal(ready.length, 2);
    assert.equal(ready[0].end, 5);
    assert.deepEqual(await passed(), []);
    await page.setViewportSize({ width: 1500, height: 720 });
    await quiet();
    assert.deepEqual(await passed(), [], 'another size is nobody’s doing');
});

test('scrubbing one scrubs the other, with one message', async () => {
    await frames[0].evaluate(() => window.carom.player.seek(1.5));
    await quiet();
    assert.equal((await stateOf(frames[1])).t, 1.5);
    const messages = await passed();
    assert.equal(messages.length, 1, JSON.stringify(messages));
    assert.deepEqual([messages[0].from, messages[0].t, messages[0].playing, messages[0].speed], [0, 1.5, false, 1]);
    assert.equal(messages[0].camera, undefined, 'nobody has turned a camera yet');
});

test('turning one turns the other', async () => {
    await forget();
    const box = await frames[1].locator('#stage canvas').boundingBox();
    await page.mouse.move(box.x + 100, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 220, { steps: 3 });
    await page.mouse.up();
    await quiet();
    const [a, b] = await Promise.all(frames.map(stateOf));
    for (const part of ['position', 'target']) a.camera[part].forEach((x, axis) => assert.ok(Math.abs(x - b.camera[part][axis]) < 1e-9));
    assert.ok((await passed()).every(({ from }) => from === 1), 'only the one that was turned tells');
});

test('playing one plays the other at the same time, until one is paused', async () => {
    await forget();
    await frames[0].evaluate(() => {
        window.carom.player.setSpeed(0.5);
        window.carom.player.toggle();
    });
    await page.waitForTimeout(1500);
    const [a, b] = await Promise.all(frames.map(stateOf));
    assert.ok(a.playing && b.playing && a.t > 1.5 && b.t > 1.5, JSON.stringify([a, b]));
    assert.equal(b.speed, 0.5);
    assert.ok(Math.abs(a.t - b.t) < 0.2, `${a.t} and ${b.t}`);
    await frames[1].evaluate(() => window.carom.player.toggle());
    await quiet();
    const [stopped, other] = await Promise.all(frames.map(stateOf));
    assert.equal(stopped.playing || other.playing, false);
    assert.equal(stopped.t, other.t);
    await forget();
    await quiet();
    assert.deepEqual(await passed(), [], 'then nothing is told');
});

test('a parent with controls of its own is obeyed, also while a frame leads', async () => {
    await frames[0].evaluate(() => window.carom.player.toggle());
    await page.waitForTimeout(300);
    await page.evaluate(() => {
        for (const frame of document.querySelectorAll('iframe')) frame.contentWindow.postMessage({ carom: 'sync', playing: false, t: 2, speed: 1 }, location.origin);
    });
    await quiet();
    for (const state of await Promise.all(frames.map(stateOf))) assert.deepEqual([state.t, state.playing, state.speed], [2, false, 1]);
});

test('messages from elsewhere, and nonsense, are not taken', async () => {
    const before = await stateOf(frames[0]);
    // from the page itself and not from its parent
    await frames[0].evaluate(() => window.postMessage({ carom: 'sync', t: 3 }, '*'));
    await page.evaluate(() => {
        const { contentWindow } = document.querySelector('#a');
        for (const message of [null, 5, { carom: 'other', t: 2 }, { carom: 'sync', t: 'late', speed: -1, camera: { position: [1], target: null } },
            { carom: 'sync', camera: { position: [1, 2, 3], target: [1, 2, 3] } }, { carom: 'sync', camera: { position: [1e300, 0, 0], target: [0, 0, 0] } }]) {
            contentWindow.postMessage(message, location.origin);
        }
    });
    await quiet();
    assert.deepEqual(await stateOf(frames[0]), before);
});

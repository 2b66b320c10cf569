// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The page itself: light and dark, on a phone, by keyboard alone, and when there is nothing to show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, openViewer, record, serve, settle, tryPages, watch } from './support/carom.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
let browser, server;

before(async () => {
    browser = await launch();
    server = await serve('view', record('tumble'));
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

test('follows the system’s colours until told otherwise', async () => {
    const { page, context, complaints } = await openViewer(browser, server.address, { colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    assert.notEqual(await ground(), dark);
    await page.reload();
    await page.waitForFunction(() => window.carom !== undefined);
    assert.notEqual(await ground(), dark, 'the choice is kept');
    assert.deepEqual(complaints, []);
    await context.close();
});

test('fits on a phone, with every part within reach', async () => {
    const { page, context, complaints } = await openViewer(browser, server.address, PHONE);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    for (const [tab, part] of [['Events', '#events'], ['Impact', '#impact'], ['Plots', '#plots'], ['Bodies', '#tree']]) {
        await page.locator('#tabs').getByRole('tab', { name: tab }).tap();
        await settle(page);
        const box = await page.locator(part).boundingBox();
        assert.ok(box !== null && box.width > 300 && box.height > 100, `${tab}: ${JSON.stringify(box)}`);
        assert.ok(box.x >= 0 && box.x + box.width <= 391);
    }
    await page.locator('#play').tap();
    await page.waitForFunction(() => window.carom.player.t > 0.1);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('fits on a phone that lies on its side', async () => {
    for (const [width, height] of [[844, 390], [932, 430], [667, 375]]) {
        const { page, context } = await openViewer(browser, server.address, { ...PHONE, viewport: { width, height } });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        for (const [tab, part] of [['Events', '#events'], ['Impact', '#impact'], ['Plots', '#plots'], ['Bodies', '#tree'], ['Bodies', '#stage'], ['Bodies', '#timeline']]) {
            await page.locator('#tabs').getByRole('tab', { name: tab }).tap();
            await settle(page);
            const box = await page.locator(part).boundingBox();
            const least = part === '#timeline' ? 30 : 150;
            assert.ok(box !== null && box.width > 200 && box.height > least, `${width} by ${height}, ${part}: ${JSON.stringify(box)}`);
            assert.ok(box.x >= 0 && box.x + box.width <= width + 1 && box.y >= 0 && box.y + box.height <= height + 1, `${part}: ${JSON.stringify(box)}`);
        }
        await context.close();
    }
});

test('a link to an event shows it on a phone', async () => {
    const bounce = await serve('view', record('bounce'));
    try {
        for (const viewport of [PHONE.viewport, { width: 844, height: 390 }]) {
            const { page, context } = await openViewer(browser, `${bounce.address}#event=0`, { ...PHONE, viewport });
            assert.equal(await page.locator('#impact h2').isVisible(), true, JSON.stringify(viewport));
            assert.equal(await page.locator('#tabs [aria-selected=true]').innerText(), 'Impact');
            await context.close();
        }
    } finally {
        await bounce.stop();
    }
});

test('another size of the window shows all of the scene again, unless the user looks elsewhere', async () => {
    const { page, context } = await openViewer(browser, server.address);
    // how far from the middle the corners of what is worth seeing are, 1 at the edge
    const reach = () => page.evaluate(() => {
        const { scene } = window.carom;
        const { min, max } = scene.framing.sceneBox(window.carom.recording);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => min.clone().set(n & 1 ? max.x : min.x, n & 2 ? max.y : min.y, n & 4 ? max.z : min.z));
        return Math.max(...corners.map((corner) => corner.project(scene.stage.camera)).flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
    });
    // where the highest of them is, and where the buttons above the scene end (px)
    const highest = () => page.evaluate(() => {
        const { scene } = window.carom;
        const { min, max } = scene.framing.sceneBox(window.carom.recording);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => min.clone().set(n & 1 ? max.x : min.x, n & 2 ? max.y : min.y, n & 4 ? max.z : min.z));
        const stage = document.getElementById('stage').getBoundingClientRect();
        const most = Math.max(...corners.map((corner) => corner.project(scene.stage.camera).y));
        return { top: stage.top + (stage.height * (1 - most)) / 2, buttons: document.getElementById('overlay-buttons').getBoundingClientRect().bottom };
    });
    for (const size of [{ width: 1280, height: 720 }, { width: 560, height: 1000 }, { width: 1700, height: 600 }]) {
        await page.setViewportSize(size);
        await settle(page);
        const far = await reach();
        assert.ok(far <= 1 && far > 0.7, `${size.width} by ${size.height}: ${far}`);
        const { top, buttons } = await highest();
        assert.ok(top >= buttons, `${size.width} by ${size.height}: the scene begins at ${top} px, below buttons that end at ${buttons} px`);
    }
    await page.mouse.move(500, 250);
    await page.mouse.wheel(0, -400);
    await settle(page);
    const camera = () => page.evaluate(() => window.carom.scene.camera);
    const before = await camera();
    await page.setViewportSize({ width: 1000, height: 700 });
    await settle(page);
    assert.deepEqual(await camera(), before);
    await context.close();
});

test('works with the keyboard alone', async () => {
    const { page, context } = await openViewer(browser, server.address);
    const reached = new Set();
    for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => {
            const { id, className, tagName } = document.activeElement;
            return id || document.activeElement.getAttribute('aria-label') || className || tagName;
        }));
    }
    for (const part of ['play', 'speed', 'clock', 'Bodies', 'Events', 'Help', 'Time']) {
        assert.ok(reached.has(part), `${part} is not among ${[...reached].join(', ')}`);
    }
    await context.close();
});

test('what the server cannot open is told on the page', async () => {
    const page = await browser.newPage();
    watch(page);
    await page.route('**/api/meta', (route) => route.fulfill({
        status: 422, contentType: 'application/json', body: JSON.stringify({ error: 'x.carom was cut: it has 512 bytes of 90,000' }),
    }));
    await page.goto(server.address);
    await page.locator('#splash.failed').waitFor();
    assert.match(await page.locator('#splash-text').innerText(), /x\.carom was cut/);
    await page.close();
});

test('the insides of a damaged file are not told to people', async () => {
    const page = await browser.newPage();
    await tryPages(page.context());
    await page.route('**/api/meta', (route) => route.fulfill({
        status: 422, contentType: 'application/json', body: JSON.stringify({ error: 'x.carom: cannot read /events: wrong B-tree signature' }),
    }));
    await page.goto(server.address);
    await page.locator('#splash.failed').waitFor();
    const words = await page.locator('#splash-text').innerText();
    assert.match(words, /x\.carom is damaged/);
    assert.doesNotMatch(words, /B-tree|\/events/);
    await page.close();
});

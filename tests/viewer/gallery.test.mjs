// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The gallery of built-in scenes: `carom view` without arguments.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, ROOT, serve, watch } from './support/carom.mjs';

const names = readdirSync(join(ROOT, 'scenes'))
    .filter((file) => file.endsWith('.toml'))
    .map((file) => file.replace(/\.toml$/, ''));
const titleOf = (name) => /^title = "(.*)"$/m.exec(readFileSync(join(ROOT, 'scenes', `${name}.toml`), 'utf8'))[1];

let server;
let browser;

before(async () => {
    server = await serve('view');
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function openGallery(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const complaints = watch(page);
    await page.goto(server.address);
    await page.waitForSelector('body[data-drawn=all]');
    return { page, context, complaints };
}

const focused = (page) => page.evaluate(() => document.activeElement?.dataset.name ?? null);

test('every built-in scene has a card with its title, what to expect and a drawing', async () => {
    const { page, context, complaints } = await openGallery();
    const cards = await page.$$eval('.scene', (all) => all.map((card) => ({
        name: card.dataset.name,
        title: card.querySelector('h2').textContent,
        expect: card.querySelector('.expect').textContent,
        shapes: card.querySelectorAll('svg.drawing > :not(radialGradient)').length,
    })));
    assert.deepEqual(cards.map(({ name }) => name).sort(), [...names].sort());
    for (const { name, title, expect, shapes } of cards) {
        assert.equal(title, titleOf(name));
        assert.ok(expect.length > 20, `${name}: ${expect}`);
        assert.ok(shapes > 0, `${name} has no drawing`);
    }
    assert.deepEqual(complaints, []);
    await context.close();
});

test('drawings stay within their cards and follow the theme', async () => {
    const { page, context } = await openGallery({ colorScheme: 'light' });
    const colours = () => page.$$eval('.scene[data-name=ramp-slide] svg path', (all) => all.map((path) => path.getAttribute('fill')).join());
    const light = await colours();
    await page.keyboard.press('d');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.notEqual(await colours(), light);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    assert.ok(wide, 'the page scrolls sideways');
    await context.close();
});

test('the keyboard alone finds and starts a scene', async () => {
    const { page, context, complaints } = await openGallery();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), names[0]);
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), names[1]);
    const columns = await page.$$eval('#cards li', (all) => all.filter(({ offsetTop }) => offsetTop === all[0].offsetTop).length);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), names[1 + columns]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('/');
    await page.keyboard.type('superball');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'superball');
    assert.equal(await page.locator('#cards li:visible').count(), 1);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/scene/superball/');
    await page.waitForFunction(() => window.carom !== undefined && window.carom.recording.loaded === 1);
    assert.equal(await page.locator('#title').textContent(), titleOf('superball'));
    assert.deepEqual(complaints, []);
    // and back
    await page.goBack();
    await page.waitForSelector('.scene[data-name=superball]');
    await context.close();
});

test('a click runs a scene and shows it to its end', async () => {
    const { page, context, complaints } = await openGallery();
    await page.click('.scene[data-name=bounce]');
    await page.waitForURL('**/scene/bounce/');
    await page.waitForFunction(() => window.carom !== undefined && !window.carom.recording.meta.running && window.carom.recording.end === 2.8);
    assert.ok(await page.evaluate(() => window.carom.recording.meta.counts.events) >= 5);
    // its laboratory is there too
    await page.goto(new URL('lab', page.url()).href);
    assert.match(await page.title(), /laboratory/i);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('a search without a result says so', async () => {
    const { page, context } = await openGallery();
    await page.fill('#search', 'no such thing');
    assert.match(await page.locator('#none').textContent(), /no such thing/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#cards li:visible').count(), names.length);
    await context.close();
});

test('the gallery fits a phone', async () => {
    const { page, context } = await openGallery({ viewport: { width: 360, height: 700 } });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    const box = await page.locator('.scene').first().boundingBox();
    assert.ok(box.width > 300 && box.width <= 360, `${box.width}`);
    await context.close();
});

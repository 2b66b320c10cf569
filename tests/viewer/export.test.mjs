// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The exported page works from a file, without a server and without a network.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { carom, caromLines, clock, launch, openViewer, picture, record, scratch, settle } from './support/carom.mjs';

const recording = record('coins');
const file = join(scratch, 'coins.html');
let browser;

before(async () => {
    carom('export', recording, '--to', 'html', '-o', file);
    browser = await launch();
});
after(() => browser?.close());

test('opens, plays and shows impacts with the network off', async () => {
    const { page, context, complaints } = await openViewer(browser, pathToFileURL(file).href, { offline: true });
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    const events = caromLines('events', recording, '--json');
    assert.equal(await page.evaluate(() => window.carom.recording.tables.events.rows), events.length);
    const before = await picture(page, '#stage');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.carom.player.t > 0.2);
    await page.keyboard.press(' ');
    assert.notEqual(await picture(page, '#stage'), before);
    await page.keyboard.press('ArrowRight');
    await settle(page);
    const row = await page.evaluate(() => window.carom.selection.event);
    assert.equal(await clock(page), events[row].t);
    assert.equal(await page.locator('#impact .space').isVisible(), true);
    assert.match(await page.locator('.what-if').innerText(), /no server/);
    assert.deepEqual(requests, []);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('a page whose data were cut says so', async () => {
    const cut = join(scratch, 'cut.html');
    const html = readFileSync(file, 'utf8');
    writeFileSync(cut, html.replace(/("segments":")([^"]{400})[^"]*"/, '$1$2"'));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(cut).href);
    await page.locator('#splash.failed').waitFor();
    assert.match(await page.locator('#splash-text').innerText(), /cannot be shown/);
});

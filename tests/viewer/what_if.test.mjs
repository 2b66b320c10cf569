// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What if: another law from an event on, its future shown as ghosts, and the same as that of a
// scene with the law changed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { caromLines, launch, openViewer, picture, record, ROOT, scratch, serve, settle } from './support/carom.mjs';

const recording = record('bounce');
let browser, server, page, complaints;

before(async () => {
    browser = await launch();
    server = await serve('view', recording);
    ({ page, complaints } = await openViewer(browser, `${server.address}#event=0`));
    await page.waitForFunction(() => window.carom.selection.event === 0);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

test('another restitution from the first bounce on gives the future of a scene that has it', async () => {
    await page.locator('.what-if input[name=e]').fill('0.3');
    await page.getByRole('button', { name: 'Run on from here' }).click();
    await page.locator('#ghost-banner').waitFor();
    assert.match(await page.locator('#ghost-banner').innerText(), /e 0.3/);
    await page.waitForFunction(() => !window.carom.scene.ghosts.reader.recording.meta.running);
    // the law acts at the first bounce already, so a scene with it from the start is the same
    const scene = join(scratch, 'bounce-03.toml');
    writeFileSync(scene, readFileSync(join(ROOT, 'scenes/bounce.toml'), 'utf8').replace('e = 0.8', 'e = 0.3'));
    const changed = record(scene);
    const expected = caromLines('sample', changed, '--at', '0.2,0.6,0.75,1.2', '--json').filter(({ body }) => body === 'ball');
    for (const { t, position } of expected) {
        const ghost = await page.evaluate((time) => Array.from(window.carom.scene.ghosts.reader.of(1, time).slice(0, 3)), t);
        position.forEach((coordinate, axis) => assert.ok(Math.abs(ghost[axis] - coordinate) < 1e-12, `at ${t}: ${ghost} is not ${position}`));
    }
});

test('the ghost is seen, and put away', async () => {
    await page.evaluate(() => window.carom.player.seek(0.8));
    await settle(page);
    const withGhost = await picture(page, '#stage');
    await page.getByRole('button', { name: 'Put away' }).click();
    await settle(page);
    assert.notEqual(await picture(page, '#stage'), withGhost);
    assert.equal(await page.locator('#ghost-banner').isVisible(), false);
});

test('a parameter out of its range is refused with the reason', async () => {
    await page.evaluate(() => window.carom.selection.chooseEvent(1));
    await page.locator('.what-if input[name=e]').fill('7');
    await page.getByRole('button', { name: 'Run on from here' }).click();
    await page.waitForFunction(() => document.querySelector('.what-if .warn').textContent !== '');
    assert.match(await page.locator('.what-if .warn').innerText(), /e/);
    // the browser itself tells the console of a refused request
    assert.deepEqual(complaints.filter((text) => !/status of 4\d\d/.test(text)), []);
});

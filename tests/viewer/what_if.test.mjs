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

const FUTURE = { event: 0, contact: { materials: ['default', 'default'], law: 'routh', e: 0.3, mu: 0 } };

test('the panel of another future covers no button', async () => {
    for (const [width, height] of [[1100, 720], [1024, 768], [390, 844], [844, 390]]) {
        const hash = `#event=0&show=trails,plots&whatif=${encodeURIComponent(JSON.stringify(FUTURE))}`;
        const { page: other, context } = await openViewer(browser, server.address + hash, { viewport: { width, height } });
        await other.locator('#ghost-banner table tr').nth(3).waitFor();
        await settle(other);
        const covered = await other.$$eval('#overlay-buttons :is(button, select)', (buttons) => buttons.filter((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            return !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) || document.elementFromPoint(left + 3, bottom - 3) !== button;
        }).map((button) => button.textContent));
        assert.deepEqual(covered, [], `${width} x ${height}`);
        const away = other.getByRole('button', { name: 'Put away' });
        assert.ok(await away.evaluate((button) => {
            const { left, right, top, bottom } = button.getBoundingClientRect();
            return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button;
        }), `it can be put away at ${width} x ${height}`);
        await context.close();
    }
});

test('the table of what has changed says that it counts the energy that events have taken', async () => {
    const { page: other, context } = await openViewer(browser, `${server.address}#event=0&whatif=${encodeURIComponent(JSON.stringify(FUTURE))}`);
    const row = other.locator('.what-changed tr', { hasText: 'lost' });
    await row.waitFor();
    assert.equal(await row.locator('th').innerText(), 'lost in events (J)');
    const [lost] = caromLines('events', recording, '--json').map(({ energy_lost: energy }) => energy);
    assert.ok(Math.abs(Number(await row.locator('td').first().innerText()) - lost) < 1e-3 * lost);
    await context.close();
});

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Lists and the timeline by the keyboard; stepping through what the list shows.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { caromLines, clock, launch, openViewer, record, serve, settle } from './support/carom.mjs';

const recording = record('bowling');
const events = caromLines('events', recording, '--json');
let browser, server, page, complaints;

before(async () => {
    browser = await launch();
    server = await serve('view', recording);
    ({ page, complaints } = await openViewer(browser, server.address));
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    await settle(page);
};
const chosen = () => page.evaluate(() => window.carom.selection.event);
const chosenBody = () => page.evaluate(() => {
    const { body } = window.carom.selection;
    return body === null ? null : window.carom.recording.meta.bodies[body].name;
});

test('the list of events keeps the keyboard while it goes through them', async () => {
    await page.locator('.event-rows').focus();
    await press('Home');
    assert.equal(await chosen(), 0);
    await press('ArrowDown', 'ArrowDown', 'ArrowDown');
    assert.equal(await chosen(), 3);
    assert.equal(await clock(page), events[3].t);
    await press('End');
    assert.equal(await chosen(), events.length - 1);
    await press('PageUp');
    const up = await chosen();
    assert.ok(up < events.length - 1 && up > 0);
    await press('PageDown');
    assert.equal(await chosen(), events.length - 1);
    assert.equal(await page.evaluate(() => document.activeElement.classList.contains('event-rows')), true);
});

test('the list says which row the keyboard is at', async () => {
    const active = await page.locator('.event-rows').getAttribute('aria-activedescendant');
    const row = page.locator(`#${active}`);
    assert.equal(await row.getAttribute('aria-selected'), 'true');
    assert.equal(await row.getAttribute('aria-posinset'), String(events.length));
});

test('the list of bodies goes through materials and bodies', async () => {
    await page.locator('.tree-rows').focus();
    await press('Home');
    assert.equal(await chosenBody(), null, 'a material is no body');
    const rows = await page.$$eval('.tree-rows .row', (list) => list.map((row) => [row.className, row.querySelector('.name').textContent]));
    await press('ArrowDown');
    assert.equal(await chosenBody(), rows[1][1]);
    const groups = () => page.locator('.tree-rows .group[aria-expanded=false]').count();
    await press('Home', 'Enter');
    assert.equal(await groups(), 1, 'Enter closes a material');
    await press('ArrowRight');
    assert.equal(await groups(), 0, 'the right arrow opens it');
    await press('End');
    const last = await page.evaluate(() => {
        const { bodies } = window.carom.recording.meta;
        const materials = [...new Set(bodies.map(({ material }) => material))];
        return bodies.filter(({ material }) => material === materials.at(-1)).at(-1).name;
    });
    assert.equal(await chosenBody(), last);
    await press('Enter');
    assert.equal(await chosenBody(), null, 'Enter on the chosen body gives it up');
});

test('the timeline has the keys of a slider', async () => {
    await page.locator('#timeline canvas').focus();
    await press('Home');
    assert.equal(await clock(page), 0);
    await press('End');
    assert.equal(await clock(page), 4);
    await press('PageDown');
    assert.ok(Math.abs((await clock(page)) - 3.6) < 1e-9, String(await clock(page)));
    await press('PageUp');
    assert.equal(await clock(page), 4);
    await press('ArrowDown');
    assert.ok(Math.abs((await clock(page)) - 3.96) < 1e-9);
    assert.match(await page.locator('#timeline canvas').getAttribute('aria-valuetext'), /3\.960 s/);
});

test('arrow keys step through what the list shows', async () => {
    await page.getByPlaceholder('Filter by body').fill('curtain');
    await page.locator('#stage canvas').click({ position: { x: 5, y: 200 } });
    await press('r', 'Escape', 'ArrowRight');
    const wanted = events.flatMap(({ a, b }, row) => ([a, b].includes('curtain') ? [row] : []));
    assert.equal(await chosen(), wanted[0]);
    await press('ArrowRight');
    assert.equal(await chosen(), wanted[1]);
    await press('ArrowLeft');
    assert.equal(await chosen(), wanted[0]);
    await page.getByPlaceholder('Filter by body').fill('');
});

test('a chosen event that is clicked again is gone to again', async () => {
    const row = page.locator('#events .row[aria-selected=true]');
    const at = await clock(page);
    await page.evaluate(() => window.carom.player.seek(3.9));
    await settle(page);
    await page.evaluate(() => window.carom.selection.event).then((event) => page.evaluate((n) => window.carom.events.list.reveal(n), event));
    await settle(page);
    await row.click();
    // on a busy machine it takes more than a frame
    await page.waitForFunction((t) => window.carom.player.t !== t, 3.9, { timeout: 5000 }).catch(() => {});
    await settle(page);
    assert.equal(await clock(page), at);
});

test('a click counts although the list is drawn anew while the button is down, as it is while it plays', async () => {
    await page.evaluate(() => window.carom.selection.chooseEvent(null));
    await settle(page);
    const box = await page.locator('.event-rows').boundingBox();
    const [x, y] = [box.x + 120, box.y + 0.5 * box.height];
    const wanted = await page.evaluate(([left, top]) => Number(document.elementFromPoint(left, top).closest('.row').getAttribute('aria-posinset')) - 1, [x, y]);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.evaluate(() => window.carom.events.list.refresh());
    await settle(page);
    await page.mouse.up();
    await settle(page);
    assert.equal(await chosen(), wanted);
});

test('ended without a complaint', () => assert.deepEqual(complaints, []));

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// On a phone, upright and on its side: lists that are where the time is, lanes and names that are
// seen, impulse space with its axes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { caromLines, launch, openViewer, record, serve, settle } from './support/carom.mjs';

const recording = record('bowling');
const events = caromLines('events', recording, '--json');
const strike = events.findIndex(({ kind, a, b }) => kind === 'impact' && [a, b].includes('ball') && [a, b].includes('pin-01'));
const UPRIGHT = { width: 390, height: 844 };
const ON_ITS_SIDE = { width: 844, height: 390 };
const PHONES = [UPRIGHT, ON_ITS_SIDE];
let browser, server;

before(async () => {
    browser = await launch();
    server = await serve('view', recording);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const open = (viewport, hash = `#event=${strike}`) => openViewer(browser, server.address + hash, { viewport });
const tab = async (page, name) => {
    await page.locator(`#tabs [data-tab=${name}]`).click();
    await settle(page);
};
/** The row that is chosen, if all of it is in sight. */
const chosenInSight = (page) => page.evaluate(() => {
    const row = document.querySelector('#events .row[aria-selected=true]');
    if (row === null) return null;
    const list = row.closest('.virtual').getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    return top >= list.top - 1 && bottom <= list.bottom + 1 ? Number(row.getAttribute('aria-posinset')) - 1 : null;
});

test('the list of events is at the chosen one when its tab is shown', async () => {
    for (const viewport of PHONES) {
        const { page, context } = await open(viewport);
        await tab(page, 'events');
        assert.equal(await chosenInSight(page), strike);
        await context.close();
    }
});

test('what is chosen stays in sight when the phone is turned', async () => {
    const { page, context } = await open(UPRIGHT);
    await tab(page, 'events');
    for (const viewport of [ON_ITS_SIDE, UPRIGHT]) {
        await page.setViewportSize(viewport);
        await settle(page);
        assert.equal(await chosenInSight(page), strike, `${viewport.width} px wide`);
    }
    await context.close();
});

test('a list that somebody has scrolled elsewhere stays there', async () => {
    const { page, context } = await open(UPRIGHT);
    await tab(page, 'events');
    await page.locator('.event-rows').evaluate((list) => (list.scrollTop = list.scrollHeight));
    await settle(page);
    const place = () => page.locator('.event-rows').evaluate(({ scrollTop }) => scrollTop);
    const before = await place();
    await tab(page, 'impact');
    await tab(page, 'events');
    assert.equal(await place(), before);
    await context.close();
});

test('the timeline has lanes and marks of kinds that are seen', async () => {
    for (const viewport of PHONES) {
        const { page, context } = await open(viewport);
        const { lanes, height } = await page.evaluate(() => {
            const { timeline } = window.carom;
            const kinds = timeline.laneKinds().length;
            return { lanes: kinds, height: timeline.laneHeight(kinds) };
        });
        assert.equal(lanes, 6);
        assert.ok(height >= 4, `${height} px at ${viewport.width} px`);
        await context.close();
    }
});

test('names in the list of events are not cut', async () => {
    for (const viewport of PHONES) {
        const { page, context } = await open(viewport, '');
        await tab(page, 'events');
        const names = await page.$$eval('#events .row .name', (all) => all.map((name) => ({ text: name.innerText, isCut: name.scrollWidth > name.clientWidth + 1 })));
        assert.ok(names.length > 5);
        assert.deepEqual(names.filter(({ isCut }) => isCut).map(({ text }) => text), [], `${viewport.width} px`);
        await context.close();
    }
});

test('the axes of impulse space end in sight, with their names beside them', async () => {
    for (const viewport of [...PHONES, { width: 1100, height: 720 }, { width: 1600, height: 900 }]) {
        for (const row of [strike, events.findIndex(({ kind, a, b }) => kind === 'impact' && [a, b].includes('curtain'))]) {
            const { page, context } = await open(viewport, `#event=${row}`);
            await page.locator('.impulse-label.axis').first().waitFor({ state: 'attached' });
            await settle(page);
            const { names, tips } = await page.evaluate(() => {
                const space = window.carom.impact.space;
                const frame = document.querySelector('.impulse-space').getBoundingClientRect();
                const boxOf = (element) => element.getBoundingClientRect();
                const legend = boxOf(document.querySelector('.impulse-legend'));
                const inside = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= legend.top;
                const tips = space.axes.tips.map((point) => space.onScreen(point)).map(({ x, y }) => ({ x: x + frame.left, y: y + frame.top }));
                const names = [...document.querySelectorAll('.impulse-label.axis')].map((label) => {
                    const box = boxOf(label);
                    const crossed = tips.some(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom);
                    return `${label.textContent}: ${label.style.visibility}${inside(box) ? '' : ', outside'}${crossed ? ', on an axis' : ''}`;
                });
                return { names, tips: tips.filter(({ x, y }) => !inside({ left: x, right: x, top: y, bottom: y })) };
            });
            const where = `event ${row} at ${viewport.width} x ${viewport.height}`;
            assert.deepEqual(names.sort(), ['p x (N s): visible', 'p y (N s): visible', 'p z, normal (N s): visible'], where);
            assert.deepEqual(tips, [], where);
            await context.close();
        }
    }
});

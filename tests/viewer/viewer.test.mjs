// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The viewer in a browser: it opens without complaint, plays, scrubs, steps from event to event,
// obeys its keys, and shows what the program prints.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { caromLines, clock, close, launch, openViewer, picture, record, serve, settle } from './support/carom.mjs';

const recording = record('bowling');
const events = caromLines('events', recording, '--json');
const firstImpact = events.findIndex(({ kind, a, b }) => kind === 'impact' && [a, b].some((name) => name.startsWith('pin')));
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

const press = async (key) => {
    await page.keyboard.press(key);
    await settle(page);
};
const value = (selector) => page.locator(selector).getAttribute('data-value').then(Number);

describe('the viewer', () => {
    test('opens a recording without a complaint', async () => {
        assert.equal(await page.title(), 'A strike · Carom');
        assert.match(await page.locator('#state').innerText(), /11 bodies, .* events/);
        assert.equal(await page.locator('#splash').isVisible(), false);
        assert.deepEqual(complaints, []);
    });

    test('plays: time goes on and the picture changes', async () => {
        const before = await picture(page, '#stage');
        await press(' ');
        await page.waitForFunction(() => window.carom.player.t > 0.3);
        await press(' ');
        const stopped = await clock(page);
        assert.notEqual(await picture(page, '#stage'), before);
        await page.waitForTimeout(200);
        assert.equal(await clock(page), stopped);
    });

    test('scrubs: the timeline, and the time as text', async () => {
        const box = await page.locator('#timeline canvas').boundingBox();
        await page.mouse.move(box.x + 50, box.y + 4);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2, box.y + 4, { steps: 4 });
        await page.mouse.up();
        assert.ok(Math.abs((await clock(page)) - 2) < 0.05, String(await clock(page)));
        await page.locator('#clock').fill('1.25');
        await page.locator('#clock').press('Enter');
        assert.equal(await clock(page), 1.25);
    });

    test('steps events, frames and speeds by keys', async () => {
        await page.locator('#stage canvas').click({ position: { x: 5, y: 200 } });
        await press('r');
        assert.equal(await clock(page), 0);
        const later = events.findIndex(({ t }) => t > 0);
        await press('ArrowRight');
        const first = await page.evaluate(() => window.carom.selection.event);
        assert.equal(await clock(page), events[first].t);
        assert.ok(first <= later);
        for (let step = 0; step < 3; step++) await press('ArrowRight');
        assert.equal(await page.evaluate(() => window.carom.selection.event), first + 3);
        await press('ArrowLeft');
        assert.equal(await page.evaluate(() => window.carom.selection.event), first + 2);
        assert.equal(await clock(page), events[first + 2].t);
        for (let step = 0; step < 30; step++) await page.keyboard.press('-');
        await settle(page);
        assert.equal(await page.locator('#speed-text').innerText(), '1/10\u202f000×');
        const from = await clock(page);
        await press('Shift+ArrowRight');
        close((await clock(page)) - from, 1e-4 / 60, 1e-6, 'one frame');
        for (let step = 0; step < 30; step++) await page.keyboard.press('+');
        await settle(page);
        assert.equal(await page.locator('#speed-text').innerText(), '100×');
        for (let step = 0; step < 6; step++) await page.keyboard.press('-');
        await settle(page);
        assert.equal(await page.locator('#speed-text').innerText(), '1×');
    });

    test('shows contacts, impulses and velocities, plots and help by keys', async () => {
        await page.evaluate((t) => window.carom.player.seek(t), events[firstImpact].t + 0.01);
        for (const key of ['v', 'i']) {
            const before = await picture(page, '#stage');
            await press(key);
            assert.notEqual(await picture(page, '#stage'), before, `key ${key}`);
            await press(key);
        }
        assert.equal(await page.locator('#plots').isVisible(), true);
        await press('e');
        assert.equal(await page.locator('#plots').isVisible(), false);
        await press('e');
        await press('?');
        assert.equal(await page.locator('dialog').isVisible(), true);
        assert.match(await page.locator('dialog').innerText(), /play or pause/);
        await press('F1');
        assert.equal(await page.locator('dialog').isVisible(), false);
    });

    test('an impact chosen in the list has the numbers of carom events', async () => {
        for (const kind of ['micro', 'sleep', 'wake']) await page.locator('.kind', { hasText: kind }).click();
        await page.getByPlaceholder('Filter by body').fill('pin-01');
        await settle(page); // until the list is that of the filter
        await page.locator('#events .row', { hasText: 'ball' }).first().click();
        await settle(page);
        const row = await page.evaluate(() => window.carom.selection.event);
        const event = events[row];
        assert.equal(event.kind, 'impact');
        assert.equal(await page.locator('#impact-time').innerText(), `${event.t} s`);
        const R = contactFrame(event.normal);
        const apply = (vector) => R.map((axis) => axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]);
        for (const [id, vector] of [['u', event.u], ['u-after', event.u_after], ['p', event.impulse]]) {
            const expected = apply(vector);
            const size = Math.hypot(...expected);
            for (const [axis, name] of ['x', 'y', 'z'].entries()) {
                const got = await value(`#${id}-${name}`);
                assert.ok(Math.abs(got - expected[axis]) <= 1e-12 * size, `${id}-${name}: ${got} is not ${expected[axis]}`);
            }
        }
        assert.equal(Number(await page.locator('#energy-lost').getAttribute('title')), event.energy_lost);
        assert.equal(Number(await page.locator('#restitution').getAttribute('title')), event.restitution);
        assert.match(await page.locator('#law').innerText(), new RegExp(`^${event.law}`));
    });

    test('the law’s own answer in the table is the recorded impulse', async () => {
        // two pins in the air, with no other event at that time
        const row = events.findIndex(({ kind, a, b, t }) =>
            kind === 'impact' && a.startsWith('pin') && b.startsWith('pin') && events.filter((event) => event.t === t).length === 1);
        await page.evaluate((event) => window.carom.selection.chooseEvent(event), row);
        await settle(page);
        assert.equal(await page.locator('#impact .note').count(), 0);
        const cells = (selector) => page.locator(selector).first().locator('td', { hasText: '(' }).first().innerText();
        assert.equal(await cells('#impact tr.recorded'), await cells('#impact tr.chosen'));
    });

    test('impulse space turns with the mouse', async () => {
        const box = await page.locator('#impact .space canvas').boundingBox();
        const before = await picture(page, '#impact .space');
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 20, { steps: 5 });
        await page.mouse.up();
        await settle(page);
        assert.notEqual(await picture(page, '#impact .space'), before);
    });

    test('sorts and filters the list', async () => {
        await page.getByPlaceholder('Filter by body').fill('');
        await page.locator('.heads button', { hasText: 'p (N s)' }).click();
        await settle(page);
        await page.locator('#events .row').first().click();
        const row = await page.evaluate(() => window.carom.selection.event);
        const impacts = events.filter(({ kind }) => kind === 'impact');
        const size = ({ impulse }) => (impulse === null ? 0 : Math.hypot(...impulse));
        close(size(events[row]), Math.max(...impacts.map(size)), 1e-12, 'the largest impulse');
    });

    test('a body chosen in the tree is followed', async () => {
        await page.locator('#tree .row', { hasText: 'ball' }).last().click();
        await page.getByRole('button', { name: 'Follow' }).click();
        await settle(page);
        const target = () => page.evaluate(() => window.carom.scene.stage.controls.target.toArray());
        await page.evaluate(() => window.carom.player.seek(0.5));
        await settle(page);
        const before = await target();
        await page.evaluate(() => window.carom.player.seek(1.5));
        await settle(page);
        assert.ok((await target())[0] - before[0] > 5, 'the camera went down the lane with the ball');
    });

    test('ended without a complaint', () => assert.deepEqual(complaints, []));
});

/** carom/math/rotation.h: the shortest rotation of the normal to z, row by row. */
function contactFrame([x, y, z]) {
    const sine = Math.hypot(x, y);
    if (sine === 0) return [[1, 0, 0], [0, Math.sign(z), 0], [0, 0, Math.sign(z)]];
    const [a, b] = [y / sine, -x / sine];
    return [[(1 - z) * a * a + z, (1 - z) * a * b, -x], [(1 - z) * a * b, (1 - z) * b * b + z, -y], [x, y, z]];
}

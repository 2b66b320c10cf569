// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Links: everything that makes up the picture of a moment comes back; what a link names that is not
// there is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { caromLines, clock, launch, openViewer, record, serve, settle } from './support/carom.mjs';

const recording = record('bowling');
const events = caromLines('events', recording, '--json');
const strike = events.findIndex(({ kind, a, b }) => kind === 'impact' && [a, b].includes('ball') && [a, b].some((name) => name.startsWith('pin')));
let browser, server;

before(async () => {
    browser = await launch();
    server = await serve('view', recording);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

const MAY_COPY = { permissions: ['clipboard-read', 'clipboard-write'] };

async function linkOf(page) {
    await page.getByRole('button', { name: 'Link to this moment' }).click();
    await page.waitForFunction(() => /copied/.test(document.getElementById('told').textContent));
    return page.evaluate(() => navigator.clipboard.readText());
}

const stateOf = (page) => page.evaluate(() => {
    const { player, selection, scene, visibility, layers } = window.carom;
    const { position, target } = scene.camera;
    return {
        t: player.t, speed: player.speed, event: selection.event, body: selection.body, followed: selection.followed,
        layers: layers.names, trail: scene.trails.window, colours: scene.bodies.colouredBy,
        looks: window.carom.recording.meta.bodies.map((_, body) => visibility.of(body)),
        camera: [...position, ...target].map((value) => Number(value.toFixed(5))),
    };
});

test('a link brings back the moment, the camera, layers, looks and colours', async () => {
    const { page, context } = await openViewer(browser, server.address, MAY_COPY);
    await page.evaluate((row) => {
        const { selection, visibility, layers, player, scene } = window.carom;
        selection.chooseEvent(row);
        selection.chooseBody(3);
        selection.follow(6);
        visibility.set([7, 8], 'hidden');
        visibility.set([9], 'faint');
        layers.showOnly(['impulses', 'trails']);
        scene.trails.window = 0.2;
        layers.toggleColours();
        player.setSpeed(0.01);
    }, strike);
    await settle(page);
    const box = await page.locator('#stage canvas').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 360, box.y + 230, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    const before = await stateOf(page);
    const link = await linkOf(page);
    const other = await openViewer(browser, link);
    await settle(other.page);
    assert.deepEqual(await stateOf(other.page), before);
    assert.equal(await clock(other.page), events[strike].t, 'all digits of the time');
    assert.deepEqual(other.complaints, []);
    await other.context.close();
    await context.close();
});

test('a link to an impact shows the bodies after it', async () => {
    const { page, context } = await openViewer(browser, server.address, MAY_COPY);
    await page.evaluate((row) => window.carom.selection.chooseEvent(row), strike);
    await settle(page);
    const link = await linkOf(page);
    const other = await openViewer(browser, link);
    const [expected] = caromLines('sample', recording, '--at', String(events[strike].t), '--json').filter(({ body }) => body === 'ball');
    const velocity = await other.page.evaluate(() => {
        const ball = window.carom.recording.meta.bodies.findIndex(({ name }) => name === 'ball');
        return Array.from(window.carom.scene.shownStates.slice(13 * ball + 7, 13 * ball + 10));
    });
    assert.deepEqual(velocity, expected.velocity);
    await other.context.close();
    await context.close();
});

test('a link with a time that was cut to nine digits still lands at its event', async () => {
    const cut = events[strike].t.toFixed(9);
    const { page, context } = await openViewer(browser, `${server.address}#t=${cut}&event=${strike}`);
    assert.equal(await clock(page), events[strike].t);
    await context.close();
});

test('what a link names that is not there is told, and does no harm', async () => {
    let usual;
    for (const [hash, words] of [
        ['#event=-3', /no event -3: they are 0 to \d+/],
        ['#event=1.5', /no event 1\.5/],
        ['#event=999999', /no event 999999/],
        ['#event=many', /event must be a number/],
        ['#body=nobody', /no body 'nobody'/],
        ['#camera=1,2,3', /camera must be 6 numbers/],
        ['#whatif=%7B', /whatif cannot be read/],
        ['#near=0,0,0,0', /near must be a place and a reach above 0/],
        ['#near=0,0,0,-1', /near must be a place and a reach above 0/],
        ['#near=0,0,0,1e300', /near must be a place/],
        ['#near=0,0,0,Infinity', /near must be 4 numbers/],
        ['#camera=1e300,0,0,0,0,0', /camera must be two places that differ/],
        ['#camera=1,2,3,1,2,3', /camera must be two places that differ/],
        ['#look=0,120', /look must be an azimuth and an elevation/],
        ['#show=foo', /no layer 'foo': they are contacts, impulses, velocities, trails, plots/],
        ['#colours=pink', /colours must be material or body/],
        ['#speed=-1', /speed must be from 0\.0001 to 100/],
        ['#speed=1e9', /speed must be from/],
        ['#trails=-1', /trails must be above 0, or all/],
        ['#t=99', /t is 99 s; the recording ends at 4 s/],
        ['#t=-1', /t must not be below 0/],
        ['#evnt=3', /a link has no 'evnt'/i],
    ]) {
        const { page, context, complaints } = await openViewer(browser, server.address + hash);
        assert.match(await page.locator('#told').textContent(), words, hash);
        const { camera, ...state } = await stateOf(page);
        usual ??= state;
        assert.deepEqual(state, usual, `${hash} changes nothing`);
        assert.ok(camera.every((value) => Number.isFinite(value)), `${hash}: the camera is at ${camera}`);
        await page.keyboard.press(' ');
        await page.waitForFunction(() => window.carom.player.t > 0);
        assert.deepEqual(complaints, [], hash);
        await context.close();
    }
});

test('of the layers of a link those that there are are shown, and none is a choice too', async () => {
    for (const [hash, layers, words] of [['#show=trails,foo', ['trails'], /'foo'/], ['#show=', [], /^$/]]) {
        const { page, context } = await openViewer(browser, server.address + hash);
        assert.deepEqual((await stateOf(page)).layers, layers, hash);
        assert.match(await page.locator('#told').textContent(), words, hash);
        await context.close();
    }
});

test('a link brings back another future', async () => {
    const bounce = await serve('view', record('bounce'));
    try {
        const { page, context } = await openViewer(browser, `${bounce.address}#event=0`, MAY_COPY);
        await page.locator('.what-if input[name=e]').fill('0.3');
        await page.getByRole('button', { name: 'Run on from here' }).click();
        await page.locator('#ghost-banner').waitFor();
        const link = await linkOf(page);
        await context.close();
        const other = await openViewer(browser, link);
        await other.page.locator('#ghost-banner').waitFor();
        assert.match(await other.page.locator('#ghost-banner').innerText(), /e 0\.3/);
        await other.context.close();
    } finally {
        await bounce.stop();
    }
});

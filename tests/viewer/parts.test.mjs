// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What is drawn besides the bodies, and how bodies are seen: trails, scales, axes, names, hiding,
// colours, files, and the way to the laboratory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { caromLines, close, launch, openViewer, picture, record, serve, settle } from './support/carom.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

describe('coins', () => {
    const recording = record('coins');
    const events = caromLines('events', recording, '--json');
    let server, page, context, complaints;

    before(async () => {
        server = await serve('view', recording);
        ({ page, context, complaints } = await openViewer(browser, `${server.address}#t=0.5`));
    });
    after(async () => {
        await context?.close();
        await server?.stop();
    });

    test('trails are where the centres of mass were', async () => {
        const before = await picture(page, '#stage');
        await page.keyboard.press('t');
        await page.getByLabel('Length of trails').selectOption('0.2');
        await settle(page);
        assert.notEqual(await picture(page, '#stage'), before);
        const ends = await page.evaluate(() => {
            const { instanceStart, instanceEnd } = window.carom.scene.trails.object.geometry.attributes;
            const point = (attribute, i) => [attribute.getX(i), attribute.getY(i), attribute.getZ(i)];
            return Array.from({ length: instanceStart.count }, (_, i) => [point(instanceStart, i), point(instanceEnd, i)]).flat();
        });
        // one body's path, sampled by the program: every sample is near to some piece of the trails
        const times = Array.from({ length: 21 }, (_, i) => (0.3 + 0.01 * i).toFixed(4));
        const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
        const toPiece = (at, from, to) => {
            const along = to.map((x, k) => x - from[k]);
            const size = along.reduce((sum, x) => sum + x * x, 0);
            const part = size === 0 ? 0 : Math.min(1, Math.max(0, along.reduce((sum, x, k) => sum + x * (at[k] - from[k]), 0) / size));
            return apart(at, from.map((x, k) => x + part * along[k]));
        };
        for (const { t, body, position } of caromLines('sample', recording, '--at', times.join(','), '--json')) {
            if (body !== 'tossed-1') continue;
            let least = Infinity;
            for (let i = 0; i < ends.length; i += 2) least = Math.min(least, toPiece(position, ends[i], ends[i + 1]));
            assert.ok(least < 2e-4, `${body} at ${t} is ${least} m from its trail`);
        }
        const start = caromLines('sample', recording, '--at', '0.1', '--json').find(({ body }) => body === 'tossed-1').position;
        assert.ok(Math.min(...ends.map((end) => apart(end, start))) > 5e-3, 'older than the window is not drawn');
        await page.keyboard.press('t');
    });

    test('the grid and the arrows say what they stand for', async () => {
        for (const key of ['i', 'v']) await page.keyboard.press(key);
        await settle(page);
        const words = await page.locator('.scales').innerText();
        for (const expected of [/[\d.]+ m\b/, /N s impulse/, /N contact force/, /m\/s velocity/]) assert.match(words, expected);
        // the legend's arrow for velocities is as long as one of that speed on the screen
        const scale = await page.evaluate(() => window.carom.scene.overlay.arrowScales.find(({ name }) => name === 'velocity').perPixel);
        const shown = await page.locator('.scales span', { hasText: 'velocity' }).evaluate((line) => ({
            value: Number(/[\d.e·⁻]+(?= m\/s)/.exec(line.textContent)[0]), pixels: line.querySelector('svg').getBoundingClientRect().width,
        }));
        close(shown.pixels * scale, shown.value, 0.02, 'the length of the legend’s arrow');
        for (const key of ['i', 'v']) await page.keyboard.press(key);
    });

    test('the axes are red, green and blue, and a click looks along one', async () => {
        await page.getByRole('button', { name: 'Look along z' }).click();
        await settle(page);
        const { position, target } = await page.evaluate(() => window.carom.scene.camera);
        const way = position.map((x, axis) => x - target[axis]);
        assert.ok(way[2] > 0.99 * Math.hypot(...way), 'from above');
        const colours = await page.evaluate(() => ['x', 'y', 'z'].map((axis) => getComputedStyle(document.documentElement).getPropertyValue(`--axis-${axis}`).trim()));
        const strongest = colours.map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))).map((rgb) => rgb.indexOf(Math.max(...rgb)));
        assert.deepEqual(strongest, [0, 1, 2]);
        await page.keyboard.press('f');
        await settle(page);
    });

    test('a body under the pointer tells its name', async () => {
        await page.evaluate(() => window.carom.player.seek(4.5));
        await settle(page);
        const at = await page.evaluate(() => {
            const { scene, recording: { meta } } = window.carom;
            const plate = meta.bodies.findIndex(({ name }) => name === 'plate');
            const box = scene.framing.bodyBox(scene.shownStates, plate);
            const corner = box.getCenter(scene.stage.camera.position.clone()).project(scene.stage.camera);
            const { left, top, width, height } = scene.stage.renderer.domElement.getBoundingClientRect();
            return { x: left + (0.5 + corner.x / 2) * width, y: top + (0.5 - corner.y / 2) * height };
        });
        await page.mouse.move(at.x - 3, at.y);
        await page.mouse.move(at.x, at.y);
        await page.locator('.body-name').waitFor();
        const name = await page.locator('.body-name').innerText();
        assert.ok(/plate|tossed|rolled/.test(name), name);
        await page.mouse.move(5, 5);
    });

    test('bodies are seen through, hidden, and alone', async () => {
        const body = await page.evaluate(() => window.carom.recording.meta.bodies.findIndex(({ name }) => name === 'tossed-1'));
        await page.evaluate((number) => window.carom.selection.chooseBody(number), body);
        const look = (number) => page.evaluate((n) => window.carom.visibility.of(n), number);
        const shown = await picture(page, '#stage');
        await page.getByRole('button', { name: 'See through' }).click();
        await settle(page);
        assert.equal(await look(body), 'faint');
        const faint = await picture(page, '#stage');
        await page.getByRole('button', { name: 'Hide', exact: true }).click();
        await settle(page);
        assert.equal(await look(body), 'hidden');
        const hidden = await picture(page, '#stage');
        assert.equal(new Set([shown, faint, hidden]).size, 3);
        await page.getByRole('button', { name: 'Hide', exact: true }).click();
        await page.getByRole('button', { name: 'Only this' }).click();
        await settle(page);
        assert.equal(await look(body), 'shown');
        assert.equal(await look(body === 0 ? 1 : 0), 'hidden');
        await page.getByRole('button', { name: 'Show all' }).click();
        assert.equal(await look(0), 'shown');
        await page.keyboard.press('Escape');
    });

    test('coins of one material have colours of their own, or that of the material', async () => {
        const colours = () => page.evaluate(() => {
            const { scene, recording: { meta } } = window.carom;
            return meta.bodies.flatMap(({ fixed }, body) => (fixed ? [] : [scene.bodies.colourOf(body)]));
        });
        const hues = (list) => new Set(list.map((colour) => {
            const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
            return Math.round(Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 6);
        })).size;
        assert.ok(hues(await colours()) >= 5, (await colours()).join());
        await page.keyboard.press('b');
        assert.ok(hues(await colours()) <= 2, (await colours()).join());
        await page.keyboard.press('b');
    });

    test('pictures and plots are saved as files', async () => {
        const row = events.findIndex(({ kind }) => kind === 'impact');
        await page.evaluate((event) => window.carom.selection.chooseEvent(event), row);
        await settle(page);
        await page.waitForFunction(() => window.carom.plots.series !== null);
        for (const [item, ending, beginning] of [
            ['Scene (PNG)', 'coins.png', '\u2030PNG'], ['Energy (SVG)', 'coins-energy.svg', '<svg'], ['Momentum (SVG)', 'coins-momentum.svg', '<svg'],
            ['Contact force (SVG)', 'coins-force.svg', '<svg'], ['Impulse space (SVG)', 'coins-impulse-space.svg', '<svg'],
        ]) {
            await page.locator('.menu summary').click();
            const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: item, exact: true }).click()]);
            assert.equal(download.suggestedFilename(), ending);
            const bytes = readFileSync(await download.path());
            assert.ok(bytes.length > 1500, `${item}: ${bytes.length} bytes`);
            if (beginning === '<svg') {
                const text = bytes.toString('utf8');
                assert.ok(text.startsWith('<svg'), item);
                assert.equal(/NaN|Infinity|undefined/.exec(text), null, item);
                // the browser can read it
                const size = await page.evaluate((svg) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll('parsererror').length, text);
                assert.equal(size, 0, item);
            } else assert.deepEqual([...bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
        }
    });

    test('an impact opens in the laboratory with its K, u, law and parameters', async () => {
        const row = events.findIndex(({ kind }) => kind === 'impact');
        const [lab] = await Promise.all([context.waitForEvent('page'), page.locator('.lab-link').click()]);
        await lab.waitForSelector('#answers tr[data-label]');
        await settle(lab);
        const recorded = await page.locator('#impact tr.chosen').getAttribute('data-p');
        const chosen = lab.locator('#answers tr.chosen');
        assert.equal(await chosen.getAttribute('data-label'), await page.locator('#impact tr.chosen').getAttribute('data-label'));
        const [here, there] = [recorded, await chosen.getAttribute('data-p')].map((text) => text.split(' ').map(Number));
        here.forEach((value, axis) => assert.ok(Math.abs(value - there[axis]) <= 1e-12 * Math.hypot(...here), `${here} is not ${there}`));
        assert.match(await lab.locator('#story').innerText(), new RegExp(`${events[row].a}.*${events[row].b}.*recorded`, 's'));
        await lab.close();
    });

    test('ended without a complaint', () => assert.deepEqual(complaints, []));
});

test('a table tells what another future has changed', async () => {
    const server = await serve('view', record('bounce'));
    try {
        const { page, context } = await openViewer(browser, `${server.address}#event=0`);
        await page.locator('.what-if input[name=e]').fill('0.3');
        await page.getByRole('button', { name: 'Run on from here' }).click();
        await page.locator('#ghost-banner').waitFor();
        await page.waitForFunction(() => !window.carom.scene.ghosts.reader.recording.meta.running);
        await page.evaluate(() => window.carom.player.seek(0.8));
        await settle(page);
        const apart = await page.evaluate(() => {
            const [ghost, ball] = [window.carom.scene.ghosts.reader.of(1, 0.8), window.carom.bodyCard.reader.of(1, 0.8)];
            return Math.hypot(ghost[0] - ball[0], ghost[1] - ball[1], ghost[2] - ball[2]);
        });
        const row = await page.locator('.what-changed tr', { hasText: 'ball' }).locator('td').allInnerTexts();
        close(Number(row[2]), apart, 5e-3, 'how far apart');
        assert.match(await page.locator('.what-changed').innerText(), /events[\s\S]*lost[\s\S]*kinetic/);
        await context.close();
    } finally {
        await server.stop();
    }
});

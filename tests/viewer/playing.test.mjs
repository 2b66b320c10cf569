// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Playing: one drawing a frame of the browser, and scene time that goes with the clock; the
// resolution that follows how fast frames are.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from '../viewer_lab/support/library.mjs';
import { launch, openViewer, record, serve, settle } from './support/carom.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Counts, while it plays for so long (ms): frames of the browser, drawings in each, times at both ends. */
const watchPlaying = (page, ms) => page.evaluate((duration) => new Promise((done) => {
    const { scene, player } = window.carom;
    let drawings = 0;
    const draw = scene.stage.draw.bind(scene.stage);
    scene.stage.draw = () => {
        drawings++;
        draw();
    };
    const perFrame = [];
    let start = null;
    let last = 0;
    const frame = (now) => {
        // the first frames after play begins have no time of their own yet
        if (start === null && player.t > 0) start = { now, t: player.t };
        perFrame.push(drawings - last);
        last = drawings;
        if (start !== null && now - start.now > duration) {
            delete scene.stage.draw;
            done({ perFrame, seconds: (now - start.now) / 1000, sceneSeconds: player.t - start.t, playing: player.playing });
        } else requestAnimationFrame(frame);
    };
    player.toggle();
    requestAnimationFrame(frame);
}), ms);

// the gas of a thousand balls for as long as it is watched
for (const [scene, ...options] of [['bowling'], ['platter'], ['gas', '--duration', '6']]) {
    test(`${scene}: one drawing a frame, and time with the clock`, async () => {
        const server = await serve('view', record(scene, ...options));
        try {
            const { page, context, complaints } = await openViewer(browser, server.address);
            const { perFrame, seconds, sceneSeconds, playing } = await watchPlaying(page, 2500);
            assert.equal(playing, true);
            assert.ok(Math.max(...perFrame) <= 1, `drawings in each frame: ${perFrame.join(' ')}`);
            assert.ok(perFrame.reduce((sum, drawings) => sum + drawings, 0) >= 0.8 * perFrame.length, 'every frame is drawn');
            // the time of a drawing is that of its frame: they differ by less than the longest frame
            assert.ok(Math.abs(sceneSeconds - seconds) < 0.25, `${sceneSeconds} s of the scene in ${seconds} s`);
            await page.evaluate(() => window.carom.player.pause());
            await settle(page);
            const frames = await page.evaluate(() => window.carom.frames);
            await page.waitForTimeout(300);
            assert.equal(await page.evaluate(() => window.carom.frames), frames, 'nothing is drawn when nothing changes');
            assert.deepEqual(complaints, []);
            await context.close();
        } finally {
            await server.stop();
        }
    });
}

test('the resolution goes down with slow frames and comes back with fast ones', async () => {
    const { Resolution } = await load('view/resolution.ts');
    const resolution = new Resolution(2);
    const play = (frames, seconds) => {
        for (let frame = 0; frame < frames; frame++) resolution.told(seconds);
        return resolution.ratio;
    };
    assert.equal(play(5, 0.1), 2, 'a few slow frames are not enough');
    const low = play(30, 0.1);
    assert.ok(low < 2 && low >= 0.6, String(low));
    assert.ok(play(50, 0.016) > low, 'some fast frames raise it');
    assert.equal(play(2000, 0.016), 2, 'and more of them all the way');
    play(30, 0.1);
    resolution.told(null);
    assert.equal(resolution.ratio, 2, 'a still picture is sharp');
    assert.ok(play(1, 0.1) < 2, 'playing goes on where it was');
});

test('the picture is sharp again when playing has come to its end', async () => {
    const server = await serve('view', record('bowling'));
    try {
        const { page, context } = await openViewer(browser, `${server.address}#t=3.8`);
        await page.evaluate(() => {
            const { scene, player } = window.carom;
            scene.stage.resolution.playing = 0.6;
            player.toggle();
        });
        const ratio = () => page.evaluate(() => window.carom.scene.stage.renderer.getPixelRatio());
        await page.waitForFunction(() => window.carom.scene.stage.renderer.getPixelRatio() < 1);
        await page.waitForFunction(() => !window.carom.player.playing);
        await settle(page);
        assert.equal(await ratio(), 1);
        await context.close();
    } finally {
        await server.stop();
    }
});

test('a step up that does not hold is not tried again at once', async () => {
    const { Resolution } = await load('view/resolution.ts');
    const resolution = new Resolution(1);
    let changes = 0;
    // fast when low, slow when high, as a machine is that is just too slow
    for (let frame = 0; frame < 3000; frame++) if (resolution.told(resolution.ratio >= 1 ? 0.1 : 0.016)) changes++;
    assert.ok(changes < 16, `${changes} changes in 3000 frames`);
});

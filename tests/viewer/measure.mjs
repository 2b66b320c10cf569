// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// How fast the viewer is with a large recording, in Chromium without a graphics card at 1280 by 720:
//
//   node tests/viewer/measure.mjs RECORDING
//
// prints one JSON object: seconds from the request to something to see, to a page that is open (all
// events on the timeline and in the list, every time can be gone to), to a picture of the middle of
// the run that is asked for then, and to everything in the page; and while it plays, frames a second
// (frames of the browser in which the scene was drawn, however often) and how much of the scene's
// time passes in a second of the clock.
// CAROM_PROGRAM and CAROM_CHROMIUM are as in the tests.
import { launch, serve } from './support/carom.mjs';

const PLAYED_SECONDS = 8;
const [recording] = process.argv.slice(2);
if (recording === undefined) throw new Error('which recording?');

const browser = await launch();
const server = await serve('view', recording);
try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const begin = performance.now();
    const since = () => (performance.now() - begin) / 1000;
    await page.goto(server.address, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.carom?.frames > 0, null, { polling: 20 });
    const seen = since();
    await page.waitForFunction(() => window.carom.recording.loaded === 1, null, { polling: 20 });
    const opened = since();
    await page.evaluate(() => {
        const { player, recording } = window.carom;
        window.framesBefore = window.carom.frames;
        player.seek(recording.end / 2);
    });
    await page.waitForFunction(() => window.carom.frames > window.framesBefore && !window.carom.waiting, null, { polling: 20 });
    const elsewhere = since();
    await page.waitForFunction(() => window.carom.recording.whole, null, { polling: 20 });
    const whole = since();
    await page.evaluate(() => window.carom.player.seek(0));
    await page.waitForTimeout(2000);
    await page.keyboard.press(' ');
    await page.waitForTimeout(1000);
    const played = await page.evaluate((ms) => new Promise((done) => {
        const { player } = window.carom;
        const start = { now: performance.now(), t: player.t };
        let [seen, frames] = [window.carom.frames, 0];
        const frame = (now) => {
            if (window.carom.frames !== seen) frames++;
            seen = window.carom.frames;
            // a short recording ends before
            if (now - start.now < ms && player.playing) requestAnimationFrame(frame);
            else done({ frames, seconds: (now - start.now) / 1000, sceneSeconds: player.t - start.t });
        };
        requestAnimationFrame(frame);
    }), 1000 * PLAYED_SECONDS);
    const { bodies, events } = await page.evaluate(() => ({
        bodies: window.carom.recording.meta.bodies.length, events: window.carom.recording.brief.events.rows,
    }));
    console.log(JSON.stringify({
        bodies, events, seconds_to_see: seen, seconds_to_open: opened, seconds_to_see_elsewhere: elsewhere,
        seconds_to_have_all: whole, frames_per_second: played.frames / played.seconds,
        scene_seconds_per_second: played.sceneSeconds / played.seconds,
    }));
} finally {
    await browser.close();
    await server.stop();
}

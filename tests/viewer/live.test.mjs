// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A scene that is shown while it runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caromLines, launch, openViewer, record, serve } from './support/carom.mjs';

test('a run is shown while it goes on, and whole when it has ended', async () => {
    const server = await serve('view', 'dominoes', '--duration', '1');
    const browser = await launch();
    try {
        const { page, complaints } = await openViewer(browser, server.address);
        await page.waitForFunction(() => window.carom.recording.end > 0);
        await page.waitForFunction(() => !window.carom.recording.meta.running, null, { timeout: 120_000 });
        await page.waitForFunction(() => /events/.test(document.getElementById('state').textContent));
        const [end, rows, counted] = await page.evaluate(() => {
            const { recording } = window.carom;
            return [recording.end, recording.tables.events.rows, recording.meta.counts.events];
        });
        assert.equal(end, 1);
        assert.equal(rows, counted);
        assert.equal(rows, caromLines('events', record('dominoes', '--duration', '1'), '--json').length);
        assert.deepEqual(complaints, []);
    } finally {
        await browser.close();
        await server.stop();
    }
});

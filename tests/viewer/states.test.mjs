// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Bodies are where `carom sample` says they are, whatever kind of motion they follow.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { caromLines, launch, openViewer, record, scratch, serve } from './support/carom.mjs';

const TOLERANCE = 1e-11; // of positions, m; scenes are some metres large

/** A bat that turns about its end while it moves, and a ball that it hits. */
const BAT = `
title = "A bat"
[simulation]
duration = 1.0
[[contact]]
law = "routh"
e = 0.6
mu = 0.3
[[body]]
name = "bat"
shape = { type = "box", size = [0.8, 0.06, 0.06] }
position = [0.4, 0, 0]
fixed = true
pivot = [0, 0, 0]
velocity = [0, 0.2, 0]
angular_velocity = [0, 0, 3]
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.05 }
mass = 0.2
position = [0.5, 0.6, 0.3]
velocity = [0, -0.2, 0]
`;

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser?.close());

/** Where the page has the shapes' frames, in the order of the rows. */
const positions = (page, rows) => page.evaluate((wanted) => wanted.map(({ t, body: name }) => {
    const { bodies } = window.carom.recording.meta;
    const body = bodies.findIndex((entry) => entry.name === name);
    const [x, y, z, w, i, j, k] = window.carom.bodyCard.reader.of(body, t);
    const [a, b, c] = bodies[body].centre;
    return [
        x - ((1 - 2 * (j * j + k * k)) * a + 2 * (i * j - w * k) * b + 2 * (i * k + w * j) * c),
        y - (2 * (i * j + w * k) * a + (1 - 2 * (i * i + k * k)) * b + 2 * (j * k - w * i) * c),
        z - (2 * (i * k - w * j) * a + 2 * (j * k + w * i) * b + (1 - 2 * (i * i + j * j)) * c),
    ];
}), rows);

async function compare(recording, times) {
    const server = await serve('view', recording);
    try {
        const { page, context, complaints } = await openViewer(browser, server.address);
        const rows = caromLines('sample', recording, '--at', times.join(','), '--json');
        const seen = await positions(page, rows.map(({ t, body }) => ({ t, body })));
        rows.forEach((row, at) => row.position.forEach((coordinate, axis) => {
            assert.ok(Math.abs(seen[at][axis] - coordinate) < TOLERANCE, `${row.body} at ${row.t}: ${seen[at]} is not ${row.position}`);
        }));
        assert.deepEqual(complaints, []);
        await context.close();
    } finally {
        await server.stop();
    }
}

test('in flight, asleep and in micro-collisions', () => compare(record('bowling'), [0, 0.37, 1.9, 2.4411, 2.7, 3.3, 4]));

test('tumbling without symmetry', () => compare(record('tumble'), [0, 0.1, 0.37, 0.81]));

test('on a turning platter', () => compare(record('platter'), [0, 1.7, 6.3, 10.9]));

test('a fixed body that turns about a pivot which moves', async () => {
    const scene = join(scratch, 'bat.toml');
    writeFileSync(scene, BAT);
    await compare(record(scene), [0, 0.2, 0.55, 0.9, 1]);
});

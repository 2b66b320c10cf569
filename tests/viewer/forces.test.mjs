// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Where forces of lasting contacts are drawn: at a place that moves during their interval, as their
// rows say; and where it was, in recordings that do not say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, openViewer, record, serve, settle } from './support/carom.mjs';

const OLD_BYTES = 96;
const NEW_BYTES = 128;
/** Where the server's own description of rows would be. */
const LAYOUT = {
    bytes: NEW_BYTES,
    columns: { t0: 0, t1: 8, a: 16, b: 20, point: 24, normal: 48, impulse: 72, point_end: 96, follows: 120 },
};
let browser, server;

before(async () => {
    browser = await launch();
    server = await serve('view', record('platter'));
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

/** Rows of the old length, each with another end of its place, what it follows, and a free body as its first. */
function moving(rows, follows, free) {
    const count = rows.length / OLD_BYTES;
    const out = Buffer.alloc(count * NEW_BYTES);
    for (let row = 0; row < count; row++) {
        const [from, to] = [row * OLD_BYTES, row * NEW_BYTES];
        rows.copy(out, to, from, from + OLD_BYTES);
        out.writeUInt32LE(free, to + 16);
        for (let axis = 0; axis < 3; axis++) out.writeDoubleLE(rows.readDoubleLE(from + 24 + 8 * axis) + 0.5 * (axis + 1), to + 96 + 8 * axis);
        out.writeUInt32LE(follows, to + 120);
    }
    return out;
}

/** How rows of forces are long as they are served, from one of them. */
async function servedBytes() {
    const answer = await fetch(new URL('api/table/forces?from=0&count=1', server.address));
    return (await answer.arrayBuffer()).byteLength;
}

/** Opens the recording with rows changed so; described: whether the server describes them. */
async function openChanged(follows, described) {
    const bytes = await servedBytes();
    const { bodies } = await (await fetch(new URL('api/meta', server.address))).json();
    const free = bodies.findIndex(({ fixed }) => !fixed);
    return openViewer(browser, server.address, {}, async (page) => {
        await page.route('**/api/table/forces**', async (route) => {
            const answer = await route.fetch();
            const rows = await answer.body();
            const old = Buffer.concat(Array.from({ length: rows.length / bytes }, (_, row) => rows.subarray(row * bytes, row * bytes + OLD_BYTES)));
            await route.fulfill({ status: 200, contentType: 'application/octet-stream', body: follows === null ? old : moving(old, follows, free) });
        });
        await page.route('**/api/meta', async (route) => {
            const meta = await (await route.fetch()).json();
            delete meta.layouts;
            await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify(described ? { ...meta, layouts: { forces: LAYOUT } } : meta) });
        });
    });
}

/** A force and a time within its interval; where the page puts it then, and what that follows from. */
const placeOf = (page, part) => page.evaluate(async (share) => {
    const { recording, scene, player } = window.carom;
    const { forces, forceColumns: column } = recording.tables;
    let row = 0;
    for (let i = 0; i < forces.rows; i++) {
        const length = (n) => forces.double(n, column.t1) - forces.double(n, column.t0);
        if (length(i) > length(row)) row = i;
    }
    const [t0, t1] = [forces.double(row, column.t0), forces.double(row, column.t1)];
    const t = t0 + share * (t1 - t0);
    const body = forces.word(row, column.a);
    const centre = (time) => Array.from(window.carom.bodyCard.reader.of(body, time).slice(0, 3));
    const way = [centre(t0), centre(t)];
    const before = window.carom.frames;
    player.seek(t);
    while (window.carom.frames === before) await new Promise((done) => requestAnimationFrame(done));
    const place = [0, 0, 0];
    const here = scene.overlay.places.at(row, t, scene.shownStates, place);
    // the dots that were drawn then
    const matrices = scene.overlay.dots.lasting.mesh;
    const drawn = Array.from({ length: matrices.count }, (_, n) => Array.from(matrices.instanceMatrix.array.slice(16 * n + 12, 16 * n + 15)));
    return { here, place, drawn, point: Array.from(forces.vector(row, column.point)), moved: way[1].map((x, axis) => x - way[0][axis]) };
}, part);

const near = (got, expected, what) => got.forEach((x, axis) => assert.ok(Math.abs(x - expected[axis]) < 1e-6, `${what}: ${got} is not ${expected}`));
const isDrawn = (drawn, place) => assert.ok(
    drawn.some((at) => at.every((x, axis) => Math.abs(x - place[axis]) < 1e-5 * Math.max(1, Math.abs(place[axis])))), `${place} is not among ${JSON.stringify(drawn)}`,
);

test('straight from its first point to its last', async () => {
    const { page, context, complaints } = await openChanged(0, true);
    const { here, place, drawn, point } = await placeOf(page, 0.25);
    assert.equal(here, true);
    near(place, point.map((x, axis) => x + 0.25 * 0.5 * (axis + 1)), 'a quarter of the way');
    isDrawn(drawn, place);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('with the centre of mass of its body', async () => {
    const { page, context } = await openChanged(1, true);
    const { place, drawn, point, moved } = await placeOf(page, 0.75);
    assert.ok(Math.hypot(...moved) > 1e-6, 'the body moves');
    near(place, point.map((x, axis) => x + moved[axis]), 'with the body');
    isDrawn(drawn, place);
    await context.close();
});

test('the arrow of a force is as long as the legend says', async () => {
    const { page, context } = await openViewer(browser, `${server.address}#t=6&show=impulses`);
    const { force, pixels, perPixel } = await page.evaluate(() => {
        const { recording, scene } = window.carom;
        const { forces, forceColumns: column } = recording.tables;
        const row = forces.firstAfter(6, column.t1);
        const size = forces.size(row, column.impulse) / (forces.double(row, column.t1) - forces.double(row, column.t0));
        // where the head of the only arrow is, and where it begins, in the world
        const mesh = scene.overlay.impulses.heads.instanceMatrix.array;
        const begin = scene.overlay.impulses.shafts.instanceMatrix.array;
        const length = Math.hypot(...[12, 13, 14].map((at) => mesh[at] - begin[at]));
        const from = scene.stage.camera.position.clone().set(begin[12], begin[13], begin[14]);
        return { force: size, pixels: length / scene.overlay.makePixelSize()(from), perPixel: scene.overlay.arrowScales.find(({ unit }) => unit === 'N').perPixel };
    });
    assert.ok(force > 9 && force < 11, `${force} N`);
    assert.ok(Math.abs(pixels * perPixel - force) < 0.01 * force, `${pixels} px of ${perPixel} N are not ${force} N`);
    await context.close();
});

test('rows that no server describes are told by their length', async () => {
    const { page, context } = await openChanged(0, false);
    const { place, point } = await placeOf(page, 0.5);
    near(place, point.map((x, axis) => x + 0.25 * (axis + 1)), 'half of the way');
    await context.close();
});

test('old recordings have a place that stays', async () => {
    const { page, context, complaints } = await openChanged(null, false);
    const { place, drawn, point } = await placeOf(page, 0.5);
    near(place, point, 'where it was');
    isDrawn(drawn, place);
    await settle(page);
    assert.deepEqual(complaints, []);
    await context.close();
});

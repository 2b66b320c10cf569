// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The page's motions are those of `carom sample`, for every kind of segment: recordings of the
// scenes, read as the page reads them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { carom, caromLines, record, ROOT, scratch, serve } from '../viewer/support/carom.mjs';
import { load, randomNumbers } from './support/library.mjs';

const { loadModule, MotionSet, namedState } = await load('laws/index.ts');
const module = await loadModule();

const RELATIVE = 1e-12;
/** Bodies under forces come in pieces that hold the pose to 1e-8 (carom/serve/forced_pieces.h), their velocities less. */
const RELATIVE_FORCED = 1e-8;
const RELATIVE_FORCED_VELOCITY = 1e-5;
const KINDS = ['given', 'flight', 'asleep', 'forced', 'held', 'on-plane', 'constrained'];

/** A paddle that turns about a point and glides, and a ball with drag above it. */
const PIVOT_AND_DRAG = `
[simulation]
duration = 1.0
[[contact]]
materials = ["*", "*"]
law = "routh"
e = 0.6
mu = 0.3
[[body]]
name = "paddle"
shape = { type = "box", size = [2, 1, 0.1] }
fixed = true
position = [0.2, 0.1, -0.4]
pivot = [-0.6, 0.3, -0.5]
velocity = [0.2, -0.1, 0.05]
angular_velocity = [0.1, 0.2, 0.7]
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.1 }
mass = 0.5
position = [0, 0, 0.8]
velocity = [0.3, 0.1, 0]
angular_velocity = [4, 2, 9]
forces = [{ type = "drag", quadratic = 0.05, linear = 0.02 }]
`;

/** Meta and tables as the page gets them. */
async function fetched(file) {
    const server = await serve('view', file);
    const address = server.address.replace(/\/$/, '');
    const get = async (path) => {
        const answer = await fetch(`${address}/api/${path}`);
        assert.equal(answer.status, 200, path);
        return answer;
    };
    const meta = await (await get('meta')).json();
    const table = async (name, bytes) => {
        const all = new Uint8Array(await (await get(`table/${name}?from=0`)).arrayBuffer());
        return Array.from({ length: all.length / bytes }, (_, i) => all.slice(bytes * i, bytes * (i + 1)));
    };
    const data = { meta, segments: await table('segments', 120), lasting: await table('lasting', 336) };
    await server.stop();
    return data;
}

/** A set of motions, and for each body its segments in order. */
function player({ meta, segments, lasting }) {
    const constants = meta.bodies.map((body) => {
        const shape = body.shape.ref === undefined ? body.shape : meta.shapes[body.shape.ref];
        return { ...body, pivot: body.given?.pivot ?? null, radius: shape.type === 'sphere' ? shape.radius : null };
    });
    const set = new MotionSet(module, constants, meta.gravity);
    const more = new Map(lasting.map((row) => [Number(new DataView(row.buffer).getBigUint64(0, true)), row]));
    const ways = meta.bodies.map(() => []);
    segments.forEach((row, number) => {
        const view = new DataView(row.buffer);
        ways[view.getUint32(8, true)].push({
            t0: view.getFloat64(0, true),
            kind: KINDS[view.getUint32(12, true)],
            row,
            lasting: more.get(number) ?? null,
        });
    });
    const place = (body, t) => {
        const now = ways[body].findLast((segment) => segment.t0 <= t);
        set.place(now.row, now.lasting);
        return now.kind;
    };
    return { set, place };
}

const turned = ([w, x, y, z], [a, b, c]) => {
    const [p, q, r] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
    return [a + 2 * (y * r - z * q), b + 2 * (z * p - x * r), c + 2 * (x * q - y * p)];
};

function compare(state, centre, line, relative, spans, what) {
    const frame = state.position.map((component, i) => component - turned(state.orientation, centre)[i]);
    const near = (got, expected, scale, name, within = relative) =>
        got.forEach((value, i) =>
            assert.ok(Math.abs(value - expected[i]) <= within * scale, `${what}: ${name} ${got} is not ${expected}`),
        );
    const rates = relative === RELATIVE_FORCED ? RELATIVE_FORCED_VELOCITY : relative;
    near(frame, line.position, spans.length, 'position');
    near(state.orientation, line.orientation, Math.max(1, spans.turns), 'orientation');
    near(state.velocity, line.velocity, spans.speed, 'velocity', rates);
    near(state.angularVelocity, line.angular_velocity, spans.spin, 'angular velocity', rates);
}

/** Sizes that rounding is relative to: of all numbers of a run. */
function spansOf(lines, duration) {
    const largest = (field) => Math.max(1e-3, ...lines.map((line) => Math.hypot(...line[field])));
    const spin = largest('angular_velocity');
    return { length: largest('position'), speed: largest('velocity'), spin, turns: spin * duration };
}

async function compareRecording(file, seed) {
    const data = await fetched(file);
    const random = randomNumbers(seed);
    const times = Array.from({ length: 40 }, () => data.meta.end * random()).sort((a, b) => a - b);
    const lines = caromLines('sample', file, '--at', times.join(','), '--format', 'json');
    const { set, place } = player(data);
    const spans = spansOf(lines, data.meta.end);
    const kinds = new Set();
    for (const line of lines) {
        const body = data.meta.bodies.findIndex(({ name }) => name === line.body);
        const kind = place(body, line.t);
        kinds.add(kind);
        const relative = data.meta.scene_text.includes('forces =') ? RELATIVE_FORCED : RELATIVE;
        compare(
            namedState(set.state(body, line.t)),
            data.meta.bodies[body].centre,
            line,
            relative,
            spans,
            `${file}, ${line.body} (${kind}) at ${line.t}`,
        );
    }
    // all at once gives the same numbers
    const last = times.at(-1);
    const all = set.states(last);
    data.meta.bodies.forEach((_, body) => assert.deepEqual(namedState(all, body), namedState(set.state(body, last))));
    set.dispose();
    return kinds;
}

/** The recording of a scene of the repository, with contact that lasts in closed forms and islands. */
function recordLasting(scene) {
    const text = readFileSync(join(ROOT, `scenes/${scene}.toml`), 'utf8');
    assert.ok(text.includes('[simulation]\n'));
    const changed = join(scratch, `${scene}-lasting.toml`);
    writeFileSync(changed, text.replace('[simulation]\n', '[simulation]\ncontact = "lasting"\n'));
    return record(changed);
}

/** Scenes, and kinds of segments that the comparison must have met. */
const SCENES = [
    ['tumble', false, ['flight']],
    ['bowling', false, ['given', 'flight', 'on-plane']],
    ['coins', false, ['flight']],
    ['dice', false, ['flight']],
    ['platter', true, ['given', 'on-plane']],
    ['pool-break', true, ['on-plane']],
    ['ramp-slide', true, ['constrained']],
    ['dominoes', false, ['held']],
];

for (const [scene, lasts, expected] of SCENES) {
    test(`${scene}${lasts ? ' with lasting contact' : ''} moves as carom sample says`, async () => {
        const kinds = await compareRecording(lasts ? recordLasting(scene) : record(scene), 17);
        for (const kind of expected) assert.ok(kinds.has(kind), `${scene} has no segment of kind ${kind}, only ${[...kinds]}`);
    });
}

test('a body that turns about another point, and one under a force', async () => {
    const scene = join(scratch, 'pivot-and-drag.toml');
    writeFileSync(scene, PIVOT_AND_DRAG);
    const file = join(scratch, 'pivot-and-drag.carom');
    carom('run', scene, '--quiet', '-o', file);
    const kinds = await compareRecording(file, 5);
    assert.ok(kinds.has('given'));
});

test('rows that no run can have written are refused, and the set lives on', async () => {
    const data = await fetched(record('tumble'));
    const { set, place } = player(data);
    const bad = data.segments[0].slice();
    new DataView(bad.buffer).setUint32(12, 3, true);
    assert.throws(() => set.place(bad, null), /kind 3 cannot be played/);
    new DataView(bad.buffer).setUint32(12, 4, true);
    assert.throws(() => set.place(bad, null), /lacks its row/);
    new DataView(bad.buffer).setUint32(8, 99, true);
    assert.throws(() => set.place(bad, null), /not there/);
    new DataView(bad.buffer).setUint32(8, 0, true);
    new DataView(bad.buffer).setUint32(12, 1, true);
    new DataView(bad.buffer).setFloat64(16, NaN, true);
    assert.throws(() => set.place(bad, null), /not finite/);
    place(0, 0);
    assert.ok(set.states(1).every(Number.isFinite));
});

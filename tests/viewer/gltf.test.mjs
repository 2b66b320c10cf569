// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Exported glTF as Khronos' validator sees it, and its animation beside `carom sample`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { carom, caromLines, record, ROOT, scratch } from './support/carom.mjs';

const validator = createRequire(join(ROOT, 'viewer/package.json'))('gltf-validator');

function exported(scene, ending) {
    const file = join(scratch, `${scene}.${ending}`);
    carom('export', record(scene), '--to', 'gltf', '--force', '-o', file);
    return readFileSync(file);
}

for (const [scene, ending] of [['coins', 'glb'], ['bowling', 'gltf'], ['platter', 'glb'], ['dice', 'gltf']]) {
    test(`${scene}.${ending} validates`, async () => {
        const report = await validator.validateBytes(new Uint8Array(exported(scene, ending)));
        const messages = report.issues.messages.filter(({ severity }) => severity <= 1);
        assert.deepEqual(messages, []);
        assert.ok(report.info.animationCount === 1);
    });
}

/** Doubles of an accessor of a text glTF with its buffer inside. */
function numbersOf(gltf, index) {
    const accessor = gltf.accessors[index];
    const view = gltf.bufferViews[accessor.bufferView];
    const bytes = Buffer.from(gltf.buffers[view.buffer].uri.split(',')[1], 'base64');
    const wide = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
    const from = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return Array.from({ length: accessor.count * wide }, (_, i) => bytes.readFloatLE(from + 4 * i));
}

test('its animation is the motion of carom sample', () => {
    const gltf = JSON.parse(exported('dice', 'gltf').toString('utf8'));
    const [animation] = gltf.animations;
    const compared = new Set();
    for (const { sampler, target } of animation.channels) {
        if (target.path !== 'translation') continue;
        const { name } = gltf.nodes[target.node];
        const times = numbersOf(gltf, animation.samplers[sampler].input);
        const places = numbersOf(gltf, animation.samplers[sampler].output);
        const chosen = [1, Math.floor(times.length / 2), times.length - 2].filter((k) => k > 0 && k < times.length);
        const states = caromLines('sample', record('dice'), '--json', '--at', chosen.map((k) => times[k]).join(','));
        chosen.forEach((k) => {
            const state = states.find((s) => s.body === name && Math.abs(s.t - times[k]) < 1e-9);
            assert.ok(state !== undefined, `${name} at ${times[k]}`);
            state.position.forEach((x, axis) => assert.ok(Math.abs(x - places[3 * k + axis]) < 1e-4, `${name} at ${times[k]}`));
        });
        compared.add(name);
    }
    assert.equal(compared.size, 5);
});

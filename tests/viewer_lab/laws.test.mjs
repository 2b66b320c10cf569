// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The laws in the page give what `carom impact` and `carom laws` give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carom } from '../viewer/support/carom.mjs';
import { caromImpact, load, randomNumbers, RELATIVE, RELATIVE_COMPLIANT } from './support/library.mjs';

const { loadLaws } = await load('laws/laws.ts');
const laws = await loadLaws();
// samples on the way move with the steps, more than the end does
const RELATIVE_COMPLIANT_SAMPLES = 1e-7;

const rows = (K) => [K.slice(0, 3), K.slice(3, 6), K.slice(6)];
const size = (values) => Math.max(...values.map(Math.abs));

function near(got, expected, scale, what) {
    if (expected === null) return assert.equal(got, null, what);
    assert.ok(Math.abs(got - expected) <= RELATIVE * scale, `${what}: ${got} is not ${expected}`);
}

/** A positive definite K, an approaching u and parameters for every law. */
function randomProblem(random) {
    const between = (low, high) => low + (high - low) * random();
    const G = Array.from({ length: 9 }, () => between(-1, 1));
    const K = Array.from({ length: 9 }, (_, at) => {
        const [i, j] = [Math.floor(at / 3), at % 3];
        return [0, 1, 2].reduce((sum, k) => sum + G[3 * Math.min(i, j) + k] * G[3 * Math.max(i, j) + k], i === j ? 0.2 : 0);
    });
    // one in four is of spheres: several laws take only those
    if (random() < 0.25) [K[1], K[2], K[3], K[5], K[6], K[7], K[4]] = [0, 0, 0, 0, 0, 0, K[0]];
    const u = [between(-2, 2), between(-2, 2), between(-2, -0.05)];
    return {
        K,
        u,
        law: 'routh',
        parameters: {
            e: random(),
            mu: between(0, 1.5),
            et: between(-1, 1),
            nu: between(0, 0.5),
            sigma: random(),
            mu2: between(-0.5, 0.5),
            mu3: between(-0.5, 0.5),
            psi1: between(0, 1),
            psi2: between(0, 6),
            rho: random(),
            P: [between(-1, 1), between(-1, 1), random()],
        },
    };
}

test('the registry is that of `carom laws`', () => {
    const expected = JSON.parse(carom('laws', '--json'));
    assert.deepEqual(
        laws.list.map((law) => law.name),
        expected.map((law) => law.name),
    );
    expected.forEach((law, i) => {
        assert.equal(laws.list[i].summary, law.summary);
        assert.deepEqual(
            laws.list[i].parameters.map((p) => p.name),
            law.parameters.map((p) => p.name),
        );
        for (const parameter of law.parameters) assert.equal(laws.parameter(parameter.name).range, parameter.range);
    });
});

test('every law answers 500 problems as the program does', () => {
    const random = randomNumbers(20260101);
    const problems = Array.from({ length: 500 }, () => randomProblem(random));
    const lines = problems.map(({ K, u, law, parameters }, id) => ({ id, law, K: rows(K), u, ...parameters }));
    let solved = 0;
    caromImpact(lines, '--all').forEach((line, id) => {
        const answers = laws.all(problems[id]);
        assert.equal(answers.length, line.answers.length);
        answers.forEach((answer, i) => {
            const expected = line.answers[i];
            const what = `problem ${id}, ${answer.label}, ${JSON.stringify(lines[id])}`;
            assert.equal(answer.label.split('/')[0], expected.law, what);
            if (expected.not_applicable !== undefined) return assert.equal(answer.reason, expected.not_applicable, what);
            solved += 1;
            const slack = expected.law === 'compliant' ? RELATIVE_COMPLIANT / RELATIVE : 1;
            compareSolution(answer.solution, expected, problems[id], slack, what);
        });
    });
    assert.ok(solved > 500 * 12, `only ${solved} answers`);
});

function compareSolution(solution, expected, { K, u }, slack, what) {
    const scale = slack * size(expected.impulse);
    expected.impulse.forEach((value, i) => near(solution.p[i], value, scale, `${what}: p`));
    const speed = Math.max(size(u), size(K) * size(expected.impulse));
    expected.u_after.forEach((value, i) => near(solution.uAfter[i], value, slack * speed, `${what}: u_after`));
    // a difference of terms as large as |u.p|
    near(solution.dissipated, expected.energy_lost, speed * scale, `${what}: energy lost`);
    for (const kind of ['kinematic', 'kinetic', 'energetic']) {
        const value = expected.restitution[kind];
        near(solution.restitution[kind], value, 1e3 * slack * Math.max(1, Math.abs(value)), `${what}: ${kind} restitution`);
    }
    assert.deepEqual(solution.permissible, expected.permissible, what);
    assert.deepEqual(solution.path, expected.path, what);
}

test('paths inside impacts are those of `carom impact --trace`', () => {
    const random = randomNumbers(7);
    for (const law of ['routh', 'compliant']) {
        const problems = Array.from({ length: 40 }, () => ({ ...randomProblem(random), law }));
        const lines = problems.map(({ K, u, parameters: { e, mu, nu } }, id) => ({
            id,
            law,
            K: rows(K),
            u,
            e,
            mu,
            ...(law === 'compliant' ? { nu } : {}),
            trace: true,
        }));
        caromImpact(lines).forEach((line, id) => {
            const { trace } = laws.solve(problems[id], { trace: true });
            assert.equal(trace.p.length, line.trace.impulse.length, `${law} ${id}`);
            const scale = size(line.impulse) * (law === 'compliant' ? RELATIVE_COMPLIANT_SAMPLES / RELATIVE : 10);
            line.trace.impulse.forEach((p, i) => p.forEach((value, k) => near(trace.p[i][k], value, scale, `${law} ${id}: p`)));
            assert.deepEqual(trace.mode, line.trace.mode);
            assert.deepEqual(
                trace.transitions.map((t) => t.kind),
                line.trace.transitions.map((t) => t.kind),
            );
        });
    }
});

test('the region is that of `carom impact --region`', () => {
    const random = randomNumbers(3);
    const problems = Array.from({ length: 20 }, () => randomProblem(random));
    const lines = problems.map(({ K, u, parameters: { e, mu } }, id) => ({ id, law: 'routh', K: rows(K), u, e, mu }));
    caromImpact(lines, '--region').forEach((line, id) => {
        const region = laws.region(problems[id], problems[id].parameters.mu);
        const scale = size(line.region.cone_rim.flat());
        line.region.P_II.forEach((value, i) => near(region.plasticSticking[i], value, scale, 'P_II'));
        near(region.contactEnergy, line.region.contact_energy, line.region.contact_energy, 'contact energy');
        const curves = { maximum_compression: 'maximumCompression', cone_on_ellipsoid: 'coneOnEllipsoid', sticking: 'sticking' };
        for (const [theirs, ours] of Object.entries(curves)) {
            assert.equal(region[ours].length, line.region[theirs].length);
            line.region[theirs].flat().forEach((value, i) => near(region[ours].flat()[i], value, scale, theirs));
        }
        assert.equal(region.ellipsoid.flat().length, line.region.ellipsoid.flat().length);
    });
});

test('a body against the ground gives the K and u of `carom impact`', () => {
    const turned = [0.8, 0.2, -0.4, 0.4];
    const norm = Math.hypot(...turned);
    const A = {
        mass: 2,
        inertia: [0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3],
        orientation: turned.map((c) => c / norm),
        r: [0.1, -0.2, -0.4],
        v: [1, 0.5, -2],
        w: [0.3, 2, -1],
    };
    const ground = { mass: null, inertia: A.inertia, orientation: [1, 0, 0, 0], r: [0, 0, 0], v: [0, 0, 0], w: [0, 0, 0] };
    const { K, u } = laws.contact([0, 0, 1], A, ground);
    const mine = laws.solve({ K, u, law: 'routh', parameters: { e: 0.7, mu: 0.4 } });
    const [line] = caromImpact([
        {
            id: 1,
            law: 'routh',
            normal: [0, 0, 1],
            e: 0.7,
            mu: 0.4,
            B: 'fixed',
            A: {
                mass: 2,
                inertia: [
                    [0.3, 0, 0],
                    [0, 0.3, 0],
                    [0, 0, 0.3],
                ],
                r: A.r,
                v: A.v,
                w: A.w,
            },
        },
    ]);
    line.impulse.forEach((value, i) => near(mine.p[i], value, size(line.impulse), 'p'));
});

test('what cannot be solved says why, and the module lives on', () => {
    const problem = { K: [1, 0, 0, 0, 1, 0, 0, 0, -1], u: [1, 0, -1], law: 'routh', parameters: { e: 0.5, mu: 0.3 } };
    assert.throws(() => laws.solve(problem), /positive definite/);
    assert.throws(() => laws.region(problem, 0.3), /positive definite/);
    const good = { ...problem, K: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    assert.throws(() => laws.solve({ ...good, parameters: { e: 0.5 } }), /needs mu/);
    assert.throws(() => laws.solve({ ...good, parameters: { e: 1.5, mu: 0.3 } }), /out of range/);
    assert.throws(() => laws.region({ ...good, u: [1, 0, 1] }, 0.3), /do not approach/);
    assert.deepEqual(laws.solve(good).path, ['slide']);
});

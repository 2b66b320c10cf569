// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Impacts of the literature, as tests/papers has them with their numbers and sources.
import { copyState, FIRST_STATE, type LabState, type Sweep } from './state';

export interface Preset {
    group: string;
    name: string;
    story: string;
    state: LabState;
}

type Change = (state: LabState) => void;

function preset(group: string, name: string, story: string, ...changes: Change[]): Preset {
    const state = copyState(FIRST_STATE);
    for (const change of changes) change(state);
    return { group, name, story, state };
}

const numbers =
    (K: number[], u: number[]): Change =>
    (state) => {
        state.given = 'numbers';
        state.K = K;
        state.u = u;
    };
const body =
    (change: Partial<LabState['body']>): Change =>
    (state) => {
        state.given = 'body';
        Object.assign(state.body, change);
    };
const law =
    (label: string, parameters: LabState['parameters']): Change =>
    (state) => {
        state.law = label;
        Object.assign(state.parameters, parameters);
    };
const sweep =
    (change: Partial<Sweep>): Change =>
    (state) => {
        Object.assign(state.sweep, change);
    };

const JIA = 'Jia: compliant impacts';
const CORRECTION = 'The correction of Mirtich’s algorithm';
const CR = 'Chatterjee and Ruina: a new algebraic law';
const MC = 'Mirtich and Canny: impulse-based simulation';
const OTHERS = 'More impacts';

const scraping = (uz: number, ux = 1): Change => numbers([2, 0, 1.2, 2, 0, 1], [ux, 0, uz]);
const ball = (ux: number, uz: number): Change => numbers([3.5, 0, 0, 3.5, 0, 1], [ux, 0, uz]);

/** A rod that leans by `lean` on a heavy mass, which stands for its hinge. */
function pendulum(mass: number, lean: number): Change {
    const [s, c] = [Math.sin(lean), Math.cos(lean)];
    return numbers([(s * s) / mass + c * c, 0, (s * c) / mass - s * c, 1, 0, (c * c) / mass + s * s], [c, 0, -s]);
}

/** 004, section 3.2, with the moment of inertia as printed there (0.979441, a term is missing). */
function pencil(): Change {
    const h = 72.75 / 38;
    const Q = 0.979441;
    const [s, c] = [Math.sin(Math.PI / 3), Math.cos(Math.PI / 3)];
    const k = (h * h) / Q;
    return numbers(
        [1 + k * s * s, 0, -k * s * c, 1 + k, 0, 1 + k * c * c],
        [-5 * Math.cos(Math.PI / 6) + 0.5 * h * s, -h, -2.5 - 0.5 * h * c],
    );
}

export const PRESETS: readonly Preset[] = [
    preset(
        JIA,
        'Bouncing ball',
        'Section 3.1: a ball with backspin, m = r = 1. It slides up to p normal = 0.625, sticks, and slips back from 7.366 on: springs along the surface turn the slip round.',
        law('compliant', { e: 0.5, mu: 0.4, nu: 0.3 }),
    ),
    preset(
        JIA,
        'Ball: how much friction?',
        'Section 3.1: the tangential impulse against mu. The spin reverses where it passes 0.8, the ball bounces back above 1; most of it at mu = 0.34.',
        law('compliant', { e: 0.5, mu: 0.34, nu: 0.3 }),
        sweep({ over: 'mu', from: 0, to: 1, quantity: 'p_x' }),
    ),
    preset(
        JIA,
        'Ball: Poisson’s ratio',
        'Section 3.1: from nu = 0 to 0.5 the tangential impulse grows all along, from 1.411 to 1.655. Only the compliant law has it.',
        law('compliant', { e: 0.5, mu: 0.4, nu: 0.3 }),
        sweep({ over: 'nu', from: 0, to: 0.5, quantity: 'p_x', laws: ['compliant', 'routh/stronge'] }),
    ),
    preset(
        JIA,
        'Pencil on a desk',
        'Section 3.2: a pencil strikes with its tip, at 60° from the desk. Ours is p = (4.075, 0.408, 5.760); the printed (3.962, 0.391, 5.530) is not what the equations give.',
        pencil(),
        law('compliant', { e: 0.5, mu: 0.8, nu: 0.3, P: [3.96204, 0.390783, 5.53015] }),
    ),
    preset(
        CORRECTION,
        'Two compressions',
        'Section 1.2: u normal has roots at p normal = 14.6, 29.8 and 56.0: the bodies part, meet again, and part. Where the impact ends depends on how restitution is counted.',
        numbers([20, -23, 4, 31, -7, 4], [630, -780, -0.22]),
        law('routh/stronge', { e: 0.9, mu: 0.5, et: 0, P: [0, 0, 30] }),
        sweep({ over: 'e', quantity: 'p_z', laws: ['routh/stronge', 'routh/poisson', 'routh/newton'] }),
    ),
    preset(
        CORRECTION,
        'Rays of constant sliding',
        'Figure 4: rays at 87°, 209°, 281° and 323°; only the first diverges. Of sixteen slips on a circle the five at the bottom stop and leave along it.',
        numbers([20, 0, 1, 4, 6, 10], [Math.cos(1.375 * Math.PI), Math.sin(1.375 * Math.PI), -1.2]),
        law('routh/stronge', { e: 0.5, mu: 0.7, et: 0, P: [0, 0, 1] }),
    ),
    preset(
        CR,
        'A rebound seventeen times faster',
        'Figure 9: a ball 1.8° from grazing may rebound with e = 17 without making energy: the tip of the cone’s cut with the ellipsoid.',
        ball(Math.sqrt(288 * 3.5), -1),
        law('region-projected', { e: 0.8, mu: 0.6, et: 0.5, P: [-9.0712, 0, 18] }),
    ),
    preset(
        CR,
        'Superball',
        'Section 5: near normal incidence superballs come back along the tangent. Routh’s law can only stop the slip; et turns it round.',
        ball(0.3, -1),
        law('chatterjee-ruina', { e: 0.8, mu: 0.5, et: 0.6, P: [0, 0, 1.5] }),
        sweep({
            over: 'u_x',
            from: 0,
            to: 6,
            quantity: 'u_x',
            laws: ['chatterjee-ruina', 'routh/stronge', 'compliant', 'smith'],
        }),
    ),
    preset(
        CR,
        'Scraping, and digging in',
        'Figure 6: hardly any approach, but friction drives the body into the ground. Routh’s law rebounds along the normal, the new one along the tangent, the composite both ways.',
        scraping(-1e-3),
        law('routh/poisson', { e: 0.5, mu: 1.5, et: 0.4, sigma: 0.5, P: [-1, 0, 1] }),
        sweep({
            over: 'mu',
            from: 0,
            to: 2,
            quantity: 'u_z',
            laws: ['routh/poisson', 'chatterjee-ruina', 'composite', 'anitescu-potra'],
        }),
    ),
    preset(
        CR,
        'Friction without bound',
        'Figure 7: even with boundless friction and e = 0 the contact need not stop: the impulse that would do it pulls.',
        scraping(-0.1, -1),
        law('routh/stronge', { e: 0, mu: 20, et: 0, P: [0, 0, 1] }),
        sweep({ over: 'mu', from: 0, to: 20, quantity: 'u_x' }),
    ),
    preset(
        CR,
        'Whittaker’s pendulum',
        'Figure 8: a pendulum strikes the floor. With restitution of the normal velocity, and sticking, energy grows with the mass at the hinge; Routh’s law ends dead.',
        pendulum(20, 0.5),
        law('whittaker', { e: 1, mu: 3, et: 0.5, P: [0, 0, 1] }),
        sweep({ over: 'e', quantity: 'lost', laws: ['whittaker', 'routh/stronge', 'chatterjee-ruina'] }),
    ),
    preset(
        CR,
        'The parallelogram of the new law',
        'Section 5.1: with e and et from their least to their most the law’s answers fill a parallelogram between P_I, 2 P_I, 2 P_II and 2 P_II − P_I.',
        numbers([5.3, 0.8, 0.2, 2.1, -1.7, 4.6], [0.6, 1.3, -1.1]),
        law('chatterjee-ruina', { e: 0.5, mu: 2, et: 0.2, P: [-0.1, -0.2, 0.5] }),
        sweep({ over: 'et', from: -1, to: 1, quantity: 'p_y', laws: ['chatterjee-ruina', 'composite'] }),
    ),
    preset(
        MC,
        'A rod that begins to slip',
        'Figure 6: a leaning rod falls without slip and begins to slip in the impact, although friction resists it; enough friction holds it.',
        body({ shape: 'rod', length: 1, mass: 1, tilt: 40, roll: 0, v: [0, 0, -1], w: [0, 0, 0] }),
        law('routh/poisson', { e: 0.5, mu: 0.3, et: 0, P: [0, 0, 0.5] }),
        sweep({ over: 'tilt', from: 0, to: 85, quantity: 'p_z', laws: ['routh/poisson', 'compliant', 'whittaker'] }),
    ),
    preset(
        MC,
        'Micro-collision on a ramp',
        'Section 4.5: a block held by friction on a slope of 20°. The whole contact velocity is reversed while the impulse lies in the cone: tan 20° = 0.364 is below mu.',
        numbers([1, 0, 0, 1, 0, 1], [1e-3 * Math.sin(Math.PI / 9), 0, -1e-3 * Math.cos(Math.PI / 9)]),
        law('micro', { e: 0.5, mu: 0.5, et: 0, P: [0, 0, 1e-3] }),
        sweep({ over: 'mu', from: 0, to: 1, quantity: 'u_x', laws: ['micro', 'routh/poisson'] }),
    ),
    preset(
        'Particle notes',
        'A particle on the floor',
        'Section 3.1: m = 2, v = (1, 0, −4), e = 0.5, mu = 1/3. Friction stops the slip; taken literally, it would reverse it.',
        numbers([0.5, 0, 0, 0.5, 0, 0.5], [1, 0, -4]),
        law('particle', { e: 0.5, mu: 1 / 3, et: 0, P: [0, 0, 12] }),
        sweep({ over: 'mu', from: 0, to: 1, quantity: 'u_x', laws: ['particle', 'routh/stronge'] }),
    ),
    preset(
        OTHERS,
        'A rod that hits the floor with its end',
        'A slanted rod, sliding: restitution by velocity, by impulse and by work part company, and Whittaker’s law makes energy from nothing.',
        numbers([3.25, 0, -1.3, 4, 0, 1.75], [1, 0, -1]),
        law('routh/stronge', { e: 0.9, mu: 0.8, et: 0, P: [1, 0, 1] }),
        sweep({ over: 'e', quantity: 'lost', laws: ['whittaker', 'routh/stronge', 'routh/poisson', 'routh/newton'] }),
    ),
    preset(
        OTHERS,
        'A grazing blow that jams',
        'Almost no approach, but the slip drives the body into the floor: Routh’s law predicts a strong rebound, laws with kinematic restitution almost none.',
        numbers([4, 0.3, 2.8, 3, -0.4, 2.2], [2, 0.2, -0.01]),
        law('routh/stronge', { e: 0.8, mu: 0.9, et: 0, P: [0, 0, 1] }),
        sweep({ over: 'mu', quantity: 'u_z', laws: ['routh/stronge', 'whittaker', 'smith', 'compliant'] }),
    ),
    preset(
        OTHERS,
        'Two bodies tumbling in space',
        'A generic oblique impact: nothing is aligned, the slip direction turns, and no two laws agree.',
        numbers([5.3, 0.8, 0.2, 2.1, -1.7, 4.6], [0.6, 1.3, -1.1]),
        law('routh/stronge', { e: 0.7, mu: 0.45, et: 0.3, mu3: 0.1, psi2: 1, P: [-0.1, -0.2, 0.5] }),
    ),
    preset(
        OTHERS,
        'A die on its corner',
        'A cube of 2 cm and 20 g lands on a corner, turning.',
        body({
            shape: 'box',
            width: 0.02,
            depth: 0.02,
            length: 0.02,
            mass: 0.02,
            tilt: 35,
            roll: 30,
            v: [0.6, 0.2, -1.5],
            w: [10, -15, 5],
        }),
        law('compliant', { e: 0.6, mu: 0.3, P: [0, 0, 0.03] }),
        sweep({ over: 'tilt', from: 1, to: 89, quantity: 'p_z', laws: ['compliant', 'routh/stronge', 'chatterjee-ruina'] }),
    ),
];

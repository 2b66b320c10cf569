// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The chosen body: what it is, and its state at the time that is shown.
import { el, refill } from '../common/dom';
import { cleaned, count, number } from '../common/format';
import { SEGMENT_KIND } from '../record/layout';
import { type BodyMeta, type Shape, shapeOf } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader } from '../record/states';
import type { Player } from './player';
import type { Selection } from './selection';
import type { Visibility } from './visibility';

/** What a body does, by the kind of its segment; every kind has its words. */
const MOTIONS: Record<keyof typeof SEGMENT_KIND, string> = {
    given: 'fixed', flight: 'in flight', asleep: 'asleep', forced: 'under forces', held: 'in lasting contact', onPlane: 'on a plane',
    constrained: 'in lasting contact',
};
const MOTION_OF = new Map(Object.entries(SEGMENT_KIND).map(([name, kind]) => [kind as number, MOTIONS[name as keyof typeof SEGMENT_KIND]]));

function shapeText(shape: Shape): string {
    switch (shape.type) {
        case 'sphere':
            return `sphere, radius ${number(shape.radius)} m`;
        case 'box':
            return `box, ${shape.size.map((side) => number(side)).join(' × ')} m`;
        case 'cylinder':
        case 'cone':
            return `${shape.type}, radius ${number(shape.radius)} m, height ${number(shape.height)} m`;
        case 'capsule':
            return `capsule, radius ${number(shape.radius)} m, length ${number(shape.length)} m`;
        case 'hull':
            return `hull of ${count(shape.vertices.length / 3)} points`;
        case 'compound':
            return `${shape.parts.length} parts`;
        case 'plane':
            return 'half-space';
    }
}

export class BodyCard {
    private readonly live = new Map<string, HTMLElement>();
    private shown: number | null = null;
    /** By quantity: the largest size seen of the body that is shown. */
    private scales: Record<string, number> = {};

    constructor(
        private readonly container: HTMLElement,
        private readonly recording: Recording,
        private readonly reader: StateReader,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly visibility: Visibility,
        private readonly frame: () => void,
    ) {
        selection.onChange(() => this.rebuild());
        visibility.onChange(() => this.rebuild());
        recording.onGrowth(() => this.rebuild());
        this.rebuild();
    }

    /** The numbers at the player's time. */
    update(): void {
        if (this.shown === null) return;
        const state = this.reader.of(this.shown, this.player.t);
        if (state === null) {
            for (const element of this.live.values()) element.textContent = '…';
            return;
        }
        const vectors = { at: STATE.position, v: STATE.velocity, w: STATE.angularVelocity };
        const texts: Record<string, string> = { motion: this.motionText(this.shown) };
        for (const [name, from] of Object.entries(vectors)) {
            const values = state.subarray(from, from + 3);
            const size = Math.hypot(...values);
            // rounding beside the fastest or farthest that the body has been is none
            const scale = (this.scales[name] = Math.max(size, this.scales[name] ?? 0));
            values.forEach((value, axis) => (texts[`${name}-${'xyz'[axis]}`] = number(cleaned(value, scale), 3)));
            texts[`${name}-size`] = number(cleaned(size, scale));
        }
        for (const [name, element] of this.live) element.textContent = texts[name];
    }

    private motionText(body: number): string {
        const { given } = this.recording.meta.bodies[body];
        return given === undefined ? MOTION_OF.get(this.reader.kindOf(body, this.player.t))! : 'prescribed motion';
    }

    private rebuild(): void {
        const { body } = this.selection;
        if (body !== this.shown) this.scales = {};
        this.shown = body;
        this.container.hidden = body === null;
        if (body === null) return;
        const meta = this.recording.meta.bodies[body];
        const follows = this.selection.followed === body;
        refill(
            this.container,
            el(
                'header', {}, el('h2', {}, meta.name),
                el('button', {
                    class: 'quiet', 'aria-pressed': String(follows), title: 'The camera goes with this body',
                    onclick: () => this.selection.follow(follows ? null : body),
                }, 'Follow'),
                el('button', { class: 'quiet', title: 'Look at this body (F)', onclick: this.frame }, 'Look'),
                el('button', { class: 'quiet', 'aria-label': 'Close', onclick: () => this.selection.chooseBody(null) }, '✕'),
            ),
            this.looks(body),
            this.table(meta, body),
        );
        this.update();
    }

    /** How it is seen: shown, seen through, hidden; alone or with the others. */
    private looks(body: number): HTMLElement {
        const { visibility } = this;
        const look = visibility.of(body);
        const isOnly = visibility.isolated?.has(body) === true;
        const button = (text: string, title: string, pressed: boolean, action: () => void): HTMLElement =>
            el('button', { title, 'aria-pressed': String(pressed), onclick: action }, text);
        return el(
            'div', { class: 'looks' },
            button('See through', 'See through this body (H)', look === 'faint', () => visibility.set([body], look === 'faint' ? 'shown' : 'faint')),
            button('Hide', 'Hide this body (H twice)', look === 'hidden', () => visibility.set([body], look === 'hidden' ? 'shown' : 'hidden')),
            button('Only this', 'Hide all others (O)', isOnly, () => visibility.isolate(isOnly ? null : [body])),
        );
    }

    private table(meta: BodyMeta, body: number): HTMLElement {
        this.live.clear();
        const table = el('table', { class: 'numbers body-numbers' });
        const row = (name: string, value: string | HTMLElement): void => {
            table.append(el('tr', {}, el('th', {}, name), el('td', { colspan: 3 }, value)));
        };
        const changing = (key: string): HTMLElement => {
            const element = el('span');
            this.live.set(key, element);
            return element;
        };
        const vector = (name: string, key: string): void => {
            table.append(el('tr', {}, el('th', {}, name), ...['x', 'y', 'z'].map((axis) => el('td', {}, changing(`${key}-${axis}`)))));
        };
        row('shape', shapeText(shapeOf(this.recording.meta, body)));
        row('material', meta.material);
        row('mass', meta.mass === null ? 'fixed' : `${number(meta.mass)} kg`);
        row('events', count(this.recording.eventIndex.ofBody(body).length));
        row('now', changing('motion'));
        table.append(el('tr', {}, el('th'), ...['x', 'y', 'z'].map((axis) => el('td', { class: `axis-${axis}` }, axis))));
        vector('at (m)', 'at');
        vector('v (m/s)', 'v');
        row('|v|', changing('v-size'));
        vector('ω (rad/s)', 'w');
        row('|ω|', changing('w-size'));
        return table;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The chosen body: what it is, and its state at the time that is shown.
import { el, refill } from '../common/dom';
import { count, number, vector } from '../common/format';
import { type BodyMeta, type Shape, shapeOf } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader } from '../record/states';
import type { Player } from './player';
import type { Selection } from './selection';

const MOTIONS = ['moves as told', 'in flight', 'asleep', 'under forces', 'in lasting contact', 'on a plane'];

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

    constructor(
        private readonly container: HTMLElement,
        private readonly recording: Recording,
        private readonly reader: StateReader,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly frame: () => void,
    ) {
        selection.onChange(() => this.rebuild());
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
        const part = (from: number, length = 3): Float64Array => state.subarray(from, from + length);
        const speed = Math.hypot(...part(STATE.velocity));
        const turn = Math.hypot(...part(STATE.angularVelocity));
        const texts: Record<string, string> = {
            motion: MOTIONS[this.reader.kindOf(this.shown, this.player.t)],
            position: vector(part(STATE.position), 3),
            velocity: vector(part(STATE.velocity), 3),
            speed: number(speed),
            turning: vector(part(STATE.angularVelocity), 3),
            rate: number(turn),
        };
        for (const [name, element] of this.live) element.textContent = texts[name];
    }

    private rebuild(): void {
        const { body } = this.selection;
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
            this.table(meta, body),
        );
        this.update();
    }

    private table(meta: BodyMeta, body: number): HTMLElement {
        this.live.clear();
        const table = el('table', { class: 'numbers' });
        const row = (name: string, value: string | HTMLElement): void => {
            table.append(el('tr', {}, el('th', {}, name), el('td', {}, value)));
        };
        const changing = (name: string, key: string): void => {
            const element = el('span');
            this.live.set(key, element);
            row(name, element);
        };
        row('shape', shapeText(shapeOf(this.recording.meta, body)));
        row('material', meta.material);
        row('mass', meta.mass === null ? 'fixed' : `${number(meta.mass)} kg`);
        row('events', count(this.recording.eventIndex.ofBody(body).length));
        changing('now', 'motion');
        changing('at (m)', 'position');
        changing('v (m/s)', 'velocity');
        changing('|v|', 'speed');
        changing('ω (rad/s)', 'turning');
        changing('|ω|', 'rate');
        return table;
    }
}

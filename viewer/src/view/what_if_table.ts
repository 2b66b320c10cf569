// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What another law has changed by the time that is shown: events, energies, and the bodies that have
// gone farthest from where they were recorded.
import { el, refill } from '../common/dom';
import { cleaned, count, number } from '../common/format';
import type { Recording } from '../record/recording';
import { STATE, type StateReader, type States } from '../record/states';
import { balanceOf, LostEnergy } from './series';

const MOST_BODIES = 5;

export class WhatIfTable {
    readonly element = el('table', { class: 'numbers what-changed' });
    private readonly lost: [LostEnergy, LostEnergy];
    private shownFor = NaN;

    constructor(
        private readonly recording: Recording,
        private readonly other: Recording,
        private readonly reader: StateReader,
    ) {
        this.lost = [new LostEnergy(recording), new LostEnergy(other)];
        other.onGrowth(() => (this.shownFor = NaN));
    }

    /** states: of the recorded bodies at t. */
    update(t: number, states: States | null): void {
        if (t === this.shownFor || states === null) return;
        const others = t > this.other.end ? null : this.reader.at(t);
        if (others === null) {
            refill(this.element, el('tr', {}, el('td', { class: 'left' }, 'The other run has not come this far yet.')));
            return;
        }
        this.shownFor = t;
        const events = [this.recording, this.other].map(({ brief }) => brief.events.firstAfter(t));
        const lost = this.lost.map((sum) => sum.by(t));
        const kinetic = [states, others].map((one) => balanceOf(this.recording.meta, one).kinetic);
        refill(
            this.element,
            el('tr', {}, ...['by now', 'recorded', 'what if', 'change'].map((text) => el('th', { scope: 'col' }, text))),
            this.row('events', events, count),
            this.row('lost in events (J)', lost, (value) => number(value, 4)),
            this.row('kinetic (J)', kinetic, (value) => number(value, 4)),
            ...this.bodyRows(states, others),
        );
    }

    private row(name: string, [recorded, other]: number[], text: (value: number) => string): HTMLElement {
        const change = cleaned(other - recorded, Math.max(Math.abs(recorded), Math.abs(other)));
        const sign = change > 0 ? '+' : change < 0 ? '−' : '';
        return el('tr', {}, el('th', {}, name), ...[text(recorded), text(other), `${sign}${text(Math.abs(change))}`].map((cell) => el('td', {}, cell)));
    }

    private bodyRows(states: States, others: States): HTMLElement[] {
        const { bodies } = this.recording.meta;
        const gap = (body: number): number => Math.hypot(...[0, 1, 2].map((axis) => others[STATE.length * body + axis] - states[STATE.length * body + axis]));
        const speed = (one: States, body: number): number => Math.hypot(...one.subarray(STATE.length * body + STATE.velocity, STATE.length * body + STATE.angularVelocity));
        const size = (body: number): number => Math.hypot(...states.subarray(STATE.length * body, STATE.length * body + 3));
        const moved = bodies.flatMap(({ fixed }, body) => {
            const distance = fixed ? 0 : cleaned(gap(body), Math.max(size(body), 1e-3));
            return distance === 0 ? [] : [{ body, distance }];
        });
        if (moved.length === 0) return [el('tr', {}, el('td', { class: 'left soft', colspan: 4 }, 'All bodies are where they were recorded.'))];
        moved.sort((a, b) => b.distance - a.distance);
        const head = el('tr', {}, ...[`${count(moved.length)} elsewhere`, 'v (m/s)', 'v (m/s)', 'apart (m)'].map((text) => el('th', { scope: 'col' }, text)));
        return [head, ...moved.slice(0, MOST_BODIES).map(({ body, distance }) => el(
            'tr', {}, el('th', {}, bodies[body].name),
            ...[number(speed(states, body), 3), number(speed(others, body), 3), number(distance, 3)].map((cell) => el('td', {}, cell)),
        ))];
    }
}

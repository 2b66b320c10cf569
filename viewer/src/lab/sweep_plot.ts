// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The sweep: a quantity against a parameter for chosen laws, with its controls.
import { el, refill } from '../common/dom';
import { onTheme, themeMode } from '../common/theme';
import { lawColour } from '../impulse/palette';
import type { Laws } from '../laws/laws';
import { LinePlot } from './line_plot';
import type { Store } from './store';
import { PLACES, QUANTITIES, runSweep, sweepable, sweptValue } from './sweep';

/** Sweeps follow when the sliders have paused (ms). */
const SETTLE_MS = 90;

export class SweepPlot {
    readonly plot: LinePlot;
    private readonly over = el('select', { 'aria-label': 'Parameter of the sweep', 'data-field': 'sweep over' });
    private readonly quantity = el('select', { 'aria-label': 'Quantity of the sweep', 'data-field': 'sweep quantity' });
    private readonly from = el('input', {
        type: 'text',
        inputmode: 'decimal',
        'aria-label': 'Sweep from',
        'data-field': 'sweep from',
    });
    private readonly to = el('input', { type: 'text', inputmode: 'decimal', 'aria-label': 'Sweep to', 'data-field': 'sweep to' });
    private readonly chips = el('div', { class: 'chips' });
    private waiting = 0;

    constructor(
        container: HTMLElement,
        private readonly laws: Laws,
        private readonly store: Store,
    ) {
        this.plot = new LinePlot(container, { title: 'Sweep', xName: '', yName: '' });
        this.plot.element.classList.add('sweep');
        this.quantity.append(...Object.entries(QUANTITIES).map(([key, { name }]) => el('option', { value: key }, name)));
        this.plot.head.after(
            el(
                'div',
                { class: 'sweep-controls' },
                el('div', { class: 'sweep-line' }, this.quantity, el('span', { class: 'faint' }, 'against')),
                el('div', { class: 'sweep-line' }, this.over, this.from, el('span', { class: 'faint' }, 'to'), this.to),
                el('details', {}, el('summary', {}, 'Laws'), this.chips),
            ),
        );
        this.over.addEventListener('change', () => this.chooseParameter());
        this.quantity.addEventListener('change', () => store.change(({ sweep }) => (sweep.quantity = this.quantity.value)));
        for (const [field, end] of [
            [this.from, 'from'],
            [this.to, 'to'],
        ] as const) {
            field.addEventListener('change', () => this.chooseEnd(field, end));
        }
        store.onChange(() => this.refresh());
        onTheme(() => this.later());
    }

    refresh(): void {
        const { sweep } = this.store.state;
        const choices = sweepable(this.laws, this.store.state);
        if (!choices.some(({ key }) => key === sweep.over)) sweep.over = 'mu';
        refill(this.over, ...choices.map(({ key, name }) => el('option', { value: key, selected: key === sweep.over }, name)));
        this.quantity.value = sweep.quantity;
        this.from.value = String(sweep.from);
        this.to.value = String(sweep.to);
        refill(
            this.chips,
            ...this.store.answers.map(({ label }) =>
                el(
                    'button',
                    {
                        type: 'button',
                        'aria-pressed': String(sweep.laws.includes(label)),
                        onclick: () => this.toggle(label),
                    },
                    el('span', { class: 'dot', style: `background:${lawColour(this.laws, label, themeMode())}` }),
                    label,
                ),
            ),
        );
        this.later();
    }

    private toggle(label: string): void {
        this.store.change(({ sweep }) => {
            sweep.laws = sweep.laws.includes(label) ? sweep.laws.filter((law) => law !== label) : [...sweep.laws, label];
        });
    }

    /** The range of a parameter that the registry bounds, else one about its value. */
    private chooseParameter(): void {
        const key = this.over.value;
        const value = sweptValue(this.store.state, key);
        const info = this.laws.parameters.find(({ name }) => name === key);
        const size = Math.max(1, 2 * Math.abs(value));
        this.store.change(({ sweep }) => {
            sweep.over = key;
            sweep.from =
                info?.least ??
                (key === 'mass' || key === 'radius' || key === 'length'
                    ? value / 4
                    : key === 'tilt' || key === 'roll'
                      ? -85
                      : -size);
            sweep.to = info?.most ?? (key === 'tilt' || key === 'roll' ? 85 : key === 'u_z' ? 0 : size);
        });
    }

    private chooseEnd(field: HTMLInputElement, end: 'from' | 'to'): void {
        const value = Number(field.value.trim().replace('−', '-'));
        field.setCustomValidity(Number.isFinite(value) && field.value.trim() !== '' ? '' : 'give a number');
        field.setAttribute('aria-invalid', String(!field.checkValidity()));
        if (!field.reportValidity()) return;
        this.store.change(({ sweep }) => (sweep[end] = value));
    }

    private later(): void {
        clearTimeout(this.waiting);
        this.waiting = window.setTimeout(() => this.draw(), SETTLE_MS);
    }

    private draw(): void {
        const { state } = this.store;
        const { over, quantity, laws: labels } = state.sweep;
        const curves = runSweep(this.laws, state);
        const { name, unit } = QUANTITIES[quantity];
        const place = PLACES[over];
        const lines = labels.map((label, i) => ({
            name: label,
            colour: lawColour(this.laws, label, themeMode()),
            x: curves.x,
            y: curves.y[i],
        }));
        this.plot.show(lines, sweptValue(state, over), {
            xName: place ? `${place.name} (${place.unit})` : over,
            yName: unit === '' ? name : `${name} (${unit})`,
        });
    }
}

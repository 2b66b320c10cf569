// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The impact's own controls: a body on the ground, or K and u as numbers.
import { el, refill } from '../common/dom';
import { number } from '../common/format';
import { type SizeName, SHAPES, SIZES } from './bodies';
import { sketch } from './sketch';
import { NumberControl, type NumberOptions } from './sliders';
import { fullMatrix, type LabState } from './state';
import type { Store } from './store';

const positive =
    (name: string) =>
    (value: number): string =>
        value > 0 ? '' : `${name} must be above zero`;
const MATRIX_NAMES = ['K xx', 'K xy', 'K xz', 'K yy', 'K yz', 'K zz'];

export class ImpactControls {
    private readonly choice = el('div', { class: 'choice', role: 'group', 'aria-label': 'How the impact is given' });
    private readonly body = el('div');
    private numbers: NumberControl[] = [];
    private readonly picture = el('div');
    private readonly matrix = el('p', { class: 'matrix mono faint' });
    private shownFor = '';

    constructor(
        container: HTMLElement,
        private readonly store: Store,
    ) {
        container.append(el('section', {}, this.choice, this.body));
        store.onChange(() => this.refresh());
    }

    refresh(): void {
        const { state } = this.store;
        const kind = `${state.given} ${state.body.shape}`;
        if (kind !== this.shownFor) this.build(state);
        this.shownFor = kind;
        for (const control of this.numbers) control.refresh();
        if (state.given === 'body') this.picture.replaceChildren(sketch(state.body));
        const { K, u } = this.store.problem;
        const shown = (value: number): string => number(value, 3);
        this.matrix.textContent = `K = [${[0, 3, 6]
            .map((row) =>
                K.slice(row, row + 3)
                    .map(shown)
                    .join(' '),
            )
            .join('; ')}]\nu = (${u.map(shown).join(', ')})`;
    }

    private build(state: LabState): void {
        const way = (given: LabState['given'], name: string): HTMLElement =>
            el(
                'button',
                { type: 'button', 'aria-pressed': String(state.given === given), onclick: () => this.give(given) },
                name,
            );
        refill(this.choice, way('body', 'Body on the ground'), way('numbers', 'K and u'));
        this.numbers = [];
        refill(this.body, ...(state.given === 'body' ? this.bodyParts(state) : this.numberParts()));
    }

    /** The same impact in the other way, as far as that goes. */
    private give(given: LabState['given']): void {
        const { K, u } = this.store.problem;
        this.store.change((state) => {
            state.given = given;
            if (given === 'numbers') {
                state.K = [K[0], K[1], K[2], K[4], K[5], K[8]];
                state.u = [...u];
            }
        });
    }

    private control(options: Omit<NumberOptions, 'set'> & { put: (state: LabState, value: number) => void }): HTMLElement {
        const control = new NumberControl({
            ...options,
            set: (value) => this.store.change((state) => options.put(state, value)),
        });
        this.numbers.push(control);
        return control.element;
    }

    private bodyParts(state: LabState): HTMLElement[] {
        const shape = el(
            'select',
            { 'aria-label': 'Shape', 'data-field': 'shape' },
            ...SHAPES.map((name) => el('option', { value: name, selected: name === state.body.shape }, name)),
        );
        shape.addEventListener('change', () =>
            this.store.change((to) => (to.body.shape = shape.value as LabState['body']['shape'])),
        );
        const sizes = Object.entries(SIZES[state.body.shape]).map(([key, name]) =>
            this.control({
                name,
                unit: 'm',
                from: 0.005,
                to: 5,
                logarithmic: true,
                refuse: positive(name),
                get: () => this.store.state.body[key as SizeName],
                put: (to, value) => (to.body[key as SizeName] = value),
            }),
        );
        const mass = this.control({
            name: 'mass',
            unit: 'kg',
            from: 0.001,
            to: 100,
            logarithmic: true,
            refuse: positive('mass'),
            get: () => this.store.state.body.mass,
            put: (to, value) => (to.body.mass = value),
        });
        const turns =
            state.body.shape === 'sphere'
                ? []
                : (['tilt', 'roll'] as const).map((key) =>
                      this.control({
                          name: key,
                          title: key === 'tilt' ? 'turned about y' : 'first turned about x',
                          unit: '°',
                          from: -90,
                          to: 90,
                          get: () => this.store.state.body[key],
                          put: (to, value) => (to.body[key] = value),
                      }),
                  );
        const vectors = (['v', 'w'] as const).flatMap((key) =>
            [0, 1, 2].map((axis) =>
                this.control({
                    name: `${key} ${'xyz'[axis]}`,
                    title: key === 'v' ? 'velocity of the centre of mass' : 'angular velocity',
                    unit: key === 'v' ? 'm/s' : 'rad/s',
                    from: key === 'v' ? -10 : -40,
                    to: key === 'v' ? 10 : 40,
                    get: () => this.store.state.body[key][axis],
                    put: (to, value) => (to.body[key][axis] = value),
                }),
            ),
        );
        return [
            this.picture,
            el('label', { class: 'number' }, el('span', { class: 'name' }, 'shape'), shape),
            ...sizes,
            mass,
            ...turns,
            ...vectors,
            this.matrix,
        ];
    }

    private numberParts(): HTMLElement[] {
        const span = Math.max(1, ...fullMatrix(this.store.state.K).map(Math.abs));
        const fast = Math.max(5, ...this.store.state.u.map(Math.abs));
        const entries = MATRIX_NAMES.map((name, at) =>
            this.control({
                name,
                title: 'entry of the collision matrix',
                unit: '1/kg',
                from: [0, 3, 5].includes(at) ? 0 : -2 * span,
                to: 2 * span,
                get: () => this.store.state.K[at],
                put: (to, value) => (to.K[at] = value),
            }),
        );
        const velocities = [0, 1, 2].map((axis) =>
            this.control({
                name: `u ${'xyz'[axis]}`,
                title: axis === 2 ? 'normal contact velocity; below zero is approach' : 'slip',
                unit: 'm/s',
                from: -2 * fast,
                to: axis === 2 ? 0 : 2 * fast,
                get: () => this.store.state.u[axis],
                put: (to, value) => (to.u[axis] = value),
            }),
        );
        return [...entries, ...velocities];
    }
}

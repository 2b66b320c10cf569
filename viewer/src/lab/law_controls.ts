// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The chosen law and the parameters of all laws, as the registry lists them.
import { el, refill } from '../common/dom';
import type { Laws, ParameterInfo, ParameterValue } from '../laws/laws';
import { NumberControl } from './sliders';
import type { Store } from './store';

/** What sliders span where the registry sets no bound, and what a parameter is when it is first given. */
const SPANS: Record<string, { from?: number; to?: number; first?: number; logarithmic?: boolean }> = {
    mu: { to: 2, first: 0.4 },
    nu: { to: 0.5, first: 0.3 },
    eta2: { from: 0.2, to: 5, first: 1.2, logarithmic: true },
    mu2: { from: -1, to: 1, first: 0.2 },
    mu3: { from: -1, to: 1, first: 0 },
    psi1: { from: 0, to: Math.PI / 2, first: 0.8 },
    psi2: { from: 0, to: 2 * Math.PI, first: 0 },
    threshold: { from: 1e-4, to: 10, first: 0.1, logarithmic: true },
    P: { from: -10, to: 10 },
};

/** Either of these, not both: giving one takes the other back. */
const RIVALS: Record<string, string> = { nu: 'eta2', eta2: 'nu' };
/** Shown first, for all laws. */
const COMMON = ['e', 'mu', 'et', 'nu'];

export class LawControls {
    private readonly choice = el('select', { id: 'law', 'aria-label': 'Law' });
    private readonly summary = el('p', { class: 'soft' });
    private readonly own = el('div');
    private readonly others = el('div');
    private controls: NumberControl[] = [];
    private shownFor = '';

    constructor(
        container: HTMLElement,
        private readonly laws: Laws,
        private readonly store: Store,
    ) {
        const labels = laws.list.flatMap(({ name }) =>
            name === 'routh' ? laws.terminations.map((end) => `${name}/${end}`) : [name],
        );
        this.choice.append(...labels.map((label) => el('option', { value: label }, label)));
        this.choice.addEventListener('change', () => store.change((state) => (state.law = this.choice.value)));
        container.append(
            el(
                'section',
                {},
                el('label', { class: 'number' }, el('span', { class: 'name' }, 'law'), this.choice),
                this.summary,
                this.own,
                el('details', {}, el('summary', {}, 'Parameters of the other laws'), this.others),
            ),
        );
        store.onChange(() => this.refresh());
    }

    refresh(): void {
        const { state } = this.store;
        const given = `${state.law} ${Object.keys(state.parameters).join()}`;
        if (given !== this.shownFor) this.build();
        this.shownFor = given;
        for (const control of this.controls) control.refresh();
    }

    private build(): void {
        const { law } = this.store.state;
        this.choice.value = law;
        const info = this.laws.law(law.split('/')[0]);
        this.summary.textContent = `${info.summary[0].toUpperCase()}${info.summary.slice(1)}. ${info.source}.`;
        const taken = new Set(info.parameters.map(({ name }) => name));
        const first = this.laws.parameters.filter(({ name }) => taken.has(name) || COMMON.includes(name));
        const rest = this.laws.parameters.filter((parameter) => !first.includes(parameter));
        this.controls = [];
        // routh's termination is part of the choice of law
        const shown = (list: readonly ParameterInfo[]): HTMLElement[] =>
            list
                .filter(({ name }) => !(name === 'termination' && law.startsWith('routh')))
                .flatMap((parameter) => this.parameter(parameter, taken.has(parameter.name)));
        refill(this.own, ...shown(first));
        refill(this.others, ...shown(rest));
    }

    private parameter(parameter: ParameterInfo, taken: boolean): HTMLElement[] {
        const { name, meaning, range } = parameter;
        const value = this.store.state.parameters[name];
        const needed = this.laws.list.some((law) => law.parameters.some((one) => one.name === name && one.required));
        const tick = el('input', { type: 'checkbox', checked: value !== undefined, 'aria-label': `give ${name}` });
        tick.addEventListener('change', () => this.give(parameter, tick.checked));
        const optional = !needed || name in RIVALS;
        if (value === undefined) {
            return [
                el(
                    'label',
                    { class: 'number absent', title: `${meaning}; ${range}` },
                    el('span', { class: 'name' }, name),
                    el('span', { class: 'faint wide' }, meaning),
                    tick,
                ),
            ];
        }
        const elements = this.fields(parameter, value);
        for (const element of elements) element.classList.toggle('taken', taken);
        if (optional) elements[0].append(tick);
        return elements;
    }

    private give(parameter: ParameterInfo, given: boolean): void {
        const { name } = parameter;
        this.store.change(({ parameters }) => {
            delete parameters[name];
            if (!given) return;
            delete parameters[RIVALS[name] ?? ''];
            const firsts: Record<ParameterInfo['kind'], ParameterValue> = {
                number: SPANS[name]?.first ?? 0.5,
                vector: [0, 0, 1],
                termination: this.laws.terminations[0],
                boolean: true,
                law: 'routh',
            };
            parameters[name] = firsts[parameter.kind];
        });
    }

    private fields(parameter: ParameterInfo, value: ParameterValue): HTMLElement[] {
        const { name, kind } = parameter;
        if (kind === 'number') return [this.numberField(parameter)];
        if (kind === 'vector') return [0, 1, 2].map((axis) => this.entryField(parameter, axis));
        if (kind === 'boolean') return [this.select(parameter, ['true', 'false'], (text) => text === 'true', value)];
        const names =
            kind === 'termination'
                ? [...this.laws.terminations]
                : this.laws.list.map((law) => law.name).filter((law) => law !== 'micro');
        return [this.select({ ...parameter, name }, names, (text) => text, value)];
    }

    private numberField(parameter: ParameterInfo): HTMLElement {
        const { name, meaning, range, least, most } = parameter;
        const span = SPANS[name] ?? {};
        const control = new NumberControl({
            name,
            title: `${meaning}; ${range}`,
            from: span.from ?? least ?? 0,
            to: span.to ?? most ?? 1,
            logarithmic: span.logarithmic,
            refuse: (value) => (inRange(parameter, value) ? '' : `${name} must satisfy ${range}`),
            get: () => Number(this.store.state.parameters[name]),
            set: (value) => this.store.change(({ parameters }) => (parameters[name] = value)),
        });
        this.controls.push(control);
        return control.element;
    }

    private entryField({ name, meaning }: ParameterInfo, axis: number): HTMLElement {
        const entries = (): number[] => [...(this.store.state.parameters[name] as readonly number[])];
        const control = new NumberControl({
            name: `${name} ${'xyz'[axis]}`,
            title: meaning,
            from: SPANS.P.from!,
            to: SPANS.P.to!,
            get: () => entries()[axis],
            set: (value) =>
                this.store.change(
                    ({ parameters }) => (parameters[name] = entries().map((entry, at) => (at === axis ? value : entry))),
                ),
        });
        this.controls.push(control);
        return control.element;
    }

    private select(
        { name, meaning }: ParameterInfo,
        names: string[],
        read: (text: string) => ParameterValue,
        value: ParameterValue,
    ): HTMLElement {
        const field = el(
            'select',
            { 'aria-label': meaning, 'data-field': name },
            ...names.map((text) => el('option', { value: text, selected: text === String(value) }, text)),
        );
        field.addEventListener('change', () => this.store.change(({ parameters }) => (parameters[name] = read(field.value))));
        return el('label', { class: 'number', title: meaning }, el('span', { class: 'name' }, name), field);
    }
}

function inRange({ least, most, leastOpen, mostOpen }: ParameterInfo, value: number): boolean {
    const low = least === null || (leastOpen ? value > least : value >= least);
    const high = most === null || (mostOpen ? value < most : value <= most);
    return low && high;
}

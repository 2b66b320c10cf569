// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A number with a name, a slider and a field. The slider spans what is usual; the field takes
// everything that is allowed.
import { el } from '../common/dom';

export interface NumberOptions {
    name: string;
    title?: string;
    unit?: string;
    /** Span of the slider. */
    from: number;
    to: number;
    /** Equal steps of the slider are equal ratios; from must be above zero. */
    logarithmic?: boolean;
    /** Why a value is not allowed, or nothing. */
    refuse?: (value: number) => string;
    get: () => number;
    set: (value: number) => void;
}

const STEPS = 1000;

/** No more digits than a slider's step is worth. */
function rounded(value: number, options: NumberOptions): number {
    if (value === 0) return 0;
    const step = options.logarithmic ? Math.abs(value) / 200 : (options.to - options.from) / STEPS;
    const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step))));
    return Number(value.toFixed(decimals));
}

/** A component's name has the letter of its axis in the colour of that: v x. */
function nameParts(name: string): (string | HTMLElement)[] {
    const axis = /^(.* )([xyz])$/.exec(name);
    return axis === null ? [name] : [axis[1], el('span', { class: `axis-${axis[2]}` }, axis[2])];
}

export class NumberControl {
    readonly element: HTMLElement;
    private readonly slider: HTMLInputElement;
    private readonly field: HTMLInputElement;

    constructor(private readonly options: NumberOptions) {
        // the name first, for several numbers may have one meaning: v x, v y, v z
        const words = options.title === undefined ? options.name : `${options.name}: ${options.title}`;
        const title = [words, options.unit ? `(${options.unit})` : ''].join(' ').trim();
        this.slider = el('input', {
            type: 'range',
            min: 0,
            max: STEPS,
            step: 1,
            'aria-label': title,
            'data-slider': options.name,
        });
        this.field = el('input', {
            type: 'text',
            inputmode: 'decimal',
            'aria-label': `${title}, as a number`,
            'data-field': options.name,
            autocomplete: 'off',
        });
        this.element = el(
            'label',
            { class: 'number', title },
            el('span', { class: 'name' }, ...nameParts(options.name)),
            this.slider,
            this.field,
            el('span', { class: 'unit' }, options.unit ?? ''),
        );
        this.slider.addEventListener('input', () => this.take(rounded(this.valueAt(Number(this.slider.value) / STEPS), options)));
        this.field.addEventListener('change', () => this.take(Number(this.field.value.trim().replace('−', '-'))));
        this.refresh();
    }

    /** Shows the number as it is now. */
    refresh(): void {
        const value = this.options.get();
        this.slider.value = String(Math.round(STEPS * this.placeOf(value)));
        if (document.activeElement !== this.field || Number(this.field.value) !== value)
            this.field.value = String(Number(value.toPrecision(5)));
        this.complain('');
    }

    private take(value: number): void {
        const wrong = Number.isFinite(value) ? (this.options.refuse?.(value) ?? '') : `${this.options.name} must be a number`;
        this.complain(wrong);
        if (wrong !== '') return;
        this.options.set(value);
    }

    private complain(wrong: string): void {
        this.field.setCustomValidity(wrong);
        this.field.setAttribute('aria-invalid', String(wrong !== ''));
        this.field.title = wrong;
        this.element.classList.toggle('wrong', wrong !== '');
    }

    private valueAt(part: number): number {
        const { from, to, logarithmic } = this.options;
        return logarithmic ? from * (to / from) ** part : from + (to - from) * part;
    }

    private placeOf(value: number): number {
        const { from, to, logarithmic } = this.options;
        const part = logarithmic ? Math.log(Math.max(value, 1e-300) / from) / Math.log(to / from) : (value - from) / (to - from);
        return Math.min(1, Math.max(0, part));
    }
}

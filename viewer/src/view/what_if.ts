// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What if the law of a contact were another? The run is done again from an event on, by the server
// that gave the page; its bodies are shown as ghosts beside the recorded ones.
import { el, refill } from '../common/dom';
import { number, time } from '../common/format';
import { messageOf } from '../common/sentences';
import type { Laws, ParameterInfo, Parameters } from '../laws/laws';
import { type EventRow, parametersOf } from '../record/impact';
import type { ContactRule } from '../record/meta';
import { Recording } from '../record/recording';

/** How often a run that goes on is asked for more (ms). */
const ASK_MS = 400;
/** What a parameter without a default begins with when a law is chosen. */
const FIRST_GUESS: Record<string, number> = { e: 0.5, mu: 0.3, et: 0.5, nu: 0.3, sigma: 0.5, eta2: 1.2, threshold: 0.01 };

export class WhatIf {
    /** Called when another run is shown, and with null when it is put away. */
    onRun: (recording: Recording | null) => void = () => undefined;
    /** The run that is shown: from which event on, with which rule; null: none. */
    running: { event: number; contact: ContactRule } | null = null;
    private other: Recording | null = null;

    constructor(
        private readonly recording: Recording,
        private readonly laws: Laws,
        private readonly banner: HTMLElement,
    ) {}

    /** The part of the impact card that asks. */
    form(event: EventRow, rule: ContactRule): HTMLElement {
        const { whatIf } = this.recording.source;
        const box = el('section', { class: 'what-if' }, el('h3', {}, 'What if'));
        if (whatIf === null) {
            box.append(el('p', { class: 'soft' }, 'This page has no server behind it. Open the recording with carom view to run on from here with another law.'));
            return box;
        }
        const law = el('select', { 'aria-label': 'Law' }, ...this.laws.list.filter(({ name }) => name !== 'micro').map(
            ({ name }) => el('option', { value: name, selected: name === rule.law }, name),
        ));
        const fields = el('div', { class: 'fields' });
        const message = el('p', { class: 'warn', role: 'alert' });
        const run = el('button', { class: 'primary' }, 'Run on from here');
        const refillFields = (): void => this.fillFields(fields, law.value, parametersOf(rule));
        law.addEventListener('change', refillFields);
        refillFields();
        run.addEventListener('click', () => void this.run(event, rule, law.value, fields, message, run));
        const pair = `${rule.materials[0]} and ${rule.materials[1]}`.replaceAll('*', 'any');
        box.append(
            el('p', { class: 'soft' }, `Another law for ${pair}, from this event on. Bodies of that future are shown as ghosts.`),
            el('div', { class: 'fields' }, el('label', {}, 'law', law)), fields, el('div', { class: 'line' }, run), message,
        );
        return box;
    }

    /** Puts the other run away. */
    close(): void {
        this.other?.stop();
        this.other = null;
        this.running = null;
        this.banner.hidden = true;
        this.onRun(null);
    }

    private fillFields(fields: HTMLElement, law: string, given: Parameters): void {
        refill(fields, ...this.laws.law(law).parameters.map(({ name, fallback }) => {
            const info = this.laws.parameter(name);
            const value = given[name] ?? (fallback !== '' ? fallback : (FIRST_GUESS[name] ?? 0));
            return el('label', { title: `${info.meaning}; ${info.range}` }, name, this.field(info, value));
        }));
    }

    private field(info: ParameterInfo, value: Parameters[string]): HTMLElement {
        const choice = (options: readonly string[]): HTMLElement => el(
            'select', { name: info.name }, ...options.map((option) => el('option', { value: option, selected: option === String(value) }, option)),
        );
        if (info.kind === 'termination') return choice(this.laws.terminations);
        if (info.kind === 'law') return choice(this.laws.list.map(({ name }) => name));
        if (info.kind === 'boolean') return choice(['false', 'true']);
        const text = Array.isArray(value) ? value.join(', ') : info.kind === 'vector' ? '0, 0, 0' : String(value);
        return el('input', { type: 'text', inputmode: 'decimal', name: info.name, value: text, size: 6 });
    }

    /** The fields as a contact rule; throws with what is wrong. */
    private ruleFrom(rule: ContactRule, law: string, fields: HTMLElement): ContactRule {
        const changed: ContactRule = { materials: rule.materials, law };
        for (const field of fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
            const info = this.laws.parameter(field.name);
            if (info.kind === 'number') {
                const value = Number(field.value);
                const wrong = field.value.trim() === '' || !Number.isFinite(value);
                field.setAttribute('aria-invalid', String(wrong));
                if (wrong) throw new Error(`${info.name} must be a number: ${info.range}`);
                changed[info.name] = value;
            } else if (info.kind === 'vector') {
                const values = field.value.split(',').map(Number);
                const wrong = values.length !== 3 || !values.every(Number.isFinite);
                field.setAttribute('aria-invalid', String(wrong));
                if (wrong) throw new Error(`${info.name} must be three numbers with commas between them`);
                changed[info.name] = values;
            } else {
                changed[info.name] = info.kind === 'boolean' ? field.value === 'true' : field.value;
            }
        }
        for (const kept of ['rolling_friction', 'spinning_friction']) if (kept in rule) changed[kept] = rule[kept];
        return changed;
    }

    private async run(
        event: EventRow, rule: ContactRule, law: string, fields: HTMLElement, message: HTMLElement, button: HTMLButtonElement,
    ): Promise<void> {
        message.textContent = '';
        button.disabled = true;
        try {
            await this.start(event.row, event.t, this.ruleFrom(rule, law, fields));
        } catch (error) {
            message.textContent = messageOf(error);
        } finally {
            button.disabled = false;
        }
    }

    /** Runs on from an event at time t with another rule, until that run has ended; throws with what went wrong. */
    async start(event: number, t: number, contact: ContactRule): Promise<void> {
        const source = await this.recording.source.whatIf!(event, contact);
        this.close();
        const other = await Recording.open(source);
        this.other = other;
        await other.load();
        this.running = { event, contact };
        this.show(t, contact);
        this.onRun(other);
        await other.follow(ASK_MS);
        if (other.meta.error) throw new Error(other.meta.error);
    }

    private show(t: number, changed: ContactRule): void {
        const parameters = Object.entries(parametersOf(changed))
            .map(([name, value]) => `${name} ${typeof value === 'number' ? number(value) : String(value)}`);
        refill(
            this.banner,
            el('div', { class: 'line' },
                el('i', { class: 'swatch ghost' }),
                el('span', {}, `Ghosts: ${changed.materials.join(' and ').replaceAll('*', 'any')} by ${[changed.law, ...parameters].join(', ')} from ${time(t, 1e-4)} s on`),
                el('button', { class: 'quiet', onclick: () => this.close() }, 'Put away')),
        );
        this.banner.hidden = false;
    }
}

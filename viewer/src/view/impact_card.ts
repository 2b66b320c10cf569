// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The chosen event: its numbers, its impulse space, and every law's answer to the same impact.
import { el, refill } from '../common/dom';
import { cleaned, count, exact, number, vector } from '../common/format';
import { messageOf } from '../common/sentences';
import { ImpulseSpace } from '../impulse/impulse_space';
import { lawTable } from '../impulse/law_table';
import { labHash } from '../lab/link';
import { type ImpactProblem, type Laws, NO_FRICTION_LIMIT } from '../laws/laws';
import {
    type BodyPose, type ContactProblem, contactProblem, type EventRow, eventRow, hasImpulse, parametersOf, ruleOf,
} from '../record/impact';
import type { ContactRule } from '../record/meta';
import type { Recording } from '../record/recording';
import { STATE, type StateReader } from '../record/states';
import { kindMark } from './kind_marks';
import type { Selection } from './selection';
import type { WhatIf } from './what_if';

/** Beyond this the contact did not act alone at its instant. */
const ALONE = 1e-6;

const SENTENCES: Record<EventRow['kind'], string> = {
    impact: 'An impact, resolved by the law of its pair.',
    micro: 'A micro-collision: one of the tiny impacts that stand for a lasting contact, or a corner that lands without restitution.',
    'lasting-begin': 'A lasting contact begins. The impulse is the one that stopped the approach.',
    'lasting-end': 'A lasting contact ends.',
    sleep: 'The body has come to rest and falls asleep.',
    wake: 'The body wakes.',
};

/** As the pair's own law and parameters see it, also where a micro-collision's was used instead. */
const problemOf = (contact: ContactProblem, rule: ContactRule): ImpactProblem =>
    ({ K: contact.K, u: contact.u, law: rule.law, parameters: parametersOf(rule) });

export interface CardActions {
    step: (direction: 1 | -1) => void;
    /** Comes near to the contact. */
    look: (event: EventRow) => void;
    /** Buttons of the page that stand in the card's head. */
    tools: HTMLElement[];
}

export class ImpactCard {
    private readonly space: ImpulseSpace;
    private readonly spaceBox = el('div', { class: 'space' });
    private readonly head = el('div');
    private readonly tail = el('div');
    private readonly body: HTMLElement;
    private readonly empty = el('p', { class: 'empty' }, 'Choose an event in the list, on the timeline or in the scene; the arrow keys go from one to the next.');
    private shown: number | null = null;

    constructor(
        container: HTMLElement,
        private readonly recording: Recording,
        private readonly reader: StateReader,
        private readonly laws: Laws,
        private readonly selection: Selection,
        private readonly whatIf: WhatIf,
        private readonly actions: CardActions,
    ) {
        this.body = el('div', { class: 'impact-body' }, this.head, this.spaceBox, this.tail);
        container.append(this.empty, this.body);
        this.space = new ImpulseSpace(this.spaceBox, laws);
        new ResizeObserver(() => this.space.resize()).observe(this.spaceBox);
        selection.onChange(() => this.update());
        recording.onArrival(() => this.update());
        this.update();
    }

    private update(): void {
        const { event } = this.selection;
        this.empty.hidden = event !== null;
        this.body.hidden = event === null;
        if (event === this.shown) return;
        this.shown = event === null || this.show(event) ? event : null;
    }

    /** Impulse space as it is seen now; null: there is none. */
    svg(): string | null {
        return this.shown === null || this.spaceBox.hidden ? null : this.space.svg();
    }

    /** false: some of it has not come yet. */
    private show(row: number): boolean {
        const event = eventRow(this.recording, row);
        const resolved = event !== null && hasImpulse(event.kind) && event.b !== null;
        const contact = resolved ? this.contactOf(event) : null;
        this.spaceBox.hidden = contact === null;
        refill(this.tail);
        if (event === null || (resolved && contact === null)) {
            const { failure } = this.recording;
            refill(this.head, el('p', { class: 'soft', role: 'status' }, failure === null ? 'Loading this event…' : messageOf(failure)));
            return false;
        }
        refill(this.head, this.header(event), el('p', { class: 'soft' }, SENTENCES[event.kind]));
        if (contact !== null) this.showContact(event, contact);
        return true;
    }

    private showContact(event: EventRow, contact: ContactProblem): void {
        const rule = this.ruleOf(event);
        const problem = problemOf(contact, rule);
        this.space.resize();
        this.space.show(problem, { p: contact.p });
        const usedLaw = this.laws.list[event.lawNumber].name;
        refill(
            this.tail,
            this.numbers(event, contact, usedLaw, rule),
            contact.mismatch > ALONE && el('p', { class: 'note' },
                'Other contacts acted on these bodies at the same instant, or a correction followed the impact: the velocity after is not due to this impulse alone.'),
            el('h3', {}, 'Every law’s answer to this impact', this.labLink(problem, contact, event)),
            el('div', { class: 'answers' }, lawTable(this.laws, problem, { p: contact.p })),
            this.whatIf.form(event, rule),
        );
    }

    /** To the same impact in the laboratory, where a server has it. */
    private labLink(problem: ImpactProblem, contact: ContactProblem, { a, b, t }: EventRow): HTMLElement | null {
        if (this.recording.source.whatIf === null) return null;
        const { bodies, title } = this.recording.meta;
        const story = `${bodies[a].name} and ${bodies[b!].name} at ${exact(t)} s of “${title}”`;
        return el('a', {
            class: 'lab-link', target: 'carom-lab', rel: 'opener', title: 'The same K, u, law and parameters, where they can be changed',
            href: `lab#${labHash(this.laws, problem, contact.p, story)}`,
        }, 'open in the lab');
    }

    private header(event: EventRow): HTMLElement {
        const nameOf = (body: number): HTMLElement => el(
            'button', { class: 'link', onclick: () => this.selection.chooseBody(body) }, this.recording.meta.bodies[body].name,
        );
        return el(
            'header', {},
            el('div', { class: 'line' },
                kindMark(event.kind),
                el('h2', {}, `${event.kind} ${count(event.row + 1)}`),
                el('span', { class: 'faint' }, `of ${count(this.recording.tables.events.rows)}`),
                el('span', { class: 'grow' }),
                hasImpulse(event.kind) && el('button', { class: 'quiet', title: 'Come near to the contact', onclick: () => this.actions.look(event) }, 'Look'),
                el('button', { class: 'quiet', title: 'Previous event (←)', 'aria-label': 'Previous event', onclick: () => this.actions.step(-1) }, '←'),
                el('button', { class: 'quiet', title: 'Next event (→)', 'aria-label': 'Next event', onclick: () => this.actions.step(1) }, '→'),
                ...this.actions.tools),
            el('div', { class: 'line' },
                nameOf(event.a), event.b !== null && el('span', { class: 'faint' }, 'and'), event.b !== null && nameOf(event.b),
                el('span', { class: 'grow' }), el('span', { class: 'mono', id: 'impact-time', title: exact(event.t) }, `${exact(event.t)} s`)),
        );
    }

    /** null: the bodies' motion before it has not come yet. */
    private contactOf(event: EventRow): ContactProblem | null {
        const pose = (body: number): BodyPose | null => {
            const state = this.reader.before(body, event.t);
            return state && { position: state.slice(STATE.position, 3), orientation: state.slice(STATE.orientation, STATE.velocity) };
        };
        const [a, b] = [pose(event.a), pose(event.b!)];
        return a && b && contactProblem(this.laws, this.recording.meta, event, a, b);
    }

    private ruleOf(event: EventRow): ContactRule {
        const { bodies, contacts } = this.recording.meta;
        const rule = ruleOf(contacts, bodies[event.a].material, bodies[event.b!].material);
        if (rule === null) throw new Error('the recording has no law for these two materials');
        return rule;
    }

    private numbers(event: EventRow, contact: ContactProblem, usedLaw: string, rule: ContactRule): HTMLElement {
        const slip = Math.hypot(contact.u[0], contact.u[1]);
        const row = (name: string, value: string, id?: string, title?: string): HTMLElement =>
            el('tr', {}, el('th', {}, name), el('td', { id, title, colspan: 3 }, value));
        const speeds = Math.max(Math.hypot(...contact.u), Math.hypot(...contact.uAfter));
        const components = (name: string, values: number[], unit: string, id: string, scale: number): HTMLElement => el(
            'tr', {}, el('th', {}, `${name} (${unit})`),
            ...values.map((value, axis) => el(
                'td', { id: `${id}-${'xyz'[axis]}`, title: exact(value), 'data-value': exact(value) }, number(cleaned(value, scale), 5),
            )),
        );
        const parameters = Object.entries(parametersOf(rule))
            .map(([name, value]) => `${name} ${typeof value === 'number' ? this.parameterText(value) : String(value)}`);
        const law = usedLaw === rule.law ? [rule.law, ...parameters].join(', ') : `${usedLaw} (the pair’s: ${[rule.law, ...parameters].join(', ')})`;
        return el(
            'table', { class: 'numbers impact-numbers' },
            el('tr', {}, el('th', { class: 'faint' }, 'contact frame'), ...['x', 'y', 'z (normal)'].map((axis) => el('td', { class: `axis-${axis[0]}` }, axis))),
            components('u before', contact.u, 'm/s', 'u', speeds),
            components('u after', contact.uAfter, 'm/s', 'u-after', speeds),
            components('impulse p', contact.p, 'N s', 'p', Math.hypot(...contact.p)),
            row('approach, slip', `${number(cleaned(-contact.u[2], speeds), 5)}, ${number(cleaned(slip, speeds), 5)} m/s`),
            row('energy lost', `${number(cleaned(event.energyLost, speeds * Math.hypot(...contact.p)), 5)} J`, 'energy-lost', exact(event.energyLost)),
            row('restitution', number(event.restitution, 5), 'restitution', exact(event.restitution)),
            row('law', law, 'law'),
            row('at', `${vector(event.point, 5)} m`),
            row('normal', vector(event.normal, 4)),
        );
    }

    private parameterText(value: number): string {
        return value >= NO_FRICTION_LIMIT ? '∞' : number(value);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Every law's answer to one impact as a table.
import { el } from '../common/dom';
import { number, vector } from '../common/format';
import { themeMode } from '../common/theme';
import type { ImpactProblem, LawAnswer, Laws, Solution } from '../laws/laws';
import './impulse.css';
import { lawColour } from './palette';

export interface LawTableOptions {
    /** An impulse that was recorded for this impact: a row of its own. */
    p?: readonly number[];
    /** What the laws said, where that is known already. */
    answers?: readonly LawAnswer[];
    onPick?: (label: string) => void;
    digits?: number;
}

const CONDITIONS: Record<string, string> = {
    energy: 'it makes energy',
    separation: 'the bodies still approach',
    cone: 'it is outside the friction cone',
    normal: 'it pulls',
};

/** Rounding that stands for zero, as a part of what it is the rest of. */
const NOTHING = 1e-13;
const cleaned = (values: readonly number[], scale: number): number[] =>
    values.map((value) => (Math.abs(value) < NOTHING * scale ? 0 : value));

const orDash = (value: number | null, digits: number): string => (value === null ? '–' : number(value, digits));

function verdict(solution: Solution): HTMLElement {
    const broken = Object.entries(solution.permissible)
        .filter(([, holds]) => !holds)
        .map(([name]) => name);
    return broken.length === 0
        ? el('td', { class: 'verdict fine', title: 'permissible' }, '✓')
        : el(
              'td',
              { class: 'verdict bad', title: `not permissible: ${broken.map((name) => CONDITIONS[name]).join(', ')}` },
              `✗ ${broken.join(', ')}`,
          );
}

function cells(answer: LawAnswer, { u }: ImpactProblem, digits: number): HTMLElement[] {
    const { solution } = answer;
    if (solution === null) return [el('td', { class: 'reason', colspan: 7 }, answer.reason)];
    const { kinematic, kinetic, energetic } = solution.restitution;
    return [
        verdict(solution),
        el('td', { title: solution.p.join(', ') }, vector(cleaned(solution.p, Math.hypot(...solution.p)), digits)),
        el('td', { title: solution.uAfter.join(', ') }, vector(cleaned(solution.uAfter, 10 * Math.hypot(...u)), digits)),
        el(
            'td',
            { class: solution.dissipated < 0 && !solution.permissible.energy ? 'bad' : '' },
            number(cleaned([solution.dissipated], Math.hypot(...u) * Math.hypot(...solution.p))[0], digits),
        ),
        el('td', {}, orDash(kinematic, digits)),
        el('td', {}, orDash(kinetic, digits)),
        el('td', {}, orDash(energetic, digits)),
    ];
}

function recordedRow({ K, u }: ImpactProblem, p: readonly number[], digits: number): HTMLElement {
    const Kp = [0, 1, 2].map((i) => K[3 * i] * p[0] + K[3 * i + 1] * p[1] + K[3 * i + 2] * p[2]);
    const uAfter = u.map((component, i) => component + Kp[i]);
    const dissipated = -p.reduce((sum, component, i) => sum + component * (u[i] + 0.5 * Kp[i]), 0);
    return el(
        'tr',
        { class: 'recorded' },
        el('td', {}, el('span', { class: 'dot diamond' }), 'recorded'),
        el('td'),
        el('td', {}, vector(p, digits)),
        el('td', {}, vector(uAfter, digits)),
        el('td', {}, number(dissipated, digits)),
        el('td', {}, u[2] < 0 ? number(-uAfter[2] / u[2], digits) : '–'),
        el('td', {}, '–'),
        el('td', {}, '–'),
    );
}

function lawRow(laws: Laws, problem: ImpactProblem, answer: LawAnswer, options: LawTableOptions): HTMLElement {
    const dot = el('span', { class: 'dot', style: `background:${lawColour(laws, answer.label, themeMode())}` });
    const { onPick } = options;
    const name =
        onPick === undefined
            ? el('span', {}, answer.label)
            : el('button', { type: 'button', class: 'name', onclick: () => onPick(answer.label) }, answer.label);
    const chosen = answer.label === laws.labelOf(problem);
    return el(
        'tr',
        { 'data-label': answer.label, 'data-p': answer.solution?.p.join(' '), class: chosen ? 'chosen' : '' },
        el('td', { title: answer.law.summary }, dot, name),
        ...cells(answer, problem, options.digits ?? 4),
    );
}

/** law, p, u after, the three restitutions, the energy lost, permissible or why not. */
export function lawTable(laws: Laws, problem: ImpactProblem, options: LawTableOptions = {}): HTMLElement {
    const head = [
        ['law', ''],
        ['ok', 'permissible: energy, separation, friction cone, push'],
        ['p (N s)', 'impulse on A: two tangents, normal'],
        ['u after (m/s)', 'contact velocity after: two tangents, normal'],
        ['lost (J)', 'kinetic energy that is lost'],
        ['e speed', 'kinematic restitution: −u after / u before, normal'],
        ['e impulse', 'kinetic restitution: normal impulse of restitution / of compression'],
        ['e work', 'energetic restitution: root of work of restitution / of compression'],
    ];
    const rows = (options.answers ?? laws.all(problem)).map((answer) => lawRow(laws, problem, answer, options));
    if (options.p !== undefined) rows.unshift(recordedRow(problem, options.p, options.digits ?? 4));
    const table = el(
        'table',
        { class: 'law-table' },
        el('thead', {}, el('tr', {}, ...head.map(([name, title]) => el('th', { title, scope: 'col' }, name)))),
        el('tbody', {}, ...rows),
    );
    return el('div', { class: 'law-table-frame' }, table);
}

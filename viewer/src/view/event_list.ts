// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The list of events: sorted by any column, filtered by kind, by text and by the chosen body.
import { el, refill } from '../common/dom';
import { cleaned, count, counted, short, time } from '../common/format';
import { BRIEF_EVENT as EVENT, EVENT_KINDS, NO_BODY } from '../record/layout';
import type { Recording } from '../record/recording';
import { kindMark } from './kind_marks';
import type { Selection } from './selection';
import { VirtualList } from './virtual_list';

const ROW_PX = 24;

interface Column {
    name: string;
    title: string;
    key: (row: number) => number;
}

export class EventList {
    private readonly list: VirtualList;
    private readonly heads = el('div', { class: 'heads' });
    private readonly tally = el('span', { class: 'faint' });
    private readonly ofBody = el('input', { type: 'checkbox' });
    private readonly ofBodyLabel = el('label', { class: 'check' }, this.ofBody, 'of the chosen body');
    private readonly kindButtons: HTMLButtonElement[];
    private readonly columns: Column[];
    /** null: all rows in the order of time, without a list of them. */
    private rows: Uint32Array | null = null;
    private sortedBy = 0;
    private descending = false;
    private text = '';
    private key = '';
    /** Whether a row passes the filters; null: all do. */
    private passes: ((row: number) => boolean) | null = null;
    /** How many events there have been by the time that is shown. */
    private happened = 0;
    private readonly sizes = new Map<Column['key'], { rows: number; most: number }>();
    private pointerOver = false;

    constructor(
        container: HTMLElement,
        private readonly recording: Recording,
        private readonly selection: Selection,
    ) {
        const { events } = recording.brief;
        this.columns = [
            { name: 't (s)', title: 'When', key: (row) => events.double(row, EVENT.t) },
            { name: 'bodies', title: 'The two bodies', key: (row) => events.word(row, EVENT.a) * 4e9 + events.word(row, EVENT.b) },
            { name: 'v (m/s)', title: 'Speed of approach', key: (row) => events.double(row, EVENT.approach) },
            { name: 'p (N s)', title: 'Size of the impulse', key: (row) => events.double(row, EVENT.impulseSize) },
            { name: 'lost (J)', title: 'Energy lost', key: (row) => events.double(row, EVENT.energyLost) },
        ];
        this.kindButtons = EVENT_KINDS.map((kind, number) => el(
            'button', { class: 'kind', title: `Show events of kind ${kind}`, onclick: () => selection.toggleKind(number) },
            kindMark(kind), kind, el('span', { class: 'faint' }),
        ));
        const search = el('input', { type: 'search', placeholder: 'Filter by body', 'aria-label': 'Filter by body' });
        search.addEventListener('input', () => {
            this.text = search.value.trim().toLowerCase();
            this.update();
        });
        this.ofBody.addEventListener('change', () => this.update());
        const rows = el('div', { class: 'event-rows', 'aria-label': 'Events' });
        container.append(
            el('div', { class: 'filters' }, search, this.ofBodyLabel), el('div', { class: 'kinds' }, ...this.kindButtons),
            this.heads, rows, el('div', { class: 'tally' }, this.tally),
        );
        const choose = (item: number): void => selection.chooseEvent(this.rowAt(item));
        this.list = new VirtualList(rows, {
            rowPx: ROW_PX, fill: (item) => this.fill(this.rowAt(item)), choose, reach: choose,
            current: () => (selection.event === null ? -1 : this.itemOf(selection.event)),
        });
        rows.addEventListener('pointerenter', () => (this.pointerOver = true));
        rows.addEventListener('pointerleave', () => (this.pointerOver = false));
        recording.onGrowth(() => this.update());
        selection.onChange(() => this.selected());
        this.update();
    }

    /** The next event in time, of those in the list, from a row on in a direction. */
    neighbour(row: number, direction: 1 | -1): number | null {
        const { events } = this.recording.brief;
        for (let next = row; next >= 0 && next < events.rows; next += direction) {
            if (this.passes === null || this.passes(next)) return next;
        }
        return null;
    }

    /** Marks what has happened by time t, and goes there unless somebody is reading elsewhere. */
    followTime(t: number): void {
        const { events } = this.recording.brief;
        const happened = events.firstAfter(t);
        if (happened === this.happened) return;
        this.happened = happened;
        this.list.refresh();
        if (this.sortedBy !== 0 || this.pointerOver || this.list.hasFocus) return;
        const { event } = this.selection;
        const chosen = event !== null && events.double(event, EVENT.t) === t ? this.itemOf(event) : -1;
        this.list.reveal(chosen >= 0 ? chosen : Math.max(0, this.countBefore(happened) + (this.descending ? 0 : -1)));
    }

    /** How many items of a list in the order of time stand before the first that is not below `row`; descending: not above. */
    private countBefore(row: number): number {
        if (this.rows === null) return row;
        let low = 0;
        let high = this.rows.length;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.rows[middle] < row !== this.descending) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    private rowAt(item: number): number {
        return this.rows === null ? item : this.rows[item];
    }

    private itemOf(row: number): number {
        return this.rows === null ? row : this.rows.indexOf(row);
    }

    private selected(): void {
        this.update();
        const { event } = this.selection;
        const item = event === null ? -1 : this.itemOf(event);
        this.list.forgetCursor();
        if (item >= 0) this.list.reveal(item);
        this.list.refresh();
    }

    private update(): void {
        const { events } = this.recording.brief;
        const { body, kinds } = this.selection;
        this.ofBodyLabel.hidden = body === null;
        const only = this.ofBody.checked ? body : null;
        const key = [events.rows, kinds, only, this.text, this.sortedBy, this.descending].join();
        if (key === this.key) return;
        this.key = key;
        this.passes = this.makeFilter(only);
        this.rows = this.makeRows();
        const shown = this.rows?.length ?? events.rows;
        this.list.setLength(shown);
        this.tally.textContent = shown === events.rows ? counted(shown, 'event') : `${count(shown)} of ${counted(events.rows, 'event')}`;
        this.kindButtons.forEach((button, kind) => {
            const rows = this.recording.eventIndex.ofKind(kind).length;
            button.hidden = rows === 0;
            button.setAttribute('aria-pressed', String(kinds[kind]));
            button.lastElementChild!.textContent = count(rows);
        });
        this.drawHeads();
    }

    private makeFilter(only: number | null): ((row: number) => boolean) | null {
        const { events } = this.recording.brief;
        const { kinds } = this.selection;
        if (kinds.every(Boolean) && this.text === '' && only === null) return null;
        const named = this.text === '' ? null : this.recording.meta.bodies.map(({ name }) => name.toLowerCase().includes(this.text));
        return (row) => {
            if (!kinds[events.word(row, EVENT.kind)]) return false;
            const [a, b] = [events.word(row, EVENT.a), events.word(row, EVENT.b)];
            if (only !== null && a !== only && b !== only) return false;
            return named === null || named[a] || (b !== NO_BODY && named[b]);
        };
    }

    private makeRows(): Uint32Array | null {
        const { events } = this.recording.brief;
        if (this.passes === null && this.sortedBy === 0 && !this.descending) return null;
        const rows = new Uint32Array(events.rows);
        let length = 0;
        for (let row = 0; row < events.rows; row++) if (this.passes === null || this.passes(row)) rows[length++] = row;
        return this.sort(rows.subarray(0, length));
    }

    private sort(rows: Uint32Array): Uint32Array {
        if (this.sortedBy !== 0) {
            const { key } = this.columns[this.sortedBy];
            const keys = new Float64Array(this.recording.brief.events.rows);
            for (const row of rows) keys[row] = key(row);
            rows.sort((x, y) => keys[x] - keys[y] || x - y);
        }
        return this.descending ? rows.reverse() : rows;
    }

    /** The largest value of a column, beside which rounding is none. */
    private largest(key: Column['key']): number {
        const { rows } = this.recording.brief.events;
        let known = this.sizes.get(key) ?? { rows: 0, most: 0 };
        if (known.rows !== rows) {
            let { most } = known;
            for (let row = known.rows; row < rows; row++) most = Math.max(most, Math.abs(key(row)));
            known = { rows, most };
            this.sizes.set(key, known);
        }
        return known.most;
    }

    private drawHeads(): void {
        refill(this.heads, ...this.columns.map(({ name, title }, column) => {
            const mark = column !== this.sortedBy ? '' : this.descending ? ' ↓' : ' ↑';
            return el('button', {
                class: 'quiet', title: `${title}: sort`, onclick: () => {
                    // what is large is looked for first
                    this.descending = column === this.sortedBy ? !this.descending : column > 1;
                    this.sortedBy = column;
                    this.update();
                    this.list.toTop();
                },
            }, name + mark);
        }));
    }

    private fill(row: number): HTMLElement {
        const { events } = this.recording.brief;
        const kind = EVENT_KINDS[events.word(row, EVENT.kind)];
        const nameOf = (body: number): string => (body === NO_BODY ? '' : this.recording.meta.bodies[body].name);
        const [a, b] = [nameOf(events.word(row, EVENT.a)), nameOf(events.word(row, EVENT.b))];
        const numbers = this.columns.slice(2).map(({ key }) => {
            const value = cleaned(key(row), this.largest(key));
            return el('span', { class: 'mono' }, value === 0 ? '' : short(value));
        });
        return el(
            'div', { title: `${kind}: ${a}${b === '' ? '' : `, ${b}`}`, class: row < this.happened ? '' : 'ahead' },
            el('span', { class: 'mono' }, kindMark(kind), time(events.double(row, EVENT.t), 1e-4)),
            el('span', { class: 'name' }, b === '' ? `${a} (${kind})` : `${a} · ${b}`), ...numbers,
        );
    }
}

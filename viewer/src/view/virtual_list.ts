// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A list of any length of which only the visible rows are elements. By the keyboard, arrows, PageUp,
// PageDown, Home and End move its cursor, Enter and space choose what is there.
import { el } from '../common/dom';

/** Browsers stop counting pixels somewhere above this; longer lists scroll in larger steps. */
const TALLEST_PX = 12_000_000;
const SPARE_ROWS = 3;

export interface ListOptions {
    rowPx: number;
    /** Makes the element of an item. */
    fill: (item: number) => HTMLElement;
    /** A click, Enter or space. */
    choose: (item: number) => void;
    /** The cursor has come to an item by the keyboard. */
    reach?: (item: number) => void;
    /** A key that is no movement; whether it was taken. */
    key?: (item: number, name: string) => boolean;
    /** Which item is chosen; -1: none of the list. */
    current: () => number;
}

let lists = 0;

export class VirtualList {
    private readonly filler = el('div', { class: 'filler' });
    private readonly rows = el('div', { class: 'rows' });
    private readonly name = `list-${++lists}`;
    private items = 0;
    private asked = false;
    /** A button or finger is down on a row: rows that were drawn anew meanwhile would never get the click. */
    private held = false;
    /** Where the keyboard is, while it is not where the choice is; -1: there. */
    private cursor = -1;
    /** What was brought into view last, and whether it is there still, or is to be when the list is shown. */
    private revealed = -1;
    private inView = false;
    /** As the list was last laid out; 0: hidden (px). */
    private height = 0;

    constructor(
        private readonly container: HTMLElement,
        private readonly options: ListOptions,
    ) {
        container.classList.add('virtual');
        container.tabIndex = 0;
        container.setAttribute('role', 'listbox');
        container.append(this.filler, this.rows);
        container.addEventListener('scroll', () => this.refresh());
        this.rows.addEventListener('pointerdown', () => (this.held = true));
        for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => this.release());
        container.addEventListener('keydown', (event) => this.pressed(event));
        container.addEventListener('focus', () => this.refresh());
        container.addEventListener('blur', () => this.refresh());
        new ResizeObserver(() => this.resized()).observe(container);
    }

    get hasFocus(): boolean {
        return document.activeElement === this.container;
    }

    setLength(items: number): void {
        this.items = items;
        if (this.cursor >= items) this.cursor = -1;
        this.filler.style.height = `${Math.min(items * this.options.rowPx, TALLEST_PX)}px`;
        this.refresh();
    }

    /** Draws the visible rows anew, with the next frame. */
    refresh(): void {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.draw();
        });
    }

    /** Scrolls as little as brings the item into view; a list that is hidden does so when it is shown. */
    reveal(item: number): void {
        this.revealed = item;
        this.inView = true;
        if (this.container.clientHeight === 0) return;
        const first = this.firstVisible();
        if (item < first) this.scrollToFirst(item);
        else if (item >= first + this.wholeRows - 1) this.scrollToFirst(item - this.wholeRows + 2);
        this.refresh();
    }

    /** In a list that is shown, or of another height, what was in view is so again. */
    private resized(): void {
        this.height = this.container.clientHeight;
        if (this.inView && this.revealed < this.items) this.reveal(this.revealed);
        else this.refresh();
    }

    /** As when the order has become another one. */
    toTop(): void {
        this.cursor = -1;
        this.inView = false;
        this.container.scrollTop = 0;
        this.refresh();
    }

    /** Puts the keyboard's cursor where the choice is again. */
    forgetCursor(): void {
        this.cursor = -1;
    }

    /** How many rows are seen whole at a time. */
    private get wholeRows(): number {
        return Math.floor(this.container.clientHeight / this.options.rowPx);
    }

    private get hiddenPx(): number {
        return Math.max(1, Math.min(this.items * this.options.rowPx, TALLEST_PX) - this.container.clientHeight);
    }

    private get hiddenRows(): number {
        return Math.max(0, this.items - this.container.clientHeight / this.options.rowPx);
    }

    private firstVisible(): number {
        return (this.container.scrollTop / this.hiddenPx) * this.hiddenRows;
    }

    private scrollToFirst(item: number): void {
        this.container.scrollTop = (Math.max(item, 0) / Math.max(this.hiddenRows, 1e-9)) * this.hiddenPx;
    }

    private get active(): number {
        return this.cursor >= 0 ? this.cursor : this.options.current();
    }

    private release(): void {
        if (!this.held) return;
        this.held = false;
        this.refresh();
    }

    private draw(): void {
        if (this.held) return;
        const { rowPx } = this.options;
        const first = this.firstVisible();
        // not between a change of the layout and resized()
        if (this.height > 0 && this.container.clientHeight === this.height) {
            this.inView = this.revealed >= Math.floor(first) && this.revealed <= first + this.wholeRows;
        }
        const begin = Math.max(0, Math.floor(first) - SPARE_ROWS);
        const end = Math.min(this.items, Math.ceil(first + this.container.clientHeight / rowPx) + SPARE_ROWS);
        const [marked, active] = [this.options.current(), this.active];
        const elements: HTMLElement[] = [];
        for (let item = begin; item < end; item++) {
            const element = this.options.fill(item);
            element.classList.add('row');
            element.classList.toggle('cursor', item === active && this.hasFocus);
            element.id = `${this.name}-${item}`;
            element.setAttribute('role', 'option');
            element.setAttribute('aria-selected', String(item === marked));
            element.setAttribute('aria-setsize', String(this.items));
            element.setAttribute('aria-posinset', String(item + 1));
            element.style.height = `${rowPx}px`;
            element.addEventListener('click', () => {
                this.cursor = -1;
                this.options.choose(item);
            });
            elements.push(element);
        }
        this.rows.style.transform = `translateY(${this.container.scrollTop + (begin - first) * rowPx}px)`;
        this.rows.replaceChildren(...elements);
        if (active >= begin && active < end) this.container.setAttribute('aria-activedescendant', `${this.name}-${active}`);
        else this.container.removeAttribute('aria-activedescendant');
    }

    private pressed(event: KeyboardEvent): void {
        if (this.items === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const page = Math.max(1, this.wholeRows - 1);
        const by: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
        const step = by[event.key];
        const active = this.active;
        if (step !== undefined) this.moveTo(Math.min(Math.max(active + step, 0), this.items - 1));
        else if (active < 0) return;
        else if (event.key === 'Enter' || event.key === ' ') this.options.choose(active);
        else if (!this.options.key?.(active, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        this.refresh();
    }

    private moveTo(item: number): void {
        this.cursor = item;
        this.reveal(item);
        this.options.reach?.(item);
    }
}

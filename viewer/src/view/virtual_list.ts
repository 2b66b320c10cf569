// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A list of any length of which only the visible rows are elements.
import { el } from '../common/dom';

/** Browsers stop counting pixels somewhere above this; longer lists scroll in larger steps. */
const TALLEST_PX = 12_000_000;
const SPARE_ROWS = 3;

export class VirtualList {
    private readonly filler = el('div', { class: 'filler' });
    private readonly rows = el('div', { class: 'rows' });
    private items = 0;
    private asked = false;

    /** fill: makes the element of an item; choose: a click, or Enter; current: which is marked. */
    constructor(
        private readonly container: HTMLElement,
        private readonly rowPx: number,
        private readonly fill: (item: number) => HTMLElement,
        private readonly choose: (item: number) => void,
        private readonly current: () => number,
    ) {
        container.classList.add('virtual');
        container.tabIndex = 0;
        container.setAttribute('role', 'listbox');
        container.append(this.filler, this.rows);
        container.addEventListener('scroll', () => this.refresh());
        container.addEventListener('keydown', (event) => this.pressed(event));
        new ResizeObserver(() => this.refresh()).observe(container);
    }

    setLength(items: number): void {
        this.items = items;
        this.filler.style.height = `${Math.min(items * this.rowPx, TALLEST_PX)}px`;
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

    /** Scrolls as little as brings the item into view. */
    reveal(item: number): void {
        const visible = Math.floor(this.container.clientHeight / this.rowPx);
        const first = this.firstVisible();
        if (item < first) this.scrollToFirst(item);
        else if (item >= first + visible - 1) this.scrollToFirst(item - visible + 2);
        this.refresh();
    }

    private get hiddenPx(): number {
        return Math.max(1, Math.min(this.items * this.rowPx, TALLEST_PX) - this.container.clientHeight);
    }

    private get hiddenRows(): number {
        return Math.max(0, this.items - this.container.clientHeight / this.rowPx);
    }

    private firstVisible(): number {
        return (this.container.scrollTop / this.hiddenPx) * this.hiddenRows;
    }

    private scrollToFirst(item: number): void {
        this.container.scrollTop = (Math.max(item, 0) / Math.max(this.hiddenRows, 1e-9)) * this.hiddenPx;
    }

    private draw(): void {
        const first = this.firstVisible();
        const begin = Math.max(0, Math.floor(first) - SPARE_ROWS);
        const end = Math.min(this.items, Math.ceil(first + this.container.clientHeight / this.rowPx) + SPARE_ROWS);
        const marked = this.current();
        const elements: HTMLElement[] = [];
        for (let item = begin; item < end; item++) {
            const element = this.fill(item);
            element.classList.add('row');
            element.setAttribute('role', 'option');
            element.setAttribute('aria-selected', String(item === marked));
            element.style.height = `${this.rowPx}px`;
            element.addEventListener('click', () => this.choose(item));
            elements.push(element);
        }
        this.rows.style.transform = `translateY(${this.container.scrollTop + (begin - first) * this.rowPx}px)`;
        this.rows.replaceChildren(...elements);
    }

    private pressed(event: KeyboardEvent): void {
        const by: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
        const step = by[event.key];
        if (step === undefined || this.items === 0) return;
        event.preventDefault();
        event.stopPropagation();
        const item = Math.min(Math.max(this.current() + step, 0), this.items - 1);
        this.choose(item);
        this.reveal(item);
    }
}

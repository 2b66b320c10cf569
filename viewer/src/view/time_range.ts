// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The part of time that the timeline and the plots show; they share it.

/** No part shorter than this of the whole is shown: doubles have no more digits. */
const SHORTEST_PART = 1e-9;

export class TimeRange {
    from = 0;
    to = 1;
    private whole = 1;
    private readonly listeners = new Set<() => void>();

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    get isWhole(): boolean {
        return this.from === 0 && this.to === this.whole;
    }

    get span(): number {
        return this.to - this.from;
    }

    /** How long everything is; a range that showed all of it does so again. */
    setWhole(whole: number): void {
        const showedAll = this.isWhole || whole < this.to;
        this.whole = Math.max(whole, 1e-9);
        if (showedAll) this.showAll();
    }

    showAll(): void {
        this.set(0, this.whole);
    }

    set(from: number, to: number): void {
        const span = Math.min(Math.max(to - from, SHORTEST_PART * this.whole), this.whole);
        const begin = Math.min(Math.max(from, 0), this.whole - span);
        if (begin === this.from && begin + span === this.to) return;
        this.from = begin;
        this.to = begin + span;
        for (const listener of this.listeners) listener();
    }

    /** factor < 1 shows less; the time `about` stays where it is. */
    zoom(factor: number, about: number): void {
        const span = Math.min(this.span * factor, this.whole);
        const part = (about - this.from) / this.span;
        this.set(about - part * span, about + (1 - part) * span);
    }

    pan(by: number): void {
        this.set(this.from + by, this.to + by);
    }

    /** Turns the page when time has left the range. */
    keepVisible(t: number): void {
        if (this.isWhole || (t >= this.from && t <= this.to)) return;
        this.set(t - 0.1 * this.span, t + 0.9 * this.span);
    }
}

/** Round times for marks on an axis, at most so many. */
export function roundMarks(from: number, to: number, most: number): number[] {
    const rough = (to - from) / Math.max(most, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((leading) => leading * power).find((value) => value >= rough) ?? 10 * power;
    const marks: number[] = [];
    for (let number = Math.ceil(from / step); number * step <= to * (1 + 1e-12); number++) marks.push(number * step);
    return marks;
}

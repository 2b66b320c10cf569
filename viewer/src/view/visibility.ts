// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Which bodies are seen: each is shown, seen through or hidden, and where some are isolated all the
// others are hidden besides. Only the picture changes: events, plots and forces stay those of all.

export type Look = 'shown' | 'faint' | 'hidden';

export class Visibility {
    private readonly looks: Look[];
    private only: ReadonlySet<number> | null = null;
    private readonly listeners = new Set<() => void>();

    constructor(bodies: number) {
        this.looks = new Array<Look>(bodies).fill('shown');
    }

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    of(body: number): Look {
        return this.only !== null && !this.only.has(body) ? 'hidden' : this.looks[body];
    }

    get isolated(): ReadonlySet<number> | null {
        return this.only;
    }

    /** Whether some body is not simply shown. */
    get isChanged(): boolean {
        return this.only !== null || this.looks.some((look) => look !== 'shown');
    }

    /** The numbers of bodies that look so, isolation left aside. */
    bodiesOf(look: Look): number[] {
        return this.looks.flatMap((one, body) => (one === look ? [body] : []));
    }

    set(bodies: readonly number[], look: Look): void {
        for (const body of bodies) this.looks[body] = look;
        this.tell();
    }

    /** Shown, seen through, hidden, and shown again: what is next for a group is what is next for its first. */
    cycle(bodies: readonly number[]): void {
        const next: Record<Look, Look> = { shown: 'faint', faint: 'hidden', hidden: 'shown' };
        if (bodies.length > 0) this.set(bodies, next[this.looks[bodies[0]]]);
    }

    /** null: no more. */
    isolate(bodies: readonly number[] | null): void {
        this.only = bodies === null ? null : new Set(bodies);
        this.tell();
    }

    showAll(): void {
        this.looks.fill('shown');
        this.only = null;
        this.tell();
    }

    private tell(): void {
        for (const listener of this.listeners) listener();
    }
}

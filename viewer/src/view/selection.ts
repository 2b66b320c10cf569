// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What the user has chosen: a body, an event, and the kinds of events that count.
import { EVENT_KINDS } from '../record/layout';

export class Selection {
    body: number | null = null;
    /** A row of the events. */
    event: number | null = null;
    /** Counts choices of an event: who chooses the same one again wants to go there again. */
    visits = 0;
    /** By kind: whether its events are on the timeline, in the list, and stepped through. */
    readonly kinds: boolean[] = EVENT_KINDS.map(() => true);
    followed: number | null = null;
    private readonly listeners = new Set<() => void>();

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    chooseBody(body: number | null): void {
        if (body === this.body) return;
        this.body = body;
        this.tell();
    }

    chooseEvent(event: number | null): void {
        if (event === null && this.event === null) return;
        this.event = event;
        if (event !== null) this.visits++;
        this.tell();
    }

    toggleKind(kind: number): void {
        this.kinds[kind] = !this.kinds[kind];
        this.tell();
    }

    follow(body: number | null): void {
        if (body === this.followed) return;
        this.followed = body;
        this.tell();
    }

    private tell(): void {
        for (const listener of this.listeners) listener();
    }
}

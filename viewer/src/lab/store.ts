// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The state of the page and all that follows from it at once: the problem and every law's answer.
// Changes within one frame are answered together.
import type { ImpactProblem, LawAnswer, Laws, Solution } from '../laws/laws';
import { copyState, type LabState, problemOf } from './state';

export class Store {
    state: LabState;
    problem!: ImpactProblem;
    answers: LawAnswer[] = [];
    /** The chosen law's own, with its path; null where it has none. */
    chosen: Solution | null = null;
    reason = '';
    /** How long the laws took for the last change (ms). */
    solvedIn = 0;
    private readonly listeners: (() => void)[] = [];
    private waiting = 0;

    constructor(
        private readonly laws: Laws,
        first: LabState,
    ) {
        this.state = copyState(first);
        this.solve();
    }

    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    change(edit: (state: LabState) => void): void {
        edit(this.state);
        this.later();
    }

    replace(state: LabState): void {
        this.state = copyState(state);
        this.later();
    }

    tell(): void {
        for (const listener of this.listeners) listener();
    }

    private later(): void {
        if (this.waiting !== 0) return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = 0;
            this.solve();
            this.tell();
        });
    }

    private solve(): void {
        const start = performance.now();
        this.problem = problemOf(this.laws, this.state);
        this.answers = this.laws.all(this.problem);
        const own = this.laws.labelled(this.problem, this.state.law, { trace: true });
        this.chosen = own.solution;
        this.reason = own.reason;
        this.solvedIn = performance.now() - start;
    }
}

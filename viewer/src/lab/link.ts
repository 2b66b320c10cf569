// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A link from elsewhere to an impact in the laboratory, as state.ts reads it: K, u, the law and its
// parameters, the impulse that was recorded, and words about where it comes from.
import { type ImpactProblem, type Laws, NO_FRICTION_LIMIT } from '../laws/laws';

export function labHash(laws: Laws, problem: ImpactProblem, recorded: readonly number[], story: string): string {
    const words = new URLSearchParams();
    const { K, u, parameters } = problem;
    words.set('K', [K[0], K[1], K[2], K[4], K[5], K[8]].join(' '));
    words.set('u', u.join(' '));
    words.set('law', laws.labelOf(problem));
    for (const [name, value] of Object.entries(parameters)) {
        // the termination is part of the label
        if (name === 'termination' && problem.law === 'routh') continue;
        const text = typeof value === 'number' && Math.abs(value) >= NO_FRICTION_LIMIT ? 'inf' : Array.isArray(value) ? value.join(' ') : String(value);
        words.set(`law.${name}`, text);
    }
    words.set('recorded', recorded.join(' '));
    words.set('story', story);
    return words.toString().replaceAll('%2F', '/');
}

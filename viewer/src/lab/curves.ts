// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Curves over the normal impulse, as the impact goes on: the normal velocity of laws that have a
// path, and the energies of the chosen law.
import { themeColour, themeMode } from '../common/theme';
import { lawColour } from '../impulse/palette';
import type { ImpactProblem, Laws, Solution } from '../laws/laws';
import type { Line } from './line_plot';

const STRAIGHT_SAMPLES = 41;

/** Impulses on the way: a law's own, or the straight line to its answer. */
function wayOf(solution: Solution): number[][] {
    if (solution.trace !== null) return solution.trace.p;
    return Array.from({ length: STRAIGHT_SAMPLES }, (_, i) =>
        solution.p.map((component) => (component * i) / (STRAIGHT_SAMPLES - 1)),
    );
}

export function velocityLines(laws: Laws, problem: ImpactProblem, label: string, chosen: Solution | null): Line[] {
    const { K, u } = problem;
    const lines: Line[] = [];
    const add = (name: string, solution: Solution, dashed: boolean): void => {
        const way = wayOf(solution);
        lines.push({
            name,
            colour: lawColour(laws, name, themeMode()),
            dashed,
            x: way.map((p) => p[2]),
            y: way.map((p) => u[2] + K[6] * p[0] + K[7] * p[1] + K[8] * p[2]),
        });
    };
    for (const other of ['routh/stronge', 'compliant']) {
        const sameLaw = other.split('/')[0] === label.split('/')[0];
        const { solution } = laws.labelled(problem, other, { trace: true });
        if (!sameLaw && solution !== null) add(other, solution, true);
    }
    if (chosen !== null) add(label, chosen, false);
    return lines;
}

export function energyLines(problem: ImpactProblem, chosen: Solution | null, contactEnergy: number): Line[] {
    if (chosen === null) return [];
    const { K, u } = problem;
    const way = wayOf(chosen);
    const x = way.map((p) => p[2]);
    const kinetic = way.map(
        (p) =>
            contactEnergy +
            p.reduce(
                (sum, component, i) =>
                    sum + component * (u[i] + 0.5 * (K[3 * i] * p[0] + K[3 * i + 1] * p[1] + K[3 * i + 2] * p[2])),
                0,
            ),
    );
    const line = (name: string, colour: string, y: number[], dashed = false): Line => ({
        name,
        colour: themeColour(colour),
        x,
        y,
        dashed,
    });
    const lines = [line('kinetic, at the contact', '--series-1', kinetic)];
    const { trace } = chosen;
    if (trace === null) return lines;
    lines.push(line('work of the normal force', '--series-2', trace.normalWork));
    const stored = trace.normalEnergy.map((normal, i) => normal + trace.tangentialEnergy[i]);
    if (stored.some((energy) => energy > 0)) {
        lines.push(
            line('normal spring', '--series-3', trace.normalEnergy),
            line('tangential springs', '--series-4', trace.tangentialEnergy),
        );
    }
    lines.push(
        line(
            'lost',
            '--ink-faint',
            kinetic.map((energy, i) => contactEnergy - energy - stored[i]),
            true,
        ),
    );
    return lines;
}

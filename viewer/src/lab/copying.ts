// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The impact as text for other tools: one line for `carom impact`, and a Python program.
import type { Laws } from '../laws/laws';
import { contactPoint, worldInertia } from './bodies';
import { fullMatrix, type LabState } from './state';

/** The problem as `carom impact` takes it; with `--all` every law answers it. */
export function problemObject(laws: Laws, state: LabState): Record<string, unknown> {
    const [law, termination] = state.law.split('/');
    const problem: Record<string, unknown> = { id: 1, law };
    if (state.given === 'body') {
        const { mass, v, w } = state.body;
        problem.normal = [0, 0, 1];
        problem.A = { mass, inertia: worldInertia(state.body), r: contactPoint(state.body), v, w };
        problem.B = 'fixed';
    } else {
        const K = fullMatrix(state.K);
        problem.K = [K.slice(0, 3), K.slice(3, 6), K.slice(6)];
        problem.u = state.u;
    }
    for (const { name } of laws.parameters) if (name in state.parameters) problem[name] = state.parameters[name];
    if (termination !== undefined) problem.termination = termination;
    return problem;
}

export const problemLine = (laws: Laws, state: LabState): string => JSON.stringify(problemObject(laws, state));

/** JSON as a Python expression, one entry a line. */
function pythonDictionary(problem: Record<string, unknown>): string {
    const python = (value: unknown): string =>
        JSON.stringify(value).replaceAll('true', 'True').replaceAll('false', 'False').replaceAll(',', ', ').replaceAll(':', ': ');
    return ['{', ...Object.entries(problem).map(([name, value]) => `    "${name}": ${python(value)},`), '}'].join('\n');
}

export function pythonProgram(laws: Laws, state: LabState): string {
    return `# One impact, every law's answer. Needs the carom program on the path.
import json
import subprocess

problem = ${pythonDictionary(problemObject(laws, state))}

answer = subprocess.run(
    ["carom", "impact", "--all", "--json"],
    input=json.dumps(problem), capture_output=True, text=True, check=True,
)
for law in json.loads(answer.stdout)["answers"]:
    name = "/".join(filter(None, [law["law"], law.get("termination")]))
    print(f"{name:24}", law.get("impulse", law.get("not_applicable")))
`;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Answers that are the same but for rounding, so that a drawing names them once. Laws that disagree,
// however little, are never one.
import type { LawAnswer, Solution } from '../laws/laws';

export interface Answer extends LawAnswer {
    solution: Solution;
}

export interface AnswerGroup {
    p: number[];
    members: Answer[];
}

export const isSolved = (answer: LawAnswer): answer is Answer => answer.solution !== null;

/** Whether all four conditions hold. */
export const isPermissible = (solution: Solution): boolean => Object.values(solution.permissible).every((holds) => holds);

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Of the largest impulse: a little more than the 1e-9 that the compliant law promises. */
const SAME = 4e-9;

/** Groups of equal answers; `first` leads its own. */
export function groupAnswers(answers: readonly LawAnswer[], first: string): AnswerGroup[] {
    const groups: AnswerGroup[] = [];
    const solved = answers.filter(isSolved);
    const within = SAME * Math.max(0, ...solved.map(({ solution }) => Math.hypot(...solution.p)));
    const leading = solved.filter((answer) => answer.label === first);
    for (const answer of [...leading, ...solved.filter((other) => other.label !== first)]) {
        const near = groups.find((group) => distance(group.p, answer.solution.p) <= within);
        if (near === undefined) groups.push({ p: answer.solution.p, members: [answer] });
        else near.members.push(answer);
    }
    return groups;
}

/** Names of a group: routh's terminations together, no more than `most`. */
export function groupName(group: AnswerGroup, most = 3): string {
    const names: string[] = [];
    const terminations = group.members.flatMap((member) => member.label.match(/^routh\/(.*)$/)?.slice(1) ?? []);
    for (const { label } of group.members) {
        const name = label.startsWith('routh/') && terminations.length > 1 ? 'routh' : label;
        if (!names.includes(name)) names.push(name);
    }
    const left = names.length - most;
    return left > 1 ? `${names.slice(0, most).join(', ')} +${left}` : names.join(', ');
}

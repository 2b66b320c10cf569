// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The plane of slip: how the tangential contact velocity goes during the impact, from where it
// starts and from sixteen starts on a circle, with the rays of constant sliding and the end that
// each law gives it.
import { el } from '../common/dom';
import { number } from '../common/format';
import { onTheme, themeColour, themeMode } from '../common/theme';
import { modeColour, lawColour } from '../impulse/palette';
import { isSolved } from '../impulse/groups';
import { roundStep } from '../impulse/axes';
import {
    frictionOf,
    type ImpactProblem,
    type LawAnswer,
    type Laws,
    type ModeName,
    NO_FRICTION_LIMIT,
    type SlidingRay,
    type Solution,
} from '../laws/laws';

interface Picture {
    problem: ImpactProblem;
    answers: readonly LawAnswer[];
    chosen: Solution | null;
    fan: number[][][];
    rays: SlidingRay[];
}

const FAN = 16;
const SIDE_MOST = 340;

export class SlipPlane {
    readonly element: HTMLElement;
    private readonly canvas = el('canvas', { role: 'img', 'aria-label': 'Slip velocity during the impact' });
    private readonly box = el('div', { class: 'slip-box' }, this.canvas);
    private picture: Picture | null = null;

    constructor(
        container: HTMLElement,
        private readonly laws: Laws,
    ) {
        this.element = el(
            'figure',
            { class: 'plot slip' },
            el(
                'figcaption',
                {},
                el('h3', {}, 'Slip'),
                el(
                    'span',
                    { class: 'plot-legend' },
                    'u y against u x (m/s); rays of constant sliding: solid leave the origin, dashed run into it',
                ),
            ),
            this.box,
        );
        container.append(this.element);
        new ResizeObserver(() => this.draw()).observe(this.box);
        onTheme(() => this.draw());
    }

    show(problem: ImpactProblem, answers: readonly LawAnswer[], chosen: Solution | null): void {
        const mu = frictionOf(problem.parameters);
        const rays = mu === NO_FRICTION_LIMIT ? [] : this.laws.rays(problem.K, mu);
        this.picture = { problem, answers, chosen, rays, fan: this.fanOf(problem) };
        this.draw();
    }

    /** Paths of Routh's law from sixteen slips of the same speed. */
    private fanOf(problem: ImpactProblem): number[][][] {
        const { u } = problem;
        const speed = Math.hypot(u[0], u[1]);
        if (speed === 0) return [];
        const paths: number[][][] = [];
        for (let i = 0; i < FAN; i++) {
            const angle = (2 * Math.PI * i) / FAN;
            const start = [speed * Math.cos(angle), speed * Math.sin(angle), u[2]];
            const { solution } = this.laws.labelled({ ...problem, u: start }, 'routh/stronge', { trace: true });
            if (solution?.trace) paths.push(solution.trace.u);
        }
        return paths;
    }

    private draw(): void {
        const { picture, canvas } = this;
        const side = Math.min(this.box.clientWidth, SIDE_MOST);
        if (picture === null || side === 0) return;
        const ratio = window.devicePixelRatio;
        canvas.width = canvas.height = Math.round(side * ratio);
        canvas.style.width = canvas.style.height = `${side}px`;
        const context = canvas.getContext('2d');
        if (context === null) throw new Error('the browser gives no canvas to draw on');
        context.scale(ratio, ratio);
        new SlipDrawing(context, side, reachOf(picture)).draw(picture, this.laws);
    }
}

/** How far the picture goes from the origin (m/s). */
function reachOf({ problem: { u }, answers, chosen }: Picture): number {
    const start = Math.hypot(u[0], u[1]);
    const ends = answers.filter(isSolved).map(({ solution: { uAfter } }) => Math.hypot(uAfter[0], uAfter[1]));
    const path = (chosen?.trace?.u ?? []).map((v) => Math.hypot(v[0], v[1]));
    const base = Math.max(start, ...path, 1e-3 * Math.abs(u[2]), 1e-12);
    return 1.15 * Math.max(base, ...ends.filter((end) => end < 3 * base));
}

class SlipDrawing {
    private readonly scale: number;

    constructor(
        private readonly context: CanvasRenderingContext2D,
        private readonly side: number,
        private readonly reach: number,
    ) {
        this.scale = side / (2 * reach);
    }

    draw(picture: Picture, laws: Laws): void {
        this.grid();
        picture.rays.forEach((ray) => this.ray(ray));
        picture.fan.forEach((path) => this.path(path, null));
        const { problem, chosen, answers } = picture;
        if (chosen !== null) this.path(chosen.trace?.u ?? [[...problem.u], chosen.uAfter], chosen.trace?.mode ?? null, 2.5);
        for (const answer of answers.filter(isSolved))
            this.dot(answer.solution.uAfter, lawColour(laws, answer.label, themeMode()), 4);
        this.dot(problem.u, themeColour('--ink'), 3.5, 'start');
    }

    private at(v: readonly number[]): [number, number] {
        return [this.side / 2 + this.scale * v[0], this.side / 2 - this.scale * v[1]];
    }

    private line(from: [number, number], to: [number, number]): void {
        this.context.beginPath();
        this.context.moveTo(...from);
        this.context.lineTo(...to);
        this.context.stroke();
    }

    private grid(): void {
        const { context, reach } = this;
        const step = roundStep(reach / 2);
        context.font = `10px ${themeColour('--font')}`;
        context.fillStyle = themeColour('--ink-faint');
        context.lineWidth = 1;
        for (let i = -Math.floor(reach / step); i * step <= reach; i++) {
            context.strokeStyle = themeColour(i === 0 ? '--line-strong' : '--line');
            this.line(this.at([i * step, -reach]), this.at([i * step, reach]));
            this.line(this.at([-reach, i * step]), this.at([reach, i * step]));
            if (i === 0) continue;
            const [x, y] = this.at([i * step, 0]);
            context.fillText(number(i * step, 3), x + 3, y + 11);
            const [left, above] = this.at([0, i * step]);
            context.fillText(number(i * step, 3), left + 4, above - 3);
        }
    }

    private ray({ angle, growth }: SlidingRay): void {
        const { context, reach } = this;
        const diverging = growth > 0;
        context.strokeStyle = themeColour(diverging ? '--impact' : '--ink-soft');
        context.lineWidth = diverging ? 1.8 : 1.2;
        context.setLineDash(diverging ? [] : [5, 4]);
        this.line(this.at([0, 0]), this.at([2 * reach * Math.cos(angle), 2 * reach * Math.sin(angle)]));
        context.setLineDash([]);
        context.fillStyle = context.strokeStyle;
        const [x, y] = this.at([0.86 * reach * Math.cos(angle), 0.86 * reach * Math.sin(angle)]);
        context.fillText(`${((angle * 180) / Math.PI).toFixed(0)}°`, x + 4, y - 4);
    }

    private path(points: readonly (readonly number[])[], modes: readonly ModeName[] | null, width = 1): void {
        const { context } = this;
        const bold = width > 1;
        context.lineWidth = width;
        context.globalAlpha = bold ? 1 : 0.45;
        context.strokeStyle = themeColour(bold ? '--ink' : '--ink-faint');
        for (let i = 1; i < points.length; i++) {
            if (modes !== null) context.strokeStyle = modeColour(themeMode(), modes[i]);
            this.line(this.at(points[i - 1]), this.at(points[i]));
        }
        context.globalAlpha = 1;
    }

    private dot(v: readonly number[], colour: string, radius: number, name = ''): void {
        const { context } = this;
        const [x, y] = this.at(v);
        context.fillStyle = colour;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fill();
        context.strokeStyle = themeColour('--panel');
        context.lineWidth = 1;
        context.stroke();
        if (name === '') return;
        const width = context.measureText(name).width;
        context.fillText(name, x + 8 + width > this.side ? x - 6 - width : x + 6, y - 6);
    }
}

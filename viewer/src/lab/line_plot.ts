// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A plot of lines that may change with every picture, each with x values of its own (uPlot).
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import '../common/plot.css';
import { el, refill } from '../common/dom';
import { number } from '../common/format';
import { onTheme, themeColour } from '../common/theme';

export interface Line {
    name: string;
    colour: string;
    dashed?: boolean;
    x: readonly number[];
    y: readonly (number | null)[];
}

export interface LinePlotOptions {
    title: string;
    xName: string;
    yName: string;
}

export class LinePlot {
    readonly element: HTMLElement;
    readonly head = el('figcaption', {});
    private readonly legend = el('div', { class: 'plot-legend' });
    private readonly body = el('div', { class: 'plot-body' });
    private readonly axisNames = el('div', { class: 'plot-axes faint' });
    private plot: uPlot | null = null;
    private lines: readonly Line[] = [];
    private marker: number | null = null;
    private drawn = '';

    constructor(
        container: HTMLElement,
        private options: LinePlotOptions,
    ) {
        this.head.append(el('h3', {}, options.title), this.legend);
        this.element = el('figure', { class: 'plot' }, this.head, this.body, this.axisNames);
        container.append(this.element);
        new ResizeObserver(() => this.resize()).observe(this.body);
        onTheme(() => this.rebuild());
    }

    /** marker: where a vertical line stands; names: other ones for the axes. */
    show(lines: readonly Line[], marker: number | null = null, names: Partial<LinePlotOptions> = {}): void {
        this.lines = lines;
        this.marker = marker;
        this.options = { ...this.options, ...names };
        this.axisNames.textContent = `${this.options.yName} against ${this.options.xName}`;
        refill(
            this.legend,
            ...lines.map((line) => el('span', { class: 'key' }, el('i', { style: `background:${line.colour}` }), line.name)),
        );
        const drawn = lines.map((line) => [line.name, line.colour, line.dashed].join()).join(';');
        if (this.plot !== null && drawn === this.drawn) this.plot.setData(this.data());
        else this.rebuild();
        this.drawn = drawn;
    }

    /** All lines over the union of their x values, in order. */
    private data(): uPlot.AlignedData {
        const xs = [...new Set(this.lines.flatMap((line) => line.x))].sort((a, b) => a - b);
        const place = new Map(xs.map((x, at) => [x, at]));
        const columns = this.lines.map((line) => {
            // undefined is a gap that the line spans, null one that it does not
            const column: (number | null | undefined)[] = new Array<undefined>(xs.length).fill(undefined);
            line.x.forEach((x, at) => (column[place.get(x)!] = line.y[at]));
            return column;
        });
        return [xs, ...columns] as uPlot.AlignedData;
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.body;
        if (width === 0 || height === 0) return;
        if (this.plot === null) this.rebuild();
        else this.plot.setSize({ width, height });
    }

    private rebuild(): void {
        this.plot?.destroy();
        this.plot = null;
        const { clientWidth: width, clientHeight: height } = this.body;
        if (width === 0 || height === 0 || this.lines.length === 0) return;
        const axis: uPlot.Axis = {
            stroke: themeColour('--ink-faint'),
            font: `10px ${themeColour('--font')}`,
            grid: { stroke: themeColour('--line'), width: 1 },
            ticks: { show: false },
        };
        this.plot = new uPlot(
            {
                width,
                height,
                legend: { show: false },
                cursor: { show: false },
                padding: [8, 10, 0, 0],
                scales: { x: { time: false }, y: { range: (_, least, most) => padded(least, most) } },
                axes: [
                    { ...axis, size: 20, gap: 3, values: (_, splits) => splits.map((x) => number(x, 4)) },
                    { ...axis, size: 46, gap: 3, values: (_, splits) => splits.map((y) => number(y, 3)) },
                ],
                series: [
                    {},
                    ...this.lines.map((line): uPlot.Series => ({
                        label: line.name,
                        stroke: line.colour,
                        width: 1.75,
                        pxAlign: 0,
                        dash: line.dashed ? [5, 4] : undefined,
                        points: { show: false },
                    })),
                ],
                hooks: { draw: [(plot) => this.drawMarks(plot)] },
            },
            this.data(),
            this.body,
        );
    }

    private drawMarks(plot: uPlot): void {
        const { left, top, width, height } = plot.bbox;
        const line = (at: number, horizontal: boolean, colour: string): void => {
            const inside = horizontal ? at >= top && at <= top + height : at >= left && at <= left + width;
            if (!inside) return;
            plot.ctx.fillStyle = colour;
            if (horizontal) plot.ctx.fillRect(left, at, width, devicePixelRatio);
            else plot.ctx.fillRect(at, top, devicePixelRatio, height);
        };
        line(plot.valToPos(0, 'y', true), true, themeColour('--line-strong'));
        if (this.marker !== null) line(plot.valToPos(this.marker, 'x', true), false, themeColour('--accent'));
    }
}

function padded(least: number | null, most: number | null): [number, number] {
    if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
    const span = most - least || Math.abs(most) || 1;
    return [least - 0.07 * span, most + 0.07 * span];
}

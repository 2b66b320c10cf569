// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A plot of lines that may change with every picture, each with x values of its own (uPlot).
import type uPlot from 'uplot';
import { el, refill } from '../common/dom';
import { paddedRange, PlotFrame, type PlotLook } from '../common/plot_frame';
import type { SvgLine } from '../common/plot_svg';
import { themeColour } from '../common/theme';

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

export class LinePlot extends PlotFrame {
    private readonly axisNames: HTMLElement;
    private lines: readonly Line[] = [];
    private lookOfLines = '';

    constructor(
        container: HTMLElement,
        private options: LinePlotOptions,
    ) {
        const axisNames = el('div', { class: 'plot-axes faint' });
        super(container, options.title, el('h3', {}, options.title), axisNames);
        this.axisNames = axisNames;
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
        const look = lines.map((line) => [line.name, line.colour, line.dashed].join()).join(';');
        if (this.plot !== null && look === this.lookOfLines) this.plot.setData(this.aligned());
        else this.rebuild();
        this.lookOfLines = look;
    }

    /** All lines over the union of their x values, in order. */
    protected aligned(): uPlot.AlignedData {
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

    protected svgLines(): SvgLine[] {
        return this.lines.map(({ name, colour, dashed, x, y }) => ({ name, colour, dashed, x, y }));
    }

    protected look(): PlotLook | null {
        if (this.lines.length === 0) return null;
        return {
            padding: [8, 10, 0, 0],
            scales: { x: { time: false }, y: { range: (_, least, most) => paddedRange(least, most, 0.07) } },
            xAxis: { size: 20, gap: 3, digits: 4 },
            series: this.lines.map((line): uPlot.Series => ({
                label: line.name,
                stroke: line.colour,
                width: 1.75,
                pxAlign: 0,
                dash: line.dashed ? [5, 4] : undefined,
                points: { show: false },
            })),
        };
    }

    /** Also the line of y = 0. */
    protected override drawn(plot: uPlot): void {
        const { left, top, width, height } = plot.bbox;
        const zero = plot.valToPos(0, 'y', true);
        if (zero >= top && zero <= top + height) {
            plot.ctx.fillStyle = themeColour('--line-strong');
            plot.ctx.fillRect(left, zero, width, window.devicePixelRatio);
        }
        super.drawn(plot);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A small line plot (uPlot) in the colours of the page, with a legend that tells the values at one
// place of the x axis. A line may also be drawn in steps, or as stems that have an axis of their own
// on the right.
import uPlot from 'uplot';
import { el, refill } from './dom';
import { cleaned, short } from './format';
import { paddedRange, PlotFrame, type PlotLook } from './plot_frame';
import type { SvgLine } from './plot_svg';
import { themeColour } from './theme';

export interface PlotLine {
    name: string;
    /** A custom property of theme.css. */
    colour: string;
    dashed?: boolean;
    /** Values of intervals, of which x is the middle. */
    stepped?: boolean;
    /** Upright lines from zero, on the right axis. */
    stems?: boolean;
    /** Where it differs from the plot's. */
    unit?: string;
}

export interface PlotOptions {
    title: string;
    /** Of the values, as the legend shows it. */
    unit: string;
    lines: PlotLine[];
    /** Called with the x value under the pointer when it is pressed or dragged. */
    onPick?: (x: number) => void;
    /** Called when there are more or fewer pixels. */
    onResize?: () => void;
    /** The y axis begins at zero when all values are above. */
    fromZero?: boolean;
}

export type PlotData = [number[], ...(number | null)[][]];

const stepped = uPlot.paths.stepped?.({ align: 1 });

export class Plot extends PlotFrame {
    private data: PlotData;
    private range: [number, number] | null = null;
    private values: readonly (number | null)[] = [];
    /** The largest size among the values of each axis. */
    private sizes = { lines: 0, stems: 0 };

    constructor(
        container: HTMLElement,
        private readonly options: PlotOptions,
    ) {
        super(container, options.title, el('h3', {}, options.title, el('span', {}, ` ${options.unit}`)));
        this.data = [[], ...options.lines.map(() => [])];
    }

    /** range: of the x axis; that of the data unless given. */
    show(data: PlotData, range: [number, number] | null = null): void {
        this.data = data;
        this.range = range;
        this.sizes = { lines: 0, stems: 0 };
        this.options.lines.forEach(({ stems }, i) => {
            const axis = stems ? 'stems' : 'lines';
            for (const value of data[i + 1]) this.sizes[axis] = Math.max(this.sizes[axis], Math.abs(value ?? 0));
        });
        this.plot?.setData(this.aligned());
        this.tell();
    }

    /** Another name for a line, as the legend shows it. */
    rename(line: number, name: string, unit?: string): void {
        Object.assign(this.options.lines[line], { name, unit });
    }

    /** What the pointer is told that rests on the title. */
    explain(text: string): void {
        this.head.title = text;
    }

    /** Where the vertical line stands, and the values there, line by line, which the legend tells. */
    mark(x: number, values: readonly (number | null)[]): void {
        this.marker = x;
        this.values = values;
        this.plot?.redraw(false);
        this.tell();
    }

    protected look(): PlotLook {
        const from = this.options.fromZero ? 0 : null;
        const { lines } = this.options;
        return {
            padding: [6, 14, 0, 0],
            scales: {
                x: { time: false, range: (_, least, most) => this.range ?? [least, most] },
                y: { range: (_, least, most) => paddedRange(least, most, 0.06, from) },
                ...(lines.some(({ stems }) => stems) ? { stems: { range: (_, __, most) => paddedRange(0, most ?? 1, 0.06, 0) } } : {}),
            },
            xAxis: { size: 18, gap: 2, digits: 6 },
            series: lines.map((line) => this.seriesOf(line)),
        };
    }

    protected aligned(): uPlot.AlignedData {
        return this.data as uPlot.AlignedData;
    }

    protected svgLines(): SvgLine[] {
        const [x, ...columns] = this.data;
        return this.options.lines.map(({ name, colour, dashed, stems, unit }, i) => ({
            name: unit === undefined ? name : `${name} (${unit})`, colour: themeColour(colour), dashed, stems, x,
            // samples that have not been taken yet do not break a line
            y: columns[i].map((value) => value ?? (stems ? null : undefined)),
        }));
    }

    protected override made(plot: uPlot): void {
        this.listen(plot);
        this.tell();
    }

    protected override resized(): void {
        this.options.onResize?.();
    }

    protected override drawn(plot: uPlot): void {
        this.options.lines.forEach((line, i) => {
            if (line.stems) this.drawStems(plot, line, this.data[i + 1]);
        });
        super.drawn(plot);
    }

    private seriesOf(line: PlotLine): uPlot.Series {
        return {
            label: line.name,
            scale: line.stems ? 'stems' : 'y',
            stroke: themeColour(line.colour),
            width: 1.5,
            pxAlign: 0,
            dash: line.dashed ? [5, 4] : undefined,
            paths: line.stems ? () => null : line.stepped ? stepped : undefined,
            spanGaps: true,
            points: { show: false },
        };
    }

    private drawStems(plot: uPlot, line: PlotLine, values: (number | null)[]): void {
        const { ctx, bbox } = plot;
        const ratio = window.devicePixelRatio;
        const zero = plot.valToPos(0, 'stems', true);
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        ctx.fillStyle = themeColour(line.colour);
        values.forEach((value, i) => {
            if (value === null) return;
            const x = plot.valToPos(this.data[0][i], 'x', true);
            const y = plot.valToPos(value, 'stems', true);
            ctx.fillRect(x - 0.5 * ratio, y, ratio, zero - y);
            ctx.fillRect(x - 1.5 * ratio, y - 1.5 * ratio, 3 * ratio, 3 * ratio);
        });
        ctx.restore();
    }

    private listen(plot: uPlot): void {
        const { onPick } = this.options;
        if (onPick === undefined) return;
        const pick = (event: PointerEvent): void => onPick(plot.posToVal(event.offsetX, 'x'));
        plot.over.style.cursor = 'col-resize';
        plot.over.style.touchAction = 'pan-y';
        plot.over.addEventListener('pointerdown', (event) => {
            plot.over.setPointerCapture(event.pointerId);
            pick(event);
        });
        plot.over.addEventListener('pointermove', (event) => {
            if (plot.over.hasPointerCapture(event.pointerId)) pick(event);
        });
    }

    /** The values at the marker; what is rounding beside the largest value of the plot is none. */
    private tell(): void {
        const lines = this.data.slice(1);
        refill(
            this.legend,
            ...this.options.lines.map((line, i) => {
                if (lines[i]?.every((value) => value === null)) return null;
                const value = this.values[i] ?? null;
                const text = value === null ? '' : ` ${short(cleaned(value, line.stems ? this.sizes.stems : this.sizes.lines))}`;
                const unit = line.unit === undefined ? null : el('span', { class: 'faint' }, ` ${line.unit}`);
                const key = el('span', { class: 'key' }, el('i', { style: `background: var(${line.colour})` }), line.name);
                return el('span', { 'data-line': line.name }, key, el('span', { class: 'mono', 'data-value': value }, text), unit);
            }),
        );
    }
}

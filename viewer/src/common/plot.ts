// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A small line plot (uPlot) in the colours of the page, with a legend that tells the values at one
// place of the x axis.
import type uPlot from 'uplot';
import { el, refill } from './dom';
import { short } from './format';
import { paddedRange, PlotFrame, type PlotLook } from './plot_frame';
import { themeColour } from './theme';

export interface PlotLine {
    name: string;
    /** A custom property of theme.css. */
    colour: string;
    dashed?: boolean;
}

export interface PlotOptions {
    title: string;
    /** Of the values, as the legend shows it. */
    unit: string;
    lines: PlotLine[];
    /** Called with the x value under the pointer when it is pressed or dragged. */
    onPick?: (x: number) => void;
    /** The y axis begins at zero when all values are above. */
    fromZero?: boolean;
}

export type PlotData = [number[], ...(number | null)[][]];

export class Plot extends PlotFrame {
    private data: PlotData;
    private range: [number, number] | null = null;

    constructor(
        container: HTMLElement,
        private readonly options: PlotOptions,
    ) {
        super(container, el('h3', {}, options.title, el('span', {}, ` ${options.unit}`)));
        this.data = [[], ...options.lines.map(() => [])];
    }

    /** range: of the x axis; that of the data unless given. */
    show(data: PlotData, range: [number, number] | null = null): void {
        this.data = data;
        this.range = range;
        this.plot?.setData(this.aligned());
        this.tell();
    }

    /** Another name for a line, as the legend shows it. */
    rename(line: number, name: string): void {
        this.options.lines[line].name = name;
    }

    /** Where the vertical line stands and the legend reads the values. */
    mark(x: number | null): void {
        this.marker = x;
        this.plot?.redraw(false);
        this.tell();
    }

    protected look(): PlotLook {
        const from = this.options.fromZero ? 0 : null;
        return {
            padding: [6, 8, 0, 0],
            scales: {
                x: { time: false, range: (_, least, most) => this.range ?? [least, most] },
                y: { range: (_, least, most) => paddedRange(least, most, 0.06, from) },
            },
            xAxis: { size: 18, gap: 2, digits: 6 },
            series: this.options.lines.map((line) => this.seriesOf(line)),
        };
    }

    protected aligned(): uPlot.AlignedData {
        return this.data as uPlot.AlignedData;
    }

    protected override made(plot: uPlot): void {
        this.listen(plot);
        this.tell();
    }

    private seriesOf(line: PlotLine): uPlot.Series {
        return {
            label: line.name,
            stroke: themeColour(line.colour),
            width: 1.5,
            dash: line.dashed ? [5, 4] : undefined,
            spanGaps: true,
            points: { show: false },
        };
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

    /** The values at the marker, from the nearest sample before it. */
    private tell(): void {
        const [x, ...lines] = this.data;
        const at = this.marker === null ? -1 : lastNotAfter(x, this.marker);
        refill(
            this.legend,
            ...this.options.lines.map((line, i) => {
                if (lines[i]?.every((value) => value === null)) return null;
                const value = at < 0 ? null : (lines[i]?.[at] ?? null);
                const text = value === null ? '' : ` ${short(value)}`;
                const key = el('span', { class: 'key' }, el('i', { style: `background: var(${line.colour})` }), line.name);
                return el('span', {}, key, el('span', { class: 'mono' }, text));
            }),
        );
    }
}

function lastNotAfter(x: number[], value: number): number {
    let low = 0;
    let high = x.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (x[middle] <= value) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

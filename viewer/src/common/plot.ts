// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// A small line plot (uPlot) in the colours of the page, with a legend that tells the values at one
// place of the x axis.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { el, refill } from './dom';
import { number, short } from './format';
import { onTheme, themeColour } from './theme';

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

export class Plot {
    readonly element: HTMLElement;
    private readonly legend = el('div', { class: 'plot-legend' });
    private readonly body = el('div', { class: 'plot-body' });
    private plot: uPlot | null = null;
    private data: PlotData;
    private marker: number | null = null;
    private range: [number, number] | null = null;

    constructor(
        container: HTMLElement,
        private readonly options: PlotOptions,
    ) {
        this.data = [[], ...options.lines.map(() => [])];
        this.element = el('figure', { class: 'plot' }, el('figcaption', {}, el('h3', {}, options.title, el('span', {}, ` ${options.unit}`)), this.legend), this.body);
        container.append(this.element);
        new ResizeObserver(() => this.resize()).observe(this.body);
        onTheme(() => this.rebuild());
    }

    /** range: of the x axis; that of the data unless given. */
    show(data: PlotData, range: [number, number] | null = null): void {
        this.data = data;
        this.range = range;
        this.plot?.setData(data as uPlot.AlignedData);
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
        if (width === 0 || height === 0) return;
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
                padding: [6, 8, 0, 0],
                scales: { x: { time: false, range: (_, least, most) => this.range ?? [least, most] }, y: { range: (_, least, most) => this.rangeY(least, most) } },
                axes: [
                    { ...axis, size: 18, gap: 2, values: (_, splits) => splits.map((x) => number(x, 6)) },
                    { ...axis, size: 46, gap: 3, values: (_, splits) => splits.map((y) => number(y, 3)) },
                ],
                series: [{}, ...this.options.lines.map((line) => this.seriesOf(line))],
                hooks: { draw: [(plot) => this.drawMarker(plot)] },
            },
            this.data as uPlot.AlignedData,
            this.body,
        );
        this.listen(this.plot);
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

    private rangeY(least: number | null, most: number | null): [number, number] {
        if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
        const low = this.options.fromZero && least >= 0 ? 0 : least;
        const span = most - low || Math.abs(most) || 1;
        return [low === 0 ? 0 : low - 0.06 * span, most + 0.06 * span];
    }

    private drawMarker(plot: uPlot): void {
        if (this.marker === null) return;
        const { left, top, width, height } = plot.bbox;
        const x = plot.valToPos(this.marker, 'x', true);
        if (x < left || x > left + width) return;
        plot.ctx.fillStyle = themeColour('--accent');
        plot.ctx.fillRect(x - 0.5 * window.devicePixelRatio, top, window.devicePixelRatio, height);
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

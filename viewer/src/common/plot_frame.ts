// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What every plot of lines has (uPlot): a figure with a title and a legend, axes in the colours of
// the page, a size that follows the room there is, and a vertical line that marks a place.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { el } from './dom';
import { number } from './format';
import { plotSvg, type SvgLine } from './plot_svg';
import { onTheme, themeColour } from './theme';

/** Of saved plots. */
const SVG_PX = { width: 720, height: 320 };

/** How one kind of plot looks. */
export interface PlotLook {
    padding: uPlot.Padding;
    scales: uPlot.Scales;
    /** The height of the x axis and its distance from the lines (px); digits of its numbers. */
    xAxis: { size: number; gap: number; digits: number };
    series: uPlot.Series[];
}

export abstract class PlotFrame {
    readonly element: HTMLElement;
    readonly head: HTMLElement;
    protected readonly legend = el('div', { class: 'plot-legend' });
    protected plot: uPlot | null = null;
    /** Where the vertical line stands. */
    protected marker: number | null = null;
    private readonly body = el('div', { class: 'plot-body' });

    /** name: of files that it is saved to; below: what stands under the lines. */
    constructor(
        container: HTMLElement,
        readonly name: string,
        title: HTMLElement,
        ...below: HTMLElement[]
    ) {
        this.head = el('figcaption', {}, title, this.legend);
        this.element = el('figure', { class: 'plot' }, this.head, this.body, ...below);
        container.append(this.element);
        new ResizeObserver(() => this.resize()).observe(this.body);
        onTheme(() => {
            if (this.plot !== null) this.rebuild();
        });
    }

    /** The width of the lines' room, in pixels of the page and of the screen. */
    get widthPx(): number {
        return this.plot === null ? 0 : this.plot.bbox.width / window.devicePixelRatio;
    }

    get pixels(): number {
        return Math.round(this.plot?.bbox.width ?? 0);
    }

    /** The plot as an SVG file; null: there is nothing to be seen yet. */
    svg(): string | null {
        const lines = this.svgLines();
        if (this.plot === null || lines.every(({ y }) => y.every((value) => value === null || value === undefined))) return null;
        const rangeOf = (scale: string): [number, number] => [this.plot!.scales[scale].min ?? 0, this.plot!.scales[scale].max ?? 1];
        return plotSvg({
            title: this.head.querySelector('h3')?.textContent ?? this.name,
            width: SVG_PX.width, height: SVG_PX.height,
            x: rangeOf('x'), y: rangeOf('y'), right: 'stems' in this.plot.scales ? rangeOf('stems') : null,
            marker: this.marker, lines: lines.filter(({ y }) => !y.every((value) => value === null || value === undefined)),
            colours: {
                paper: themeColour('--panel'), ink: themeColour('--ink'), faint: themeColour('--ink-faint'), grid: themeColour('--line'), marker: themeColour('--accent'),
            },
        });
    }

    /** What the SVG file shows. */
    protected abstract svgLines(): SvgLine[];
    /** null: there is nothing to be seen yet. */
    protected abstract look(): PlotLook | null;
    protected abstract aligned(): uPlot.AlignedData;
    /** Called when the plot has been made anew. */
    protected made(_plot: uPlot): void {}
    /** Called when there are more or fewer pixels for the lines. */
    protected resized(): void {}
    /** Called when the lines have been drawn. */
    protected drawn(plot: uPlot): void {
        if (this.marker === null) return;
        const { left, top, width, height } = plot.bbox;
        const x = plot.valToPos(this.marker, 'x', true);
        if (x < left || x > left + width) return;
        plot.ctx.fillStyle = themeColour('--accent');
        plot.ctx.fillRect(x - 0.5 * window.devicePixelRatio, top, window.devicePixelRatio, height);
    }

    protected rebuild(): void {
        this.plot?.destroy();
        this.plot = null;
        const { clientWidth: width, clientHeight: height } = this.body;
        const look = this.look();
        if (width === 0 || height === 0 || look === null) return;
        const axis: uPlot.Axis = {
            stroke: themeColour('--ink-faint'),
            font: `10px ${themeColour('--font')}`,
            grid: { stroke: themeColour('--line'), width: 1 },
            ticks: { show: false },
        };
        const { digits, ...place } = look.xAxis;
        const numbers = (_: uPlot, splits: number[]): string[] => splits.map((y) => number(y, 3));
        const options: uPlot.Options = {
            width,
            height,
            legend: { show: false },
            cursor: { show: false },
            padding: look.padding,
            scales: look.scales,
            axes: [
                { ...axis, ...place, values: (_, splits) => splits.map((x) => number(x, digits)) },
                { ...axis, size: 46, gap: 3, space: 20, values: numbers },
                ...('stems' in look.scales ? [{ ...axis, scale: 'stems', side: 1, size: 34, gap: 3, space: 20, grid: { show: false }, values: numbers } as uPlot.Axis] : []),
            ],
            series: [{}, ...look.series],
            hooks: { draw: [(plot) => this.drawn(plot)] },
        };
        this.plot = new uPlot(options, this.aligned(), this.body);
        this.made(this.plot);
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.body;
        if (width === 0 || height === 0) return;
        if (this.plot === null) this.rebuild();
        else this.plot.setSize({ width, height });
        this.resized();
    }
}

/** The y range of values with a margin, a part of their span; from: where it begins unless below. */
export function paddedRange(least: number | null, most: number | null, margin: number, from: number | null = null): [number, number] {
    if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
    const begins = from !== null && least >= from;
    const low = begins ? from : least;
    const span = most - low || Math.abs(most) || 1;
    return [begins ? from : low - margin * span, most + margin * span];
}

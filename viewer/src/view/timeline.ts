// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The timeline: a lane of ticks for each kind of event, the time that is shown, and the selected
// event. Ticks are counted for each column of pixels by bisection, so that a million of them are
// drawn as fast as a hundred.
import { time as timeText } from '../common/format';
import { onTheme, themeColour } from '../common/theme';
import { BRIEF_EVENT as EVENT, EVENT_KINDS } from '../record/layout';
import type { Recording } from '../record/recording';
import { drawKindMark } from './kind_marks';
import type { Player } from './player';
import type { Selection } from './selection';
import { roundMarks, type TimeRange } from './time_range';

const AXIS_PX = 16;
const LANE_GAP_PX = 2;
const TICK_REACH_PX = 4;
const DRAG_PX = 3;
const INSET_PX = 12;
/** Steps of the keys, as parts of the time that is seen. */
const PAGE_PART = 0.1;
const STEP_PART = 0.01;

export class Timeline {
    private readonly canvas = document.createElement('canvas');
    /** Everything but the head, drawn when it changes. */
    private readonly lanes = document.createElement('canvas');
    private lanesKey = '';
    private width = 0;
    private height = 0;

    constructor(
        private readonly container: HTMLElement,
        private readonly recording: Recording,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly range: TimeRange,
    ) {
        this.canvas.setAttribute('role', 'slider');
        this.canvas.setAttribute('aria-label', 'Time');
        this.canvas.tabIndex = 0;
        container.append(this.canvas);
        new ResizeObserver(() => this.resize()).observe(container);
        onTheme(() => {
            this.lanesKey = '';
            this.draw();
        });
        this.listen();
        this.resize();
    }

    draw(): void {
        if (this.width === 0) return;
        this.drawLanes();
        const context = this.context(this.canvas);
        context.clearRect(0, 0, this.width, this.height);
        context.drawImage(this.lanes, 0, 0, this.width, this.height);
        const x = this.xOf(this.player.t);
        if (x >= 0 && x <= this.width) {
            context.fillStyle = themeColour('--accent');
            context.fillRect(x - 1, 0, 2, this.height - AXIS_PX);
            context.beginPath();
            context.moveTo(x - 6, 0);
            context.lineTo(x + 6, 0);
            context.lineTo(x, 8);
            context.fill();
        }
        this.canvas.setAttribute('aria-valuemin', '0');
        this.canvas.setAttribute('aria-valuemax', String(this.player.end));
        this.canvas.setAttribute('aria-valuenow', String(this.player.t));
        this.canvas.setAttribute('aria-valuetext', `${timeText(this.player.t, 1e-3)} s`);
    }

    private resize(): void {
        this.width = this.container.clientWidth;
        this.height = this.container.clientHeight;
        const ratio = Math.min(window.devicePixelRatio, 2);
        for (const canvas of [this.canvas, this.lanes]) {
            canvas.width = Math.max(1, Math.round(this.width * ratio));
            canvas.height = Math.max(1, Math.round(this.height * ratio));
            this.context(canvas).setTransform(ratio, 0, 0, ratio, 0, 0);
        }
        this.lanesKey = '';
        this.draw();
    }

    private context(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
        const context = canvas.getContext('2d');
        if (context === null) throw new Error('the browser gives no 2D canvas');
        return context;
    }

    private xOf(t: number): number {
        return INSET_PX + ((t - this.range.from) / this.range.span) * (this.width - 2 * INSET_PX);
    }

    private timeAt(x: number): number {
        return this.range.from + ((x - INSET_PX) / (this.width - 2 * INSET_PX)) * this.range.span;
    }

    /** The kinds that occur, each with its lane from the top. */
    private laneKinds(): number[] {
        return EVENT_KINDS.map((_, kind) => kind).filter((kind) => this.recording.eventIndex.ofKind(kind).length > 0);
    }

    private drawLanes(): void {
        const { range, recording, selection } = this;
        const key = [range.from, range.to, recording.brief.events.rows, recording.end, selection.kinds, selection.event].join();
        if (key === this.lanesKey) return;
        this.lanesKey = key;
        const context = this.context(this.lanes);
        context.clearRect(0, 0, this.width, this.height);
        this.drawKnown(context);
        this.drawAxis(context);
        const kinds = this.laneKinds();
        const laneHeight = this.laneHeight(kinds.length);
        kinds.forEach((kind, lane) => this.drawLane(context, kind, 9 + lane * (laneHeight + LANE_GAP_PX), laneHeight));
        this.drawSelected(context);
    }

    private laneHeight(lanes: number): number {
        return (this.height - AXIS_PX - 10) / Math.max(lanes, 1) - LANE_GAP_PX;
    }

    /** What has been computed, on the ground of what has not. */
    private drawKnown(context: CanvasRenderingContext2D): void {
        const bottom = this.height - AXIS_PX;
        context.fillStyle = themeColour('--raised');
        const [left, right] = [Math.max(0, this.xOf(0)), Math.min(this.width, this.xOf(this.recording.end))];
        context.beginPath();
        context.roundRect(left, 0, Math.max(0, right - left), bottom, 4);
        context.fill();
    }

    private drawAxis(context: CanvasRenderingContext2D): void {
        const { from, to, span } = this.range;
        const marks = roundMarks(from, to, Math.floor(this.width / 90));
        const step = marks.length > 1 ? marks[1] - marks[0] : span;
        context.font = `11px ${themeColour('--font')}`;
        context.textBaseline = 'bottom';
        for (const mark of marks) {
            const x = this.xOf(mark);
            context.fillStyle = themeColour('--line');
            context.fillRect(Math.round(x), 0, 1, this.height - AXIS_PX);
            context.fillStyle = themeColour('--ink-faint');
            const text = mark === 0 ? '0 s' : timeText(mark, step).replace(/\.?0+$/, '');
            const half = context.measureText(text).width / 2;
            context.fillText(text, Math.min(Math.max(x - half, 0), this.width - 2 * half), this.height - 1);
        }
    }

    private drawLane(context: CanvasRenderingContext2D, kind: number, top: number, height: number): void {
        const { eventIndex } = this.recording;
        const rows = eventIndex.ofKind(kind);
        context.fillStyle = themeColour(`--${EVENT_KINDS[kind]}`);
        const shown = this.selection.kinds[kind] ? 1 : 0.18;
        context.globalAlpha = shown;
        drawKindMark(context, EVENT_KINDS[kind], 4.5, top + height / 2, Math.min(4, height / 2));
        let before = eventIndex.countBefore(rows, this.timeAt(INSET_PX - 2));
        for (let x = INSET_PX - 2; x < this.width; x++) {
            const until = eventIndex.countBefore(rows, this.timeAt(x + 1), before);
            const inColumn = until - before;
            before = until;
            if (inColumn === 0) continue;
            // one event is seen well, many are seen darker
            context.globalAlpha = shown * Math.min(1, 0.62 + 0.13 * Math.log10(inColumn));
            context.fillRect(x, top, Math.max(1, inColumn > 1 ? 1 : 1.5), height);
        }
        context.globalAlpha = 1;
    }

    private drawSelected(context: CanvasRenderingContext2D): void {
        const { event } = this.selection;
        if (event === null) return;
        const x = this.xOf(this.recording.brief.events.double(event, EVENT.t));
        context.strokeStyle = themeColour('--ink');
        context.lineWidth = 1.5;
        context.strokeRect(x - 2.5, 6, 5, this.height - AXIS_PX - 8);
    }

    private listen(): void {
        let downAt: number | null = null;
        let dragged = false;
        this.canvas.addEventListener('pointerdown', (event) => {
            if (event.button !== 0) return;
            downAt = event.offsetX;
            dragged = false;
            this.canvas.setPointerCapture(event.pointerId);
            this.player.pause();
            if (this.eventAt(event.offsetX, event.offsetY) === null) this.player.seek(this.timeAt(event.offsetX));
        });
        this.canvas.addEventListener('pointermove', (event) => {
            this.canvas.style.cursor = this.eventAt(event.offsetX, event.offsetY) === null ? 'col-resize' : 'pointer';
            if (downAt === null) return;
            dragged ||= Math.abs(event.offsetX - downAt) > DRAG_PX;
            if (dragged) this.player.seek(this.timeAt(event.offsetX));
        });
        this.canvas.addEventListener('pointerup', (event) => {
            const hit = downAt !== null && !dragged ? this.eventAt(event.offsetX, event.offsetY) : null;
            if (hit !== null) this.selection.chooseEvent(hit);
            downAt = null;
        });
        this.canvas.addEventListener('keydown', (event) => this.pressed(event));
        this.canvas.addEventListener('dblclick', () => this.range.showAll());
        this.canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    }

    /** As sliders do, but for left and right, which go from event to event everywhere on the page. */
    private pressed(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const { player, range } = this;
        const to: Record<string, number> = {
            Home: 0, End: player.end, PageUp: player.t + PAGE_PART * range.span, PageDown: player.t - PAGE_PART * range.span,
            ArrowUp: player.t + STEP_PART * range.span, ArrowDown: player.t - STEP_PART * range.span,
        };
        const t = to[event.key];
        if (t === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        player.pause();
        player.seek(t);
        range.keepVisible(player.t);
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            this.range.pan(((event.deltaX || event.deltaY) / this.width) * this.range.span);
        } else {
            this.range.zoom(Math.exp(event.deltaY * 0.002), this.timeAt(event.offsetX));
        }
    }

    /** The event whose tick is under the pointer. */
    private eventAt(x: number, y: number): number | null {
        const kinds = this.laneKinds();
        const lane = Math.floor((y - 9) / (this.laneHeight(kinds.length) + LANE_GAP_PX));
        if (lane < 0 || lane >= kinds.length || !this.selection.kinds[kinds[lane]]) return null;
        const { eventIndex, brief } = this.recording;
        const rows = eventIndex.ofKind(kinds[lane]);
        const t = this.timeAt(x);
        const after = eventIndex.countBefore(rows, t);
        let nearest: number | null = null;
        let least = TICK_REACH_PX;
        for (const place of [after - 1, after]) {
            if (place < 0 || place >= rows.length) continue;
            const distance = Math.abs(this.xOf(brief.events.double(rows[place], EVENT.t)) - x);
            if (distance < least) [nearest, least] = [rows[place], distance];
        }
        return nearest;
    }
}

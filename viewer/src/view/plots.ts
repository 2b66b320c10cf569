// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Energy, momentum and contact force beside the timeline, over the same part of time. A click goes
// to that time.
import { Plot, type PlotData } from '../common/plot';
import type { Recording } from '../record/recording';
import type { StateReader } from '../record/states';
import { forceSeries } from './force_series';
import type { Player } from './player';
import type { Selection } from './selection';
import { balanceOf, BalanceSampler, type BalanceSeries, energyOf, LostEnergy } from './series';
import type { TimeRange } from './time_range';

const SAMPLES = 385;
const FORCE_INTERVALS = 160;
/** Of the energies that are subtracted; ten times more would hide small losses. */
const ROUNDING = 1e-12;
/** A zoom with the wheel is many small ones: the plots follow when it has paused (ms). */
const SETTLE_MS = 60;

export class Plots {
    private readonly energy: Plot;
    private readonly momentum: Plot;
    private readonly force: Plot;
    private readonly sampler: BalanceSampler;
    private readonly lost: LostEnergy;
    private other: BalanceSampler | null = null;
    private series: BalanceSeries | null = null;
    private otherSeries: BalanceSeries | null = null;
    /** The potential energy at the end, from which it is counted (J). */
    private lowest = 0;
    /** All energy at the start (J), where what is lost since is what is missing; null: it does not follow so. */
    private start: number | null = null;
    private waiting: number | null = null;
    private shownBody: number | null = null;
    private visible = true;

    constructor(
        container: HTMLElement,
        private readonly recording: Recording,
        private readonly reader: StateReader,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly range: TimeRange,
    ) {
        const onPick = (t: number): void => {
            player.pause();
            player.seek(t);
        };
        this.energy = new Plot(container, {
            title: 'Energy', unit: 'J', onPick, fromZero: true,
            lines: [
                { name: 'kinetic', colour: '--series-1' },
                { name: 'potential', colour: '--series-2' },
                { name: recording.meta.driven === false ? 'lost' : 'lost in events', colour: '--series-3' },
                { name: 'what if: kinetic', colour: '--series-4', dashed: true },
            ],
        });
        this.momentum = new Plot(container, {
            title: 'Momentum', unit: 'kg m/s', onPick,
            lines: ['x', 'y', 'z'].map((name, axis) => ({ name, colour: `--series-${axis + 1}` })),
        });
        this.force = new Plot(container, {
            title: 'Contact force', unit: 'N', onPick, fromZero: true, lines: [{ name: 'mean', colour: '--series-3' }],
        });
        this.sampler = new BalanceSampler(recording, reader);
        this.lost = new LostEnergy(recording);
        range.onChange(() => this.later());
        recording.onGrowth(() => this.later());
        recording.onArrival(() => {
            if (recording.whole) this.later();
        });
        selection.onChange(() => {
            if (selection.body !== this.shownBody) this.showForce();
        });
        this.later();
    }

    setVisible(visible: boolean): void {
        this.visible = visible;
        if (visible) this.later();
    }

    /** Moves the line that marks the time. */
    mark(): void {
        if (!this.visible) return;
        for (const plot of [this.energy, this.momentum, this.force]) plot.mark(this.player.t);
    }

    /** Also shows the kinetic energy of another run, or no longer (null). */
    compare(recording: Recording | null, reader: StateReader | null): void {
        this.other = recording === null || reader === null ? null : new BalanceSampler(recording, reader);
        this.otherSeries = null;
        this.later();
    }

    later(): void {
        if (this.waiting !== null || !this.visible || !this.isOpen()) return;
        this.waiting = window.setTimeout(() => {
            this.waiting = null;
            this.sample();
        }, SETTLE_MS);
    }

    private isOpen(): boolean {
        return this.recording.loaded >= 1 || this.recording.meta.running;
    }

    private sample(): void {
        this.showForce();
        const { from, to } = this.range;
        const { meta, end } = this.recording;
        const last = this.reader.at(end, false);
        // energies need all segments: they are plotted when these have come
        if (last === null || !(this.recording.whole || meta.running)) return;
        this.lowest = balanceOf(meta, last).potential;
        const first = meta.driven === false ? this.reader.at(0, false) : null;
        this.start = first && energyOf(balanceOf(meta, first));
        this.sampler.sample(from, to, SAMPLES, (series) => {
            this.series = series;
            this.showBalance();
        });
        this.other?.sample(from, to, SAMPLES, (series) => {
            this.otherSeries = series;
            this.showBalance();
        });
    }

    private showBalance(): void {
        if (this.series === null) return;
        const { t, kinetic, potential, momentum } = this.series;
        const range: [number, number] = [this.range.from, this.range.to];
        const lost = t.map((time, i) => this.lostBy(time, kinetic[i], potential[i]));
        const above = potential.map((value) => (value === null ? null : value - this.lowest));
        const other = this.otherSeries?.kinetic ?? t.map(() => null);
        this.energy.show([t, kinetic, above, lost, other] as PlotData, range);
        this.momentum.show([t, ...momentum] as PlotData, range);
    }

    /**
     * The energy lost by a time: by balance where nothing does work on the bodies, so that friction of
     * lasting contact is in it, and else what events took. Differences that rounding makes are none.
     */
    private lostBy(t: number, kinetic: number | null, potential: number | null): number | null {
        if (kinetic === null || potential === null) return null;
        if (this.start === null) return this.lost.by(t);
        const lost = this.start - kinetic - potential;
        return Math.abs(lost) > ROUNDING * Math.max(Math.abs(this.start), kinetic, Math.abs(potential)) ? lost : 0;
    }

    private showForce(): void {
        const { from, to } = this.range;
        this.shownBody = this.selection.body;
        const { t, force } = forceSeries(this.recording, from, to, FORCE_INTERVALS, this.shownBody);
        const name = this.shownBody === null ? 'all contacts' : `on ${this.recording.meta.bodies[this.shownBody].name}`;
        this.force.rename(0, name);
        this.force.show([t, force], [from, to]);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Energy, momentum and contact force beside the timeline, over the same part of time, with as many
// samples as the plots have pixels. The legends tell the values at the time that is shown, evaluated
// there and not taken from a sample. A click goes to that time.
import { number } from '../common/format';
import { Plot, type PlotData } from '../common/plot';
import type { Recording } from '../record/recording';
import type { StateReader, States } from '../record/states';
import { ForceBins } from './force_series';
import type { Player } from './player';
import type { Selection } from './selection';
import { type Balance, balanceOf, BalanceSampler, type BalanceSeries, energyOf, LostEnergy } from './series';
import type { TimeRange } from './time_range';

/** Screens are not wider than this; before a plot has a size, it gets the fewest. */
const MOST_SAMPLES = 4096;
const FEWEST_SAMPLES = 129;
/** One interval of the force plot is so wide (px), so that its stems can be told apart. */
const BIN_PX = 2;
/** Of the energies that are subtracted; ten times more would hide small losses. */
const ROUNDING = 1e-12;
/** A zoom with the wheel is many small ones: the plots follow when it has paused (ms). */
const SETTLE_MS = 60;

export class Plots {
    readonly energy: Plot;
    readonly momentum: Plot;
    readonly force: Plot;
    private readonly sampler: BalanceSampler;
    private readonly lost: LostEnergy;
    private other: { sampler: BalanceSampler; recording: Recording; reader: StateReader } | null = null;
    private series: BalanceSeries | null = null;
    private otherSeries: BalanceSeries | null = null;
    private bins: ForceBins | null = null;
    /** The potential energy at the end, from which it is counted (J). */
    private lowest = 0;
    /** All energy at the start (J), where what is lost since is what is missing; null: it does not follow so. */
    private start: number | null = null;
    private waiting: number | null = null;
    private shownBody: number | null = null;
    /** At the time that is marked; null: not here yet. */
    private balance: Balance | null = null;
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
        const onResize = (): void => this.later();
        this.energy = new Plot(container, {
            title: 'Energy', unit: 'J', onPick, onResize, fromZero: true,
            lines: [
                { name: 'kinetic', colour: '--series-1' },
                { name: 'potential', colour: '--series-2' },
                { name: recording.meta.driven === false ? 'lost' : 'lost in events', colour: '--series-3' },
                { name: 'what if: kinetic', colour: '--series-4', dashed: true },
            ],
        });
        this.momentum = new Plot(container, {
            title: 'Momentum', unit: 'kg m/s', onPick, onResize,
            lines: ['x', 'y', 'z'].map((name) => ({ name, colour: `--axis-${name}` })),
        });
        this.force = new Plot(container, {
            title: 'Contact force', unit: 'N', onPick, onResize, fromZero: true,
            lines: [{ name: 'lasting', colour: '--lasting-begin', stepped: true }, { name: 'impulses', colour: '--impact', stems: true, unit: 'N s' }],
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

    get all(): Plot[] {
        return [this.energy, this.momentum, this.force];
    }

    setVisible(visible: boolean): void {
        this.visible = visible;
        if (visible) this.later();
    }

    /** Moves the line that marks the time and tells the values there; states: of all bodies then, null: not here yet. */
    mark(states: States | null): void {
        if (!this.visible) return;
        const { t } = this.player;
        this.balance = states && balanceOf(this.recording.meta, states);
        this.markEnergy();
        this.momentum.mark(t, this.balance?.momentum ?? []);
        this.force.mark(t, this.bins?.at(t) ?? []);
    }

    private markEnergy(): void {
        const { t } = this.player;
        this.energy.mark(t, this.balance === null ? [] : this.energiesAt(t, this.balance));
    }

    /** Also shows the kinetic energy of another run, or no longer (null). */
    compare(recording: Recording | null, reader: StateReader | null): void {
        this.other = recording === null || reader === null ? null : { sampler: new BalanceSampler(recording, reader), recording, reader };
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
        const samples = Math.min(Math.max(this.energy.pixels, FEWEST_SAMPLES), MOST_SAMPLES);
        this.sampler.sample(from, to, samples, (series) => {
            this.series = series;
            this.showBalance();
        });
        this.other?.sampler.sample(from, to, samples, (series) => {
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
        // the other run may have been sampled less finely so far
        const other = this.otherSeries?.t.length === t.length ? this.otherSeries.kinetic : t.map(() => null);
        this.energy.show([t, kinetic, above, lost, other] as PlotData, range);
        this.momentum.show([t, ...momentum] as PlotData, range);
        // what is potential and what is lost follows from the samples
        this.markEnergy();
    }

    private energiesAt(t: number, { kinetic, potential }: Balance): (number | null)[] {
        const others = this.other?.reader.at(Math.min(t, this.other.recording.end), false) ?? null;
        const other = others && balanceOf(this.other!.recording.meta, others).kinetic;
        return this.series === null ? [kinetic, null, null, other] : [kinetic, potential - this.lowest, this.lostBy(t, kinetic, potential), other];
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
        const intervals = Math.max(40, Math.round(this.force.widthPx / BIN_PX));
        this.bins = new ForceBins(this.recording, from, to, intervals, this.shownBody);
        const whose = this.shownBody === null ? '' : ` on ${this.recording.meta.bodies[this.shownBody].name}`;
        const width = `${number(1000 * this.bins.width, 3)} ms`;
        this.force.rename(0, `lasting${whose}`);
        this.force.rename(1, 'impulses', `N s in ${width}`);
        this.force.explain(`Means and sums over intervals of ${width}: lines are forces of lasting contacts (N), stems are impulses of events (N s, right).`);
        const { middles, force, impulse } = this.bins;
        this.force.show([middles, force, impulse], [from, to]);
        this.force.mark(this.player.t, this.bins.at(this.player.t));
    }
}

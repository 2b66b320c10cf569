// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The viewer as a whole: makes the parts, and draws when something has changed.
import { Vector3 } from 'three';
import { byId } from '../common/dom';
import { time } from '../common/format';
import { Keys } from '../common/keys';
import { toggleTheme } from '../common/theme';
import { Laws } from '../laws/laws';
import type { CaromModule } from '../laws/module';
import { MotionSet } from '../laws/motions';
import { BRIEF_EVENT as EVENT } from '../record/layout';
import { shapeOf } from '../record/meta';
import type { Recording } from '../record/recording';
import { StateReader } from '../record/states';
import { BodyCard } from './body_card';
import { Chrome } from './chrome';
import { EventList } from './event_list';
import { ImpactCard } from './impact_card';
import { momentOf } from './link';
import { Player, SPEEDS } from './player';
import { Plots } from './plots';
import { SceneTree } from './scene_tree';
import { SceneView } from './scene_view';
import { Selection } from './selection';
import { TimeRange } from './time_range';
import { Timeline } from './timeline';
import { Transport } from './transport';
import { bindKeys } from './viewer_keys';
import { WhatIf } from './what_if';

/** A run that has become so much longer may have gone elsewhere. */
const REFRAME_GROWTH = 1.5;

export class App {
    readonly player = new Player();
    readonly selection = new Selection();
    readonly range = new TimeRange();
    readonly scene: SceneView;
    readonly chrome: Chrome;
    /** Frames drawn so far, for measurements. */
    frames = 0;
    private readonly keys = new Keys('Keys of the viewer');
    private readonly events: EventList;
    private readonly transport: Transport;
    private readonly timeline: Timeline;
    private readonly plots: Plots;
    private readonly bodyCard: BodyCard;
    private drawAsked = false;
    private lastFrame: number | null = null;
    private wasChosen: number | null = null;
    private wasLoaded: boolean;
    private framedEnd: number;
    private framedWhole: boolean;
    private waiting = false;

    constructor(
        readonly recording: Recording,
        private readonly module: CaromModule,
    ) {
        const { player, selection, range } = this;
        const laws = new Laws(module);
        this.wasLoaded = recording.loaded >= 1;
        this.framedEnd = recording.end;
        this.framedWhole = recording.whole;
        const ask = (): void => this.requestDraw();
        const step = (direction: 1 | -1): void => this.stepEvent(direction);
        player.setEnd(recording.end);
        range.setWhole(this.wholeTime());
        this.scene = new SceneView(byId('stage'), recording, this.newReader(recording), player, selection, ask);
        this.events = new EventList(byId('events'), recording, selection);
        this.transport = new Transport(byId('transport'), player, step);
        this.timeline = new Timeline(byId('timeline'), recording, player, selection, range);
        this.plots = new Plots(byId('plots'), recording, this.newReader(recording), player, selection, range);
        new SceneTree(byId('tree'), recording.meta, selection, (body) => this.scene.bodies.colourOf(body));
        this.bodyCard = new BodyCard(
            byId('body-card'), recording, this.newReader(recording), player, selection, () => this.scene.frame(),
        );
        const whatIf = new WhatIf(recording, laws, byId('ghost-banner'));
        whatIf.onRun = (other) => this.showOther(other);
        new ImpactCard(byId('impact'), recording, this.newReader(recording), laws, selection, whatIf, step, ({ point, normal, a, b }) => {
            this.scene.lookAtContact(new Vector3(...point), new Vector3(...normal), b === null ? [a] : [a, b]);
        });
        this.chrome = new Chrome(recording, this.scene, this.plots, {
            showHelp: () => this.keys.toggleHelp(), changeTheme: toggleTheme, address: () => this.address(), requestDraw: ask,
        });
        bindKeys(this.keys, this);
        player.onChange(ask);
        range.onChange(ask);
        selection.onChange(() => this.selected());
        recording.onGrowth(() => this.grown());
        recording.onArrival(() => this.arrived());
        if (this.wasLoaded) this.goTo(window.location.hash);
        window.addEventListener('hashchange', () => this.goTo(window.location.hash));
        ask();
    }

    /** To the next or the previous event of the kinds that are shown. */
    stepEvent(direction: 1 | -1): void {
        const { events } = this.recording.brief;
        const { event } = this.selection;
        this.player.pause();
        const atEvent = event !== null && events.double(event, EVENT.t) === this.player.t;
        const from = atEvent ? event + direction : events.firstAfter(this.player.t) - (direction === 1 ? 0 : 1);
        const next = this.events.neighbour(from, direction);
        if (next !== null) this.selection.chooseEvent(next);
    }

    requestDraw(): void {
        if (this.drawAsked) return;
        this.drawAsked = true;
        requestAnimationFrame((now) => this.draw(now));
    }

    private draw(now: number): void {
        this.drawAsked = false;
        const { player } = this;
        const seconds = this.lastFrame === null ? 0 : (now - this.lastFrame) / 1000;
        this.lastFrame = player.playing && !this.waiting ? now : null;
        if (seconds > 0) this.scene.stage.adapt(seconds);
        player.tick(seconds, this.recording.meta.running || this.recording.loaded < 1);
        // what the tick asked for is drawn here
        this.drawAsked = false;
        if (player.playing) this.range.keepVisible(player.t);
        this.showWaiting(!this.scene.draw());
        this.transport.update();
        this.timeline.draw();
        this.plots.mark();
        this.bodyCard.update();
        if (!this.waiting) this.frames++;
        if (player.playing && !this.waiting) this.requestDraw();
    }

    /** Says so when the time to be shown has not come yet; time stands still meanwhile. */
    private showWaiting(waiting: boolean): void {
        this.waiting = waiting;
        if (waiting) this.lastFrame = null;
        byId('stage').classList.toggle('waiting', waiting);
        byId('waiting').hidden = !waiting;
        byId('waiting').textContent = this.recording.failure?.message ?? 'Loading this moment…';
    }

    private arrived(): void {
        if (this.waiting || this.scene.overlay.lacking) this.requestDraw();
        if (this.recording.whole && !this.framedWhole) {
            this.framedWhole = true;
            this.scene.reframe();
            this.requestDraw();
        }
    }

    private wholeTime(): number {
        const { meta, end } = this.recording;
        return meta.running ? meta.duration : Math.max(meta.end, end);
    }

    private grown(): void {
        if (!this.wasLoaded && this.recording.loaded >= 1) {
            this.wasLoaded = true;
            this.framedWhole = this.recording.whole;
            this.player.setEnd(this.recording.end);
            this.scene.reframe();
            this.goTo(window.location.hash);
        } else if (this.recording.meta.running && this.recording.end > REFRAME_GROWTH * this.framedEnd) {
            this.framedEnd = this.recording.end;
            this.scene.reframe();
        }
        this.player.setEnd(this.recording.end);
        this.range.setWhole(this.wholeTime());
        // drawing would only delay what is still coming in
        if (this.recording.loaded >= 1 || this.recording.meta.running) this.requestDraw();
    }

    private selected(): void {
        const { event } = this.selection;
        if (event !== null && event !== this.wasChosen) {
            this.player.pause();
            this.player.seek(this.recording.brief.events.double(event, EVENT.t));
            this.range.keepVisible(this.player.t);
            this.chrome.showSide('impact');
        }
        this.wasChosen = event;
        this.requestDraw();
    }

    private newReader(recording: Recording): StateReader {
        const { meta } = recording;
        const constants = meta.bodies.map(({ fixed, mass, inertia, given }, body) => {
            const shape = shapeOf(meta, body);
            return { fixed, mass, inertia, pivot: given?.pivot, radius: shape.type === 'sphere' ? shape.radius : null };
        });
        return new StateReader(recording, new MotionSet(this.module, constants, meta.gravity));
    }

    private showOther(other: Recording | null): void {
        if (other === null) {
            this.scene.hideGhosts();
            this.plots.compare(null, null);
        } else {
            this.scene.showGhosts(other, this.newReader(other));
            this.plots.compare(other, this.newReader(other));
            other.onGrowth(() => {
                this.plots.later();
                this.requestDraw();
            });
            other.onArrival(() => this.requestDraw());
        }
        this.requestDraw();
    }

    /** Sets what an address names. */
    private goTo(hash: string): void {
        const moment = momentOf(hash);
        const numberOf = (name: string | undefined): number | null => {
            const found = this.recording.meta.bodies.findIndex((body) => body.name === name);
            return found < 0 ? null : found;
        };
        if (moment.show !== undefined) this.chrome.showOnly(moment.show);
        if (moment.near !== undefined) {
            const [x, y, z, reach] = moment.near;
            this.scene.lookNear(new Vector3(x, y, z), reach, ...(moment.look ?? [-60, 20]));
        } else if (moment.look !== undefined) {
            this.scene.lookFrom(...moment.look);
        }
        if (moment.body !== undefined) this.selection.chooseBody(numberOf(moment.body));
        if (moment.follow !== undefined) this.selection.follow(numberOf(moment.follow));
        if (moment.event !== undefined && moment.event < this.recording.brief.events.rows) this.selection.chooseEvent(moment.event);
        if (moment.t !== undefined) this.player.seek(moment.t);
        if (moment.speed !== undefined) {
            const wanted = moment.speed;
            const nearest = SPEEDS.reduce((best, speed, i) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(SPEEDS[best] / wanted)) ? i : best), 0);
            this.player.setSpeedIndex(nearest);
        }
    }

    /** The address of the moment that is shown. */
    address(): string {
        const { player, selection, recording } = this;
        const words = [`t=${time(player.t, 1e-9)}`];
        if (selection.event !== null) words.push(`event=${selection.event}`);
        if (selection.body !== null) words.push(`body=${encodeURIComponent(recording.meta.bodies[selection.body].name)}`);
        if (player.speed !== 1) words.push(`speed=${player.speed}`);
        return `#${words.join('&')}`;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The viewer as a whole: makes the parts, and draws when something has changed.
import { Vector3 } from 'three';
import { byId, el } from '../common/dom';
import { Keys } from '../common/keys';
import { saveSvg } from '../common/save_menu';
import { messageOf } from '../common/sentences';
import { toggleTheme } from '../common/theme';
import { saveFile, tell } from '../common/told';
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
import { Layers } from './layers';
import { Moments } from './moments';
import { Player } from './player';
import { Plots } from './plots';
import { SceneTree } from './scene_tree';
import { SceneView } from './scene_view';
import { Selection } from './selection';
import { Sync } from './sync';
import { TimeRange } from './time_range';
import { Timeline } from './timeline';
import { Transport } from './transport';
import { bindKeys } from './viewer_keys';
import { Visibility } from './visibility';
import { WhatIf } from './what_if';
import { WhatIfTable } from './what_if_table';

/** A run that has become so much longer may have gone elsewhere. */
const REFRAME_GROWTH = 1.5;

export class App {
    readonly player = new Player();
    readonly selection = new Selection();
    readonly range = new TimeRange();
    readonly visibility: Visibility;
    readonly scene: SceneView;
    readonly layers: Layers;
    readonly moments: Moments;
    readonly chrome: Chrome;
    /** Frames drawn so far, for measurements. */
    frames = 0;
    private readonly keys = new Keys('Keys of the viewer');
    private readonly events: EventList;
    private readonly transport: Transport;
    private readonly timeline: Timeline;
    private readonly plots: Plots;
    private readonly bodyCard: BodyCard;
    private readonly impact: ImpactCard;
    private readonly sync: Sync;
    private changed: WhatIfTable | null = null;
    /** The frame that was asked of the browser: its number, or 0 for none. */
    private frameAsked = 0;
    /** Whether a frame is being prepared: what is asked for meanwhile is in it. */
    private preparing = false;
    private lastFrame: number | null = null;
    private visited = 0;
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
        this.visibility = new Visibility(recording.meta.bodies.length);
        const ask = (): void => this.requestDraw();
        const step = (direction: 1 | -1): void => this.stepEvent(direction);
        player.setEnd(recording.end);
        range.setWhole(this.wholeTime());
        this.scene = new SceneView(byId('stage'), recording, () => this.newReader(recording), player, selection, this.visibility, ask);
        this.events = new EventList(byId('events'), recording, selection);
        this.transport = new Transport(byId('transport'), player, step);
        this.timeline = new Timeline(byId('timeline'), recording, player, selection, range);
        this.plots = new Plots(byId('plots'), recording, this.newReader(recording), player, selection, range);
        const tree = new SceneTree(byId('tree'), recording.meta, selection, this.visibility, (body) => this.scene.bodies.colourOf(body));
        this.bodyCard = new BodyCard(
            byId('body-card'), recording, this.newReader(recording), player, selection, this.visibility, () => this.scene.frame(),
        );
        const whatIf = new WhatIf(recording, laws, byId('ghost-banner'));
        whatIf.onRun = (other) => this.showOther(other);
        this.chrome = new Chrome(recording, this.plots, {
            showHelp: () => this.keys.toggleHelp(), changeTheme: toggleTheme, address: () => this.moments.address(), files: this.files(),
        });
        this.impact = new ImpactCard(byId('impact'), recording, this.newReader(recording), laws, selection, whatIf, {
            step, tools: [this.chrome.widen], look: ({ point, normal, a, b }) => {
                this.scene.lookAtContact(new Vector3(...point), new Vector3(...normal), b === null ? [a] : [a, b]);
            },
        });
        this.layers = new Layers(byId('overlay-buttons'), this.scene, this.plots, ask, () => tree.refresh());
        this.moments = new Moments(recording, player, selection, this.visibility, this.scene, this.layers, whatIf, tell);
        bindKeys(this.keys, this);
        player.onChange(ask);
        range.onChange(ask);
        selection.onChange(() => this.selected());
        recording.onGrowth(() => this.grown());
        recording.onArrival(() => this.arrived());
        this.sync = new Sync(player, this.scene);
        if (this.wasLoaded) this.opened();
        window.addEventListener('hashchange', () => this.goToLink());
        ask();
    }

    /** All of the recording is known, so that a link can be gone to. */
    private opened(): void {
        this.goToLink();
        const { meta: { title, scene_name }, end } = this.recording;
        this.sync.ready({ end, title, scene_name });
    }

    /** An event that the link names is shown on narrow screens too. */
    private goToLink(): void {
        const { visits } = this.selection;
        this.moments.goTo(window.location.hash);
        if (this.selection.visits !== visits) this.chrome.showTab('impact');
    }

    /** What the user can save. */
    private files(): Record<string, () => void> {
        const scene = this.recording.meta.scene_name.replace(/^.*\//, '').replace(/\.\w+$/, '') || 'carom';
        return {
            'Scene (PNG)': () => void this.scene.picture().then((picture) => saveFile(`${scene}.png`, picture), (error: Error) => tell(error.message)),
            'Energy (SVG)': () => saveSvg(`${scene}-energy`, this.plots.energy.svg()),
            'Momentum (SVG)': () => saveSvg(`${scene}-momentum`, this.plots.momentum.svg()),
            'Contact force (SVG)': () => saveSvg(`${scene}-force`, this.plots.force.svg()),
            'Impulse space (SVG)': () => saveSvg(`${scene}-impulse-space`, this.impact.svg()),
        };
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

    /** Draws with the browser's next frame; however often it is asked for, once. */
    requestDraw(): void {
        if (this.preparing || this.frameAsked !== 0) return;
        this.frameAsked = requestAnimationFrame((now) => this.draw(now));
    }

    private draw(now: number): void {
        const { player } = this;
        this.frameAsked = 0;
        this.preparing = true;
        const seconds = this.lastFrame === null ? 0 : (now - this.lastFrame) / 1000;
        this.lastFrame = player.playing && !this.waiting ? now : null;
        this.scene.stage.adapt(this.lastFrame === null ? null : seconds);
        const played = player.playing;
        player.tick(seconds, this.recording.meta.running || this.recording.loaded < 1);
        if (player.playing) this.range.keepVisible(player.t);
        this.showWaiting(!this.scene.draw());
        this.preparing = false;
        this.transport.update();
        this.timeline.draw();
        const states = this.waiting ? null : this.scene.shownStates;
        this.plots.mark(states);
        this.events.followTime(player.t);
        this.bodyCard.update();
        this.changed?.update(player.t, states);
        if (!this.waiting) this.frames++;
        this.sync.drawn();
        // when it has come to its end, a still picture is due
        if ((player.playing && !this.waiting) || (played && !player.playing)) this.requestDraw();
    }

    /** Says so when the time to be shown has not come yet; time stands still meanwhile. */
    private showWaiting(waiting: boolean): void {
        this.waiting = waiting;
        if (waiting) this.lastFrame = null;
        byId('stage').classList.toggle('waiting', waiting);
        byId('waiting').hidden = !waiting;
        const { failure } = this.recording;
        byId('waiting').textContent = failure === null ? 'Loading this moment…' : messageOf(failure);
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
            this.opened();
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
        const { event, visits } = this.selection;
        if (event !== null && visits !== this.visited) {
            this.player.pause();
            this.player.seek(this.recording.brief.events.double(event, EVENT.t));
            this.range.keepVisible(this.player.t);
            this.chrome.showImpact();
        }
        this.visited = visits;
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
            this.changed = null;
        } else {
            this.changed = new WhatIfTable(this.recording, other, this.newReader(other));
            byId('ghost-banner').append(el('details', { open: true }, el('summary', {}, 'What changed'), this.changed.element));
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
}

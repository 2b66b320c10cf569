// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// From a link to what the page shows, and back: everything that makes up the picture of a moment.
import { Vector3 } from 'three';
import { number } from '../common/format';
import { messageOf } from '../common/sentences';
import { BRIEF_EVENT as EVENT } from '../record/layout';
import type { Recording } from '../record/recording';
import { usualColours } from './bodies';
import type { Layers } from './layers';
import { hashOf, type Moment, momentOf } from './link';
import type { Player } from './player';
import type { SceneView } from './scene_view';
import type { Selection } from './selection';
import type { Visibility } from './visibility';
import type { WhatIf } from './what_if';

/** From where a place is seen unless a link says otherwise (degrees). */
const USUAL_LOOK: [number, number] = [-60, 20];
/** Links may have lost the last digits of a time: of it, or of 1 s. */
const SAME_TIME = 1e-9;

export class Moments {
    constructor(
        private readonly recording: Recording,
        private readonly player: Player,
        private readonly selection: Selection,
        private readonly visibility: Visibility,
        private readonly scene: SceneView,
        private readonly layers: Layers,
        private readonly whatIf: WhatIf,
        private readonly told: (problem: string) => void,
    ) {}

    /** Sets what an address names; says what it cannot. */
    goTo(hash: string): void {
        const problems: string[] = [];
        const moment = momentOf(hash, problems);
        this.setLayers(moment, problems);
        this.setCamera(moment);
        const { selection, player } = this;
        if (moment.body !== undefined) selection.chooseBody(this.bodyNamed(moment.body, problems));
        if (moment.follow !== undefined) selection.follow(this.bodyNamed(moment.follow, problems));
        const event = this.eventOf(moment.event, problems);
        if (event !== null) selection.chooseEvent(event);
        // a time that is that of the event but for its last digits is that of the event
        const near = event !== null && moment.t !== undefined && Math.abs(moment.t - player.t) <= SAME_TIME * Math.max(1, player.t);
        if (moment.t !== undefined && !near && this.isTime(moment.t, problems)) player.seek(moment.t);
        if (moment.speed !== undefined) player.setSpeed(moment.speed);
        if (moment.whatIf !== undefined) this.runOn(moment.whatIf, problems);
        if (problems.length > 0) this.told(sentence(problems.join('; ')));
    }

    /** The address of what is shown. */
    address(): string {
        const { player, selection, visibility, scene, layers } = this;
        const { bodies } = this.recording.meta;
        const nameOf = (body: number | null): string | undefined => (body === null ? undefined : bodies[body].name);
        const named = (list: readonly number[]): string[] | undefined => (list.length === 0 ? undefined : list.map((body) => bodies[body].name));
        return hashOf({
            t: player.t,
            event: selection.event ?? undefined,
            body: nameOf(selection.body),
            follow: nameOf(selection.followed),
            speed: player.speed === 1 ? undefined : player.speed,
            camera: scene.isOwnView ? scene.camera : undefined,
            show: layers.names,
            trails: scene.trails.shown ? scene.trails.window : undefined,
            hide: named(visibility.bodiesOf('hidden')),
            faint: named(visibility.bodiesOf('faint')),
            only: named([...(visibility.isolated ?? [])]),
            colours: scene.bodies.colouredBy === usualColours(this.recording.meta) ? undefined : scene.bodies.colouredBy,
            whatIf: this.whatIf.running ?? undefined,
        });
    }

    private bodyNamed(name: string, problems: string[]): number | null {
        const found = this.recording.meta.bodies.findIndex((body) => body.name === name);
        if (found >= 0) return found;
        problems.push(`the recording has no body '${name}'`);
        return null;
    }

    private isTime(t: number, problems: string[]): boolean {
        const { meta, end } = this.recording;
        if (t >= 0 && t <= end + SAME_TIME * Math.max(1, end)) return true;
        const known = meta.running ? `the run has come to ${number(end, 6)} s` : `the recording ends at ${number(end, 6)} s`;
        problems.push(t < 0 ? "the link's t must not be below 0" : `the link's t is ${t} s; ${known}`);
        return false;
    }

    private eventOf(row: number | undefined, problems: string[]): number | null {
        const { rows } = this.recording.brief.events;
        if (row === undefined) return null;
        if (Number.isInteger(row) && row >= 0 && row < rows) return row;
        problems.push(rows === 0 ? 'the recording has no events' : `the recording has no event ${row}: they are 0 to ${rows - 1}`);
        return null;
    }

    private setLayers(moment: Moment, problems: string[]): void {
        const { visibility, scene, layers } = this;
        if (moment.show !== undefined) this.show(moment.show, problems);
        if (moment.trails !== undefined) scene.trails.window = moment.trails;
        if (moment.colours !== undefined && moment.colours !== scene.bodies.colouredBy) layers.toggleColours();
        layers.refresh();
        const numbers = (names: string[]): number[] => names.flatMap((name) => this.bodyNamed(name, problems) ?? []);
        if (moment.hide !== undefined) visibility.set(numbers(moment.hide), 'hidden');
        if (moment.faint !== undefined) visibility.set(numbers(moment.faint), 'faint');
        if (moment.only !== undefined) visibility.isolate(numbers(moment.only));
    }

    /** Exactly these layers; none is an empty name. */
    private show(names: string[], problems: string[]): void {
        const { all } = this.layers;
        const known = names.filter((name) => all.includes(name));
        const unknown = names.filter((name) => name !== '' && !all.includes(name));
        if (unknown.length > 0) problems.push(`there is no layer '${unknown.join("', '")}': they are ${all.join(', ')}`);
        if (known.length > 0 || unknown.length === 0) this.layers.showOnly(known);
    }

    private setCamera({ camera, near, look }: Moment): void {
        if (camera !== undefined) this.scene.setCamera(camera);
        else if (near !== undefined) this.scene.lookNear(new Vector3(near[0], near[1], near[2]), near[3], ...(look ?? USUAL_LOOK));
        else if (look !== undefined) this.scene.lookFrom(...look);
    }

    private runOn({ event, contact }: NonNullable<Moment['whatIf']>, problems: string[]): void {
        const row = this.eventOf(event, problems);
        if (row === null) return;
        if (this.recording.source.whatIf === null) {
            problems.push('the link asks what if; this page has no server behind it that could run on');
            return;
        }
        const t = this.recording.brief.events.double(row, EVENT.t);
        this.whatIf.start(row, t, contact).catch((error: unknown) => this.told(sentence(messageOf(error))));
    }
}

const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.');

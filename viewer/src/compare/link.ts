// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Keeps two viewers in step. Each viewer tells its parent what its user does, and takes the same
// message from there without answering it, so that what comes from one is passed on to the other,
// without the parts that are not linked.

export interface Camera {
    position: [number, number, number];
    target: [number, number, number];
}

/** As viewers send and take it; what is left out stays as it is. */
export interface Sync {
    carom: 'sync';
    /** s */
    t?: number;
    playing?: boolean;
    speed?: number;
    camera?: Camera;
}

export interface Ready {
    carom: 'ready';
    /** s */
    end: number;
    title: string;
    scene_name: string;
}

export type Part = 'time' | 'view';
export type Send = (message: Sync) => void;

export class Link {
    /** The last that each has told. */
    private readonly last: Sync[];
    /** Whose user has acted last. */
    private leader = 0;
    private readonly linked: Record<Part, boolean> = { time: true, view: true };

    constructor(private readonly send: Send[]) {
        this.last = send.map(() => ({ carom: 'sync' }));
    }

    isLinked(part: Part): boolean {
        return this.linked[part];
    }

    /** Whether something plays: of both, where they are linked. */
    get playing(): boolean {
        return this.last.some(({ playing }) => playing === true);
    }

    /** One has told what its user did. */
    heard(from: number, message: Sync): void {
        this.leader = from;
        this.last[from] = { ...this.last[from], ...message };
        this.passOn(from, message);
    }

    /** What is linked from now on takes the state of that whose user has acted last. */
    setLinked(part: Part, linked: boolean): void {
        this.linked[part] = linked;
        if (linked) this.passOn(this.leader, this.last[this.leader]);
    }

    /** To both at once, from the controls of the page that holds them. */
    tellBoth(message: Omit<Sync, 'carom'>): void {
        this.send.forEach((send, at) => {
            send({ carom: 'sync', ...message });
            this.last[at] = { ...this.last[at], ...message };
        });
    }

    private passOn(from: number, message: Sync): void {
        const { t, playing, speed, camera } = message;
        const passed: Sync = { carom: 'sync' };
        if (this.linked.time) {
            if (t !== undefined) passed.t = t;
            if (playing !== undefined) passed.playing = playing;
            if (speed !== undefined) passed.speed = speed;
        }
        if (this.linked.view && camera !== undefined) passed.camera = camera;
        if (Object.keys(passed).length === 1) return;
        this.send.forEach((send, to) => {
            if (to === from) return;
            send(passed);
            this.last[to] = { ...this.last[to], ...passed };
        });
    }
}

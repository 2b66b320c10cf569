// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Time: where the recording stands, whether it plays, and how fast.

/** Speeds that the keys and buttons go through. */
export const SPEEDS = [
    1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100,
];
const REAL_TIME = SPEEDS.indexOf(1);
/** One frame of a film, as the eye has it (s). */
const FRAME_SECONDS = 1 / 60;
/** A pause of the page, as when it was in the background, is not played through (s); slow frames are shorter. */
const LONGEST_TICK_SECONDS = 1;

export class Player {
    t = 0;
    playing = false;
    /** Time can go this far; it grows while a recording comes in. */
    end = 0;
    private speedNumber = REAL_TIME;
    /** Whether what listeners are told of is the clock's doing, and nobody's choice. */
    isTicking = false;
    private readonly listeners = new Set<() => void>();

    get speed(): number {
        return SPEEDS[this.speedNumber];
    }

    get speedIndex(): number {
        return this.speedNumber;
    }

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    toggle(): void {
        if (!this.playing && this.t >= this.end) this.t = 0;
        this.playing = !this.playing;
        this.tell();
    }

    pause(): void {
        this.playing = false;
        this.tell();
    }

    seek(t: number): void {
        this.t = Math.min(Math.max(t, 0), this.end);
        this.tell();
    }

    /** By one frame, at the speed of playing. */
    step(frames: number): void {
        this.playing = false;
        this.seek(this.t + frames * FRAME_SECONDS * this.speed);
    }

    /** Unlike toggle() it does not begin again at the end. */
    play(wanted: boolean): void {
        const playing = wanted && this.t < this.end;
        if (playing === this.playing) return;
        this.playing = playing;
        this.tell();
    }

    /** The nearest of the speeds. */
    setSpeed(wanted: number): void {
        if (!(wanted > 0)) return;
        const distance = (speed: number): number => Math.abs(Math.log(speed / wanted));
        this.setSpeedIndex(SPEEDS.reduce((best, speed, i) => (distance(speed) < distance(SPEEDS[best]) ? i : best), 0));
    }

    setSpeedIndex(index: number): void {
        this.speedNumber = Math.min(Math.max(Math.round(index), 0), SPEEDS.length - 1);
        this.tell();
    }

    setEnd(end: number): void {
        this.end = end;
        if (this.t > end) this.seek(end);
    }

    /** Lets so much time of the clock pass; waiting: at the end more is to come. */
    tick(seconds: number, waiting: boolean): void {
        if (!this.playing) return;
        this.isTicking = true;
        this.t += Math.min(seconds, LONGEST_TICK_SECONDS) * this.speed;
        if (this.t >= this.end) {
            this.t = this.end;
            this.playing = waiting;
        }
        this.tell();
        this.isTicking = false;
    }

    private tell(): void {
        for (const listener of this.listeners) listener();
    }
}

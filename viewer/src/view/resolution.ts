// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The resolution of the scene. A still picture always has the full one. While the recording plays,
// slow frames lower it by steps, and frames that are fast again raise it; a step up that turned out
// too much is tried again later and later, so that the picture does not flicker between two.

/** So many frames in a row that take longer than this lower the resolution (s). */
const SLOW_SECONDS = 0.06;
const SLOW_FRAMES = 6;
/** So many in a row that take no longer than this raise it: some room is left below slow (s). */
const FAST_SECONDS = 0.028;
const FAST_FRAMES = 45;
/** After a step up that did not hold, so many times as many frames are waited for, up to the most. */
const PATIENCE_GROWTH = 2;
const MOST_FAST_FRAMES = 1500;
const STEP = 0.75;
const LEAST_RATIO = 0.6;

export class Resolution {
    private playing: number;
    private still = true;
    private slow = 0;
    private fast = 0;
    private patience = FAST_FRAMES;
    private justRaised = false;

    /** full: pixels of the canvas for one of the page. */
    constructor(private readonly full: number) {
        this.playing = full;
    }

    get ratio(): number {
        return this.still ? this.full : this.playing;
    }

    get isFull(): boolean {
        return this.ratio === this.full;
    }

    /** How long the last frame took (s), null: nothing plays. Gives back whether the ratio is another one now. */
    told(frameSeconds: number | null): boolean {
        const before = this.ratio;
        this.still = frameSeconds === null;
        if (frameSeconds === null) this.slow = this.fast = 0;
        else this.count(frameSeconds);
        return this.ratio !== before;
    }

    private count(seconds: number): void {
        this.slow = seconds > SLOW_SECONDS ? this.slow + 1 : 0;
        this.fast = seconds <= FAST_SECONDS ? this.fast + 1 : 0;
        if (this.slow >= SLOW_FRAMES) this.lower();
        else if (this.fast >= this.patience) this.raise();
    }

    private lower(): void {
        this.slow = this.fast = 0;
        if (this.justRaised) this.patience = Math.min(this.patience * PATIENCE_GROWTH, MOST_FAST_FRAMES);
        this.justRaised = false;
        this.playing = Math.max(Math.min(LEAST_RATIO, this.full), STEP * this.playing);
    }

    private raise(): void {
        this.slow = this.fast = 0;
        if (this.playing === this.full) return;
        this.justRaised = true;
        this.playing = Math.min(this.full, this.playing / STEP);
    }
}

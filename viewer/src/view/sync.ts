// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Two viewers side by side: a page inside a frame of the same origin tells its parent what its user
// does with time and camera, and does what the parent tells it. What was told is never told back, so
// that a parent may pass messages from one frame on to the other. While the recording plays, the
// page whose user acted last leads: it tells its time with every frame, and the others put theirs
// right when they differ by more than one frame.
import { type CameraPlace, isCameraPlace } from './camera_place';
import type { Player } from './player';
import type { SceneView } from './scene_view';

export interface SyncMessage {
    carom: 'sync';
    t?: number;
    playing?: boolean;
    speed?: number;
    camera?: CameraPlace;
    /**
     * Counts what users do, so that a message which was sent before the last of it is known to be old;
     * and whose it is, for two that act at once. What has neither is taken, but for the moment after an
     * own act in which it may be an older one of the other frame.
     */
    turn?: number;
    by?: number;
}

/** A follower that plays at the same speed lets so much go (s of the clock). */
const SLACK_SECONDS = 1 / 30;

/** So long after an act of its own user a page takes no messages without a turn (ms). */
const OWN_ACT_MS = 250;

/** The window that holds this page in a frame, where both are of one origin. */
function parentOfPage(): Window | null {
    if (window.parent === window) return null;
    try {
        return window.parent.location.origin === window.location.origin && window.location.origin !== 'null' ? window.parent : null;
    } catch {
        return null; // of another origin
    }
}

export class Sync {
    private readonly parent = parentOfPage();
    /** Whether the user of this page acted last. */
    private leads = false;
    private applying = false;
    /** Whether the user has ever turned the camera. */
    private looked = false;
    private actedAt = -Infinity;
    private turn = 0;
    private readonly me = Math.random();
    private asked = false;

    constructor(
        private readonly player: Player,
        private readonly scene: SceneView,
    ) {
        if (this.parent === null) return;
        player.onChange(() => {
            if (!player.isTicking) this.acted();
        });
        scene.onLook = () => {
            this.looked = true;
            this.acted();
        };
        window.addEventListener('message', ({ origin, source, data }) => {
            if (origin === window.location.origin && source === this.parent) this.take(data);
        });
    }

    /** Tells the parent that the page can be talked to. */
    ready(about: { end: number; title: string; scene_name: string }): void {
        this.parent?.postMessage({ carom: 'ready', ...about }, window.location.origin);
    }

    /** Called when a frame has been drawn. */
    drawn(): void {
        if (this.leads && this.player.playing) this.tell();
    }

    private acted(): void {
        if (this.applying || this.parent === null) return;
        if (!this.leads || !this.asked) this.turn++;
        this.leads = true;
        this.actedAt = performance.now();
        if (this.asked) return;
        this.asked = true;
        // however much happens within one frame, it is told once
        requestAnimationFrame(() => {
            this.asked = false;
            if (this.leads) this.tell();
        });
    }

    private tell(): void {
        const { t, playing, speed } = this.player;
        const message: SyncMessage = { carom: 'sync', t, playing, speed, turn: this.turn, by: this.me };
        // where nobody has looked elsewhere, each scene stays framed as it is best
        if (this.looked || this.scene.isOwnView) message.camera = this.scene.camera;
        this.parent?.postMessage(message, window.location.origin);
    }

    private isOld({ turn, by }: SyncMessage): boolean {
        if (turn === undefined) return this.leads && performance.now() - this.actedAt < OWN_ACT_MS;
        return turn < this.turn || (turn === this.turn && this.leads && (by ?? 0) < this.me);
    }

    private take(data: unknown): void {
        const message = data as SyncMessage | null;
        if (typeof message !== 'object' || message === null || message.carom !== 'sync') return;
        const { player } = this;
        if (this.isOld(message)) return;
        this.turn = Math.max(this.turn, message.turn ?? this.turn + 1);
        this.leads = false;
        this.applying = true;
        try {
            if (typeof message.speed === 'number') player.setSpeed(message.speed);
            const on = typeof message.playing === 'boolean' ? message.playing : player.playing;
            if (typeof message.t === 'number' && Number.isFinite(message.t)) {
                const close = Math.abs(message.t - player.t) <= SLACK_SECONDS * player.speed;
                if (!(close && on && player.playing)) player.seek(message.t);
            }
            player.play(on);
            const { camera } = message;
            if (isCameraPlace(camera)) this.scene.setCamera(camera);
        } finally {
            this.applying = false;
        }
    }
}

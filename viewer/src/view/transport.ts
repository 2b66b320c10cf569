// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Buttons for playing: start, step, play, speed, and the time as a field that takes any time.
import { el, icon, refill } from '../common/dom';
import { ratio, time } from '../common/format';
import { type Player, SPEEDS } from './player';

const PLAY = 'M8 5v14l11-7z';
const PAUSE = 'M6 5h4v14H6zm8 0h4v14h-4z';
const TO_START = 'M6 5h2.5v14H6zM19 5v14l-9.5-7z';
const PREVIOUS = 'M15.5 5v14L6 12zM17 5h2v14h-2z';
const NEXT = 'M8.5 5v14l9.5-7zM5 5h2v14H5z';

export class Transport {
    private readonly play = el('button', { class: 'primary round', id: 'play', 'aria-label': 'Play', title: 'Play or pause (space)' }, icon(PLAY));
    private readonly speed = el('input', {
        type: 'range', min: 0, max: SPEEDS.length - 1, step: 1, 'aria-label': 'Speed', title: 'Speed (+ and −)', id: 'speed',
    });
    private readonly speedText = el('span', { class: 'mono speed-text', id: 'speed-text' });
    private readonly clock = el('input', {
        type: 'text', class: 'mono clock', 'aria-label': 'Time in seconds', title: 'Time (s); type any and press Enter', id: 'clock', inputmode: 'decimal',
    });
    private readonly end = el('span', { class: 'faint mono' });
    private playing = false;

    constructor(
        container: HTMLElement,
        private readonly player: Player,
        stepEvent: (direction: 1 | -1) => void,
    ) {
        const button = (path: string, label: string, action: () => void): HTMLElement =>
            el('button', { class: 'quiet', 'aria-label': label, title: label, onclick: action }, icon(path));
        this.play.addEventListener('click', () => player.toggle());
        this.speed.addEventListener('input', () => player.setSpeedIndex(Number(this.speed.value)));
        this.clock.addEventListener('change', () => {
            const t = Number(this.clock.value.trim().replace('\u2212', '-') || NaN);
            this.clock.setAttribute('aria-invalid', String(!Number.isFinite(t)));
            if (!Number.isFinite(t)) return;
            player.seek(t);
            this.clock.blur();
            this.update();
        });
        this.clock.addEventListener('focus', () => {
            player.pause();
            this.clock.value = String(player.t);
            this.clock.select();
        });
        this.clock.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') this.clock.blur();
        });
        this.clock.addEventListener('blur', () => {
            this.clock.setAttribute('aria-invalid', 'false');
            this.update();
        });
        container.append(
            button(TO_START, 'Start (R)', () => player.seek(0)),
            button(PREVIOUS, 'Previous event (←)', () => stepEvent(-1)), this.play, button(NEXT, 'Next event (→)', () => stepEvent(1)),
            el('label', { class: 'clock-box' }, this.clock, this.end),
            el('span', { class: 'grow' }),
            el('label', { class: 'speed-box' }, el('span', { class: 'soft' }, 'speed'), this.speed, this.speedText),
        );
        this.update();
    }

    update(): void {
        const { t, end, speed, speedIndex, playing } = this.player;
        if (playing !== this.playing) {
            this.playing = playing;
            refill(this.play, icon(playing ? PAUSE : PLAY));
            this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
        }
        // two more digits than a frame needs
        const step = Math.min(1e-3, speed * 1e-3);
        if (document.activeElement !== this.clock) this.clock.value = time(t, step);
        this.clock.style.width = `${Math.max(8, time(end, step).length + 2)}ch`;
        this.end.textContent = `/ ${time(end, 1e-2)} s`;
        this.speed.value = String(speedIndex);
        this.speedText.textContent = `${ratio(speed)}×`;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The pointer on the scene: a click chooses a contact's event or a body, and a body under a resting
// pointer tells its name.
import { Raycaster, Vector2 } from 'three';
import { el } from '../common/dom';
import type { Bodies } from './bodies';
import type { Overlay } from './overlay';
import type { Selection } from './selection';
import type { Stage } from './stage';

/** A pointer that moved less than this between down and up has clicked (px). */
const CLICK_PX = 5;
const DOT_REACH_PX = 12;
/** Names follow the pointer no more often than this (ms): in crowds looking takes a while. */
const HOVER_MS = 60;

export class Pointing {
    private readonly name = el('div', { class: 'body-name', hidden: true });
    private hovering: number | null = null;

    constructor(
        container: HTMLElement,
        private readonly stage: Stage,
        private readonly bodies: Bodies,
        private readonly overlay: Overlay,
        private readonly selection: Selection,
        private readonly nameOf: (body: number) => string,
    ) {
        container.append(this.name);
        const canvas = stage.renderer.domElement;
        let down: PointerEvent | null = null;
        canvas.addEventListener('pointerdown', (event) => {
            down = event.isPrimary && event.button === 0 ? event : null;
            this.name.hidden = true;
        });
        canvas.addEventListener('pointerup', (event) => {
            if (down !== null && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < CLICK_PX) {
                this.click(event);
            }
            down = null;
        });
        canvas.addEventListener('pointermove', (event) => {
            if (event.buttons !== 0 || event.pointerType === 'touch') return;
            if (this.hovering !== null) window.clearTimeout(this.hovering);
            this.hovering = window.setTimeout(() => this.hover(event), HOVER_MS);
        });
        canvas.addEventListener('pointerleave', () => {
            if (this.hovering !== null) window.clearTimeout(this.hovering);
            this.name.hidden = true;
        });
    }

    private placeOf(event: PointerEvent): { x: number; y: number; width: number; height: number } {
        const bounds = this.stage.renderer.domElement.getBoundingClientRect();
        return { x: event.clientX - bounds.left, y: event.clientY - bounds.top, width: bounds.width, height: bounds.height };
    }

    private bodyAt(event: PointerEvent): number | null {
        const { x, y, width, height } = this.placeOf(event);
        const raycaster = new Raycaster();
        raycaster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.stage.camera);
        return this.bodies.pick(raycaster)?.body ?? null;
    }

    private hover(event: PointerEvent): void {
        this.hovering = null;
        const body = this.bodyAt(event);
        this.name.hidden = body === null;
        if (body === null) return;
        const { x, y, width } = this.placeOf(event);
        this.name.textContent = this.nameOf(body);
        const left = Math.min(x + 12, width - this.name.offsetWidth - 4);
        this.name.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, y - 26)}px)`;
    }

    private click(event: PointerEvent): void {
        const row = this.eventAt(event);
        if (row !== null) this.selection.chooseEvent(row);
        else this.selection.chooseBody(this.bodyAt(event));
    }

    /** The event whose dot is nearest to the pointer. */
    private eventAt(event: PointerEvent): number | null {
        const { x, y, width, height } = this.placeOf(event);
        let nearest: number | null = null;
        let least = DOT_REACH_PX;
        for (const { row, at } of this.overlay.shown) {
            const seen = at.clone().project(this.stage.camera);
            const distance = Math.hypot(((seen.x + 1) / 2) * width - x, ((1 - seen.y) / 2) * height - y);
            if (distance < least) [nearest, least] = [row, distance];
        }
        return nearest;
    }
}

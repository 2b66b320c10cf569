// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Building elements in plain DOM, without a framework.

export type Child = Node | string | null | undefined | false;
type Attribute = string | number | boolean | null | undefined | ((event: never) => void);

/**
 * An element with attributes and children. `class`, `title` and so on are attributes; names that
 * begin with `on` take listeners; true gives an empty attribute, false and null none.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Record<string, Attribute> = {},
    ...children: Child[]
): HTMLElementTagNameMap[Tag] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (value === true) {
            element.setAttribute(name, '');
        } else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(name, String(value));
        }
    }
    append(element, ...children);
    return element;
}

export function append(parent: Element, ...children: Child[]): void {
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) parent.append(child);
    }
}

/** The same element with other children. */
export function refill(parent: Element, ...children: Child[]): void {
    parent.replaceChildren();
    append(parent, ...children);
}

/** An element of the page that must be there. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
    const element = document.getElementById(id);
    if (element === null) throw new Error(`the page has no element #${id}`);
    return element as Kind;
}

/** A small drawing from the path of a 24 by 24 icon. */
export function icon(path: string): SVGSVGElement {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('class', 'icon');
    svg.setAttribute('aria-hidden', 'true');
    const shape = document.createElementNS(space, 'path');
    shape.setAttribute('d', path);
    svg.append(shape);
    return svg;
}

/** Whether keys that are typed belong to a field and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
        return true;
    }
    return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

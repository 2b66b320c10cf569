// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Impulse space as an SVG file, seen as it is on the screen: lines as paths, dots as circles, words as
// text. The surfaces are convex and so are their outlines: each is one translucent polygon.
import { type BufferGeometry, type Camera, type Color, type Material, Mesh, type Object3D, type Plane, Vector3 } from 'three';
import { escaped } from '../common/plot_svg';

interface Drawn {
    /** Farther ones are drawn first; surfaces before lines before dots. */
    layer: number;
    depth: number;
    text: string;
}

export interface SpacePicture {
    content: Object3D;
    camera: Camera;
    width: number;
    height: number;
    /** What is beyond them is cut off. */
    planes: readonly Plane[];
    /** The layer of words over the picture. */
    words: HTMLElement;
    background: string;
}

type Coloured = Material & { color?: Color; opacity: number; linewidth?: number; vertexColors?: boolean; dashed?: boolean; wireframe?: boolean };

export function spaceSvg(picture: SpacePicture): string {
    const drawn: Drawn[] = [];
    picture.content.updateMatrixWorld(true);
    picture.content.traverseVisible((object) => {
        const { geometry, material } = object as Partial<Mesh>;
        if (geometry === undefined || material === undefined || Array.isArray(material)) return;
        const writer = new ObjectWriter(picture, object, geometry, material as Coloured);
        drawn.push(...writer.write());
    });
    drawn.sort((a, b) => a.layer - b.layer || b.depth - a.depth);
    const { width, height, background } = picture;
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
        `<rect width="${width}" height="${height}" fill="${background}"/>`,
        ...drawn.map(({ text }) => text),
        ...wordsOf(picture.words),
        '</svg>\n',
    ].join('\n');
}

function wordsOf(layer: HTMLElement): string[] {
    const frame = layer.getBoundingClientRect();
    return [...layer.children].flatMap((element) => {
        if (!(element instanceof HTMLElement) || element.style.visibility !== 'visible') return [];
        const { left, top, height } = element.getBoundingClientRect();
        const { color, fontWeight, fontSize, fontStyle } = getComputedStyle(element);
        const place = `x="${(left - frame.left + 3).toFixed(1)}" y="${(top - frame.top + 0.78 * height).toFixed(1)}"`;
        return [`<text ${place} fill="${color}" font-weight="${fontWeight}" font-size="${fontSize}" font-style="${fontStyle}">${escaped(element.textContent)}</text>`];
    });
}

/** The part of a polygon, or of a line, that is on the free side of all planes. */
function cut(points: Vector3[], planes: readonly Plane[], closed: boolean): Vector3[] {
    let kept = points;
    for (const plane of planes) {
        const next: Vector3[] = [];
        kept.forEach((point, i) => {
            const before = kept[(i + kept.length - 1) % kept.length];
            const [here, there] = [plane.distanceToPoint(point), plane.distanceToPoint(before)];
            if ((closed || i > 0) && here < 0 !== there < 0) next.push(before.clone().lerp(point, there / (there - here)));
            if (here >= 0) next.push(point);
        });
        kept = next;
    }
    return kept;
}

/** The convex hull, in order (Andrew's monotone chain). */
function hullOf(points: [number, number][]): [number, number][] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = (list: [number, number][]): [number, number][] => {
        const chain: [number, number][] = [];
        for (const point of list) {
            for (;;) {
                const [a, b] = chain.slice(-2);
                if (b === undefined || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
                chain.pop();
            }
            chain.push(point);
        }
        return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

class ObjectWriter {
    constructor(
        private readonly picture: SpacePicture,
        private readonly object: Object3D,
        private readonly geometry: BufferGeometry,
        private readonly material: Coloured,
    ) {}

    write(): Drawn[] {
        const { attributes } = this.geometry;
        if ('instanceStart' in attributes) return this.lines('instanceStart', 'instanceEnd');
        if (!(this.object instanceof Mesh)) return this.pairs();
        if (this.geometry.type === 'SphereGeometry' || this.geometry.type === 'TorusGeometry') return this.circle();
        return this.surface();
    }

    private at(name: string, index: number): Vector3 {
        return new Vector3().fromBufferAttribute(this.geometry.attributes[name] as never, index).applyMatrix4(this.object.matrixWorld);
    }

    private seen(point: Vector3): { x: number; y: number; depth: number } {
        const { camera, width, height } = this.picture;
        const { x, y, z } = point.clone().project(camera);
        return { x: 0.5 * (x + 1) * width, y: 0.5 * (1 - y) * height, depth: z };
    }

    private get colour(): string {
        return `#${this.material.color?.getHexString() ?? '888888'}`;
    }

    private segment(from: Vector3, to: Vector3): string {
        const ends = cut([from, to], this.picture.planes, false).map((point) => this.seen(point));
        return ends.length < 2 ? '' : `M${ends.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
    }

    private lines(start: string, end: string): Drawn[] {
        const { count } = this.geometry.attributes[start];
        const byColour = new Map<string, string[]>();
        for (let i = 0; i < count; i++) {
            const colour = this.material.vertexColors ? this.colourAt(i) : this.colour;
            byColour.set(colour, [...(byColour.get(colour) ?? []), this.segment(this.at(start, i), this.at(end, i))]);
        }
        const dashes = this.material.dashed ? ' stroke-dasharray="7 5"' : '';
        return [...byColour].map(([colour, words]) => ({
            layer: 1, depth: 0, text: `<path d="${words.join('')}" fill="none" stroke="${colour}" stroke-width="${this.material.linewidth ?? 1}" stroke-opacity="${this.material.opacity}" stroke-linecap="round"${dashes}/>`,
        }));
    }

    private colourAt(segment: number): string {
        const colours = this.geometry.attributes.instanceColorStart;
        const { r, g, b } = { r: colours.getX(segment), g: colours.getY(segment), b: colours.getZ(segment) };
        return `#${(this.material.color ?? ({} as Color)).clone().setRGB(r, g, b).getHexString()}`;
    }

    private pairs(): Drawn[] {
        const words: string[] = [];
        for (let i = 0; i + 1 < this.geometry.attributes.position.count; i += 2) words.push(this.segment(this.at('position', i), this.at('position', i + 1)));
        return [{ layer: 1, depth: 1, text: `<path d="${words.join('')}" fill="none" stroke="${this.colour}" stroke-width="1" stroke-opacity="${this.material.opacity}"/>` }];
    }

    private circle(): Drawn[] {
        this.geometry.computeBoundingSphere();
        const centre = new Vector3().setFromMatrixPosition(this.object.matrixWorld);
        if (this.picture.planes.some((plane) => plane.distanceToPoint(centre) < 0)) return [];
        const { x, y, depth } = this.seen(centre);
        const beside = centre.clone().add(new Vector3(this.geometry.boundingSphere!.radius, 0, 0).applyQuaternion(this.picture.camera.quaternion));
        const radius = Math.abs(this.seen(beside).x - x);
        const look = this.geometry.type === 'TorusGeometry' ? `fill="none" stroke="${this.colour}" stroke-width="1.5"` : `fill="${this.colour}"`;
        return [{ layer: 2, depth, text: `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" ${look}/>` }];
    }

    private surface(): Drawn[] {
        const { index, attributes } = this.geometry;
        const corners = index?.count ?? attributes.position.count;
        const corner = (i: number): Vector3 => this.at('position', index === null ? i : index.getX(i));
        const places: [number, number][] = [];
        let depth = 0;
        for (let i = 0; i + 2 < corners; i += 3) {
            for (const point of cut([corner(i), corner(i + 1), corner(i + 2)], this.picture.planes, true)) {
                const seen = this.seen(point);
                places.push([seen.x, seen.y]);
                depth = Math.max(depth, seen.depth);
            }
        }
        if (places.length < 3) return [];
        const outline = hullOf(places).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
        const veil = this.material.opacity < 1;
        const look = this.material.wireframe ? `fill="none" stroke="${this.colour}"` : `fill="${this.colour}" fill-opacity="${this.material.opacity}"`;
        return [{ layer: veil ? 0 : 2, depth, text: `<polygon points="${outline}" ${look}/>` }];
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Half-spaces, and the floor grid of scenes that have none: a sheet with grid lines that fades out
// with distance and takes the shadows of what is above it.
import {
    Color, DoubleSide, FrontSide, Group, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3,
} from 'three';

const VERTEX = /* glsl */ `
varying vec2 place;
void main() {
    place = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 lineColour;
uniform vec3 fillColour;
uniform float spacing;
uniform float radius;
uniform float fill;
varying vec2 place;
float lines(float step) {
    vec2 at = place / step;
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-6));
    vec2 fade = 1.0 - smoothstep(0.15, 0.5, fwidth(at));
    vec2 line = (1.0 - min(near, 1.0)) * fade;
    return max(line.x, line.y);
}
void main() {
    float edge = 1.0 - smoothstep(0.25, 1.0, length(place) / radius);
    float line = max(0.28 * lines(spacing), 0.55 * lines(10.0 * spacing));
    float cover = max(line, fill) * edge;
    vec3 colour = mix(fillColour, lineColour, line / max(max(line, fill), 1e-6));
    gl_FragColor = vec4(colour, cover);
    #include <colorspace_fragment>
}`;

/** A round length of the order of the given one: 1, 2 or 5 times a power of ten. */
export function roundLength(length: number): number {
    const power = 10 ** Math.floor(Math.log10(length));
    const leading = length / power;
    return power * (leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10);
}

/** How wide a square of the grid is in a scene of this radius (m). */
export const gridSpacing = (sceneRadius: number): number => roundLength(sceneRadius / 8);

/** A sheet that faces up is drawn this many times as far as the scene; others, as walls, less far. */
const FLOOR_RADII = 12;
const WALL_RADII = 1.7;

export interface GroundOptions {
    sceneRadius: number;
    /** A body of the scene, not only a grid to see depth by; it is seen from its free side only. */
    filled: boolean;
    facesUp: boolean;
    shadows: boolean;
}

export class Ground {
    /** To be put where the body is; the sheet lies in it. */
    readonly group = new Group();
    private readonly geometry: PlaneGeometry;
    private readonly sheet: ShaderMaterial;
    private readonly shadow = new ShadowMaterial({ opacity: 0.28 });

    /**
     * point, normal: in the group's frame, the normal to the free side.
     */
    constructor(point: Vector3, normal: Vector3, { sceneRadius, filled, facesUp, shadows }: GroundOptions) {
        const radius = (facesUp ? FLOOR_RADII : WALL_RADII) * sceneRadius;
        this.sheet = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            transparent: true,
            depthWrite: false,
            side: filled ? FrontSide : DoubleSide,
            uniforms: {
                lineColour: { value: new Color() },
                fillColour: { value: new Color() },
                spacing: { value: gridSpacing(sceneRadius) },
                radius: { value: radius },
                fill: { value: filled ? 0.75 : 0 },
            },
        });
        this.geometry = new PlaneGeometry(2 * radius, 2 * radius);
        const sheet = new Mesh(this.geometry, this.sheet);
        sheet.renderOrder = -2;
        const shadow = new Mesh(this.geometry, this.shadow);
        shadow.receiveShadow = true;
        shadow.renderOrder = -1;
        shadow.position.z = 1e-4 * sceneRadius;
        const lying = new Group();
        lying.add(sheet);
        if (shadows) lying.add(shadow);
        lying.position.copy(point);
        this.group.add(lying);
        lying.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal.clone().normalize()));
    }

    recolour(line: string, fill: string, dark: boolean): void {
        (this.sheet.uniforms.lineColour.value as Color).set(line);
        (this.sheet.uniforms.fillColour.value as Color).set(fill);
        this.shadow.opacity = dark ? 0.5 : 0.26;
    }

    dispose(): void {
        this.group.removeFromParent();
        this.sheet.dispose();
        this.shadow.dispose();
        this.geometry.dispose();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Balls without triangles: each is a square that faces the camera, on which the ray of every pixel
// is intersected with the ball. Round at any distance, right in depth, with the same light and the
// same pattern that shows how it turns; no shadows. Two triangles a ball instead of hundreds.
import { GLSL3, type DirectionalLight, type HemisphereLight, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';

const VERTEX = /* glsl */ `
uniform float radius;
out vec3 seenAt;
flat out vec3 centre;
flat out vec3 colour;
flat out mat3 bodyFromView;
void main() {
    mat4 toView = viewMatrix * modelMatrix * instanceMatrix;
    centre = toView[3].xyz;
    bodyFromView = transpose(mat3(toView));
    colour = instanceColor;
    float distance = length(centre);
    vec3 forward = centre / distance;
    vec3 right = normalize(cross(forward, abs(forward.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    vec3 up = cross(right, forward);
    // seen from near, a ball's outline is larger than its equator
    float part = min(radius / distance, 0.95);
    float size = radius / sqrt(1.0 - part * part);
    seenAt = centre + size * (position.x * right + position.y * up);
    gl_Position = projectionMatrix * vec4(seenAt, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform float radius;
uniform mat4 projectionMatrix;
uniform vec3 sunColour;
uniform vec3 sunDirection;
uniform vec3 skyColour;
uniform vec3 groundColour;
uniform vec3 upDirection;
in vec3 seenAt;
flat in vec3 centre;
flat in vec3 colour;
flat in mat3 bodyFromView;
out vec4 pixel;
void main() {
    vec3 ray = normalize(seenAt);
    float along = dot(ray, centre);
    float inside = along * along - dot(centre, centre) + radius * radius;
    if (inside < 0.0) discard;
    vec3 hit = ray * (along - sqrt(inside));
    vec3 normal = (hit - centre) / radius;
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    vec3 place = bodyFromView * normal;
    float field = place.x * place.y * place.z < 0.0 ? 0.58 : 1.0;
    vec3 sky = mix(groundColour, skyColour, 0.5 * dot(normal, upDirection) + 0.5);
    vec3 light = sunColour * max(dot(normal, sunDirection), 0.0) + sky;
    pixel = linearToOutputTexel(vec4(colour * field * light / 3.14159265, 1.0));
}`;

/** The lights of the stage. */
export interface Lights {
    sun: DirectionalLight;
    sky: HemisphereLight;
}

export const flatBallGeometry = (): PlaneGeometry => new PlaneGeometry(2, 2);

export function flatBallMaterial(radius: number, { sun, sky }: Lights): ShaderMaterial {
    const material = new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: {
            radius: { value: radius },
            sunColour: { value: new Vector3() },
            sunDirection: { value: new Vector3() },
            skyColour: { value: new Vector3() },
            groundColour: { value: new Vector3() },
            upDirection: { value: new Vector3() },
        },
    });
    material.onBeforeRender = (_renderer, _scene, camera) => {
        const { sunColour, sunDirection, skyColour, groundColour, upDirection } = material.uniforms;
        const vector = (uniform: { value: unknown }): Vector3 => uniform.value as Vector3;
        vector(sunColour).set(sun.color.r, sun.color.g, sun.color.b).multiplyScalar(sun.intensity);
        vector(skyColour).set(sky.color.r, sky.color.g, sky.color.b).multiplyScalar(sky.intensity);
        vector(groundColour).set(sky.groundColor.r, sky.groundColor.g, sky.groundColor.b).multiplyScalar(sky.intensity);
        vector(sunDirection).copy(sun.position).sub(sun.target.position).transformDirection(camera.matrixWorldInverse);
        vector(upDirection).set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
        material.uniformsNeedUpdate = true;
    };
    return material;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// How much drawing a machine can be asked for. With a graphics card everything; without one a crowd
// of bodies is drawn in a cheaper way, and everything else as usual.

/** More bodies than this are a crowd for a machine without a graphics card. */
const CROWD = 150;

export interface Quality {
    /** Smooth edges. */
    antialias: boolean;
    shadows: boolean;
    /** Balls as discs that are shaded like balls, instead of triangles. */
    flatBalls: boolean;
}

/** Whether the browser draws with the processor; it says so in the name of its renderer. */
function drawsInSoftware(): boolean {
    const context = document.createElement('canvas').getContext('webgl2');
    if (context === null) throw new Error('The browser has no WebGL 2, which drawing in three dimensions needs.');
    const naming = context.getExtension('WEBGL_debug_renderer_info');
    const name = String(context.getParameter(naming?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
    context.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

export function qualityFor(bodies: number): Quality {
    const modest = bodies > CROWD && drawsInSoftware();
    return { antialias: !modest, shadows: !modest, flatBalls: modest };
}

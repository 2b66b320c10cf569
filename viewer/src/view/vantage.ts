// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// From where a contact is seen best: across its normal, and with nothing in between.
import { MathUtils, Raycaster, Vector3 } from 'three';

export interface Vantage {
    /** Degrees, as Stage.lookAt takes them. */
    azimuth: number;
    elevation: number;
}

const ELEVATIONS = [14, 38, 62];
const AZIMUTHS = 12;
/** How much a look along the normal is worse than a look from high above. */
const ALONG_NORMAL = 2;

export const directionOf = ({ azimuth, elevation }: Vantage): Vector3 => {
    const [a, e] = [MathUtils.degToRad(azimuth), MathUtils.degToRad(elevation)];
    return new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
};

/** blocked: whether something other than the two bodies is met by a ray from the contact. */
export function bestVantage(point: Vector3, normal: Vector3, blocked: (ray: Raycaster) => boolean): Vantage {
    let best: Vantage = { azimuth: -60, elevation: 38 };
    let least = Infinity;
    for (const elevation of ELEVATIONS) {
        for (let step = 0; step < AZIMUTHS; step++) {
            const vantage = { azimuth: -60 + (360 * step) / AZIMUTHS, elevation };
            const direction = directionOf(vantage);
            const badness = ALONG_NORMAL * Math.abs(direction.dot(normal)) + elevation / 90;
            if (badness >= least || blocked(new Raycaster(point, direction))) continue;
            [best, least] = [vantage, badness];
        }
    }
    return best;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The address of a moment: what stands after # in a link, as docs/viewer.md lists it. What is given
// is set when the page opens; what cannot be is told.
import type { ContactRule } from '../record/meta';
import { FARTHEST, isCameraPlace, isPlace, NEAREST } from './camera_place';
import { SPEEDS } from './player';

export interface Moment {
    t?: number;
    event?: number;
    body?: string;
    follow?: string;
    speed?: number;
    /** Degrees. */
    look?: [number, number];
    /** A place (m) and how far round it is seen. */
    near?: [number, number, number, number];
    /** Where the camera is, and what it looks at (m). */
    camera?: { position: number[]; target: number[] };
    show?: string[];
    /** How long trails are (s). */
    trails?: number;
    hide?: string[];
    faint?: string[];
    only?: string[];
    colours?: 'material' | 'body';
    /** Another law from an event on. */
    whatIf?: { event: number; contact: ContactRule };
}

const WORDS = ['t', 'event', 'body', 'follow', 'speed', 'look', 'near', 'camera', 'show', 'trails', 'hide', 'faint', 'only', 'colours', 'whatif'];

/** problems: takes a sentence for every word that is no good. */
export function momentOf(hash: string, problems: string[] = []): Moment {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    for (const word of new Set(words.keys())) if (!WORDS.includes(word)) problems.push(`a link has no '${word}'`);
    /** The value, unless it breaks a rule. */
    const checked = <T>(name: string, value: T | undefined, isGood: (value: T) => boolean, rule: string): T | undefined => {
        if (value === undefined || isGood(value)) return value;
        problems.push(`the link's ${name} must be ${rule}`);
        return undefined;
    };
    const list = (name: string, length: number): number[] | undefined => {
        const text = words.get(name);
        if (text === null) return undefined;
        const values = text.split(',').map((word) => (word.trim() === '' ? NaN : Number(word)));
        if (values.length === length && values.every(Number.isFinite)) return values;
        problems.push(`the link's ${name} must be ${length === 1 ? 'a number' : `${length} numbers`}`);
        return undefined;
    };
    const names = (name: string): string[] | undefined => words.get(name)?.split(',').map(decoded);
    const camera = list('camera', 6);
    const place = camera && { position: camera.slice(0, 3), target: camera.slice(3) };
    const near = list('near', 4) as Moment['near'];
    const isNear = (value: number[]): boolean => isPlace(value.slice(0, 3)) && value[3] >= NEAREST && value[3] <= FARTHEST;
    const colours = words.get('colours') as Moment['colours'] | null;
    const [slowest, fastest] = [SPEEDS[0], SPEEDS[SPEEDS.length - 1]];
    return {
        t: list('t', 1)?.[0],
        event: list('event', 1)?.[0],
        body: words.get('body') ?? undefined,
        follow: words.get('follow') ?? undefined,
        speed: checked('speed', list('speed', 1)?.[0], (speed) => speed >= slowest && speed <= fastest, `from ${slowest} to ${fastest}`),
        look: checked('look', list('look', 2) as Moment['look'], ([, elevation]) => Math.abs(elevation) <= 90, 'an azimuth and an elevation from -90 to 90'),
        near: checked('near', near, isNear, `a place and a reach above 0 (m), at most ${FARTHEST.toExponential()}`),
        camera: checked('camera', place, isCameraPlace, `two places that differ (m), at most ${FARTHEST.toExponential()} away`),
        show: words.get('show')?.split(','),
        trails: words.get('trails') === 'all' ? Infinity : checked('trails', list('trails', 1)?.[0], (seconds) => seconds > 0, 'above 0, or all'),
        hide: names('hide'),
        faint: names('faint'),
        only: names('only'),
        colours: checked('colours', colours ?? undefined, (value) => value === 'material' || value === 'body', 'material or body'),
        whatIf: whatIfOf(words.get('whatif'), problems),
    };
}

function decoded(word: string): string {
    try {
        return decodeURIComponent(word);
    } catch {
        return word; // a name with a percent sign, written by hand
    }
}

function whatIfOf(text: string | null, problems: string[]): Moment['whatIf'] {
    if (text === null) return undefined;
    try {
        const { event, contact } = JSON.parse(text) as Partial<NonNullable<Moment['whatIf']>>;
        if (Number.isInteger(event) && typeof contact?.law === 'string' && Array.isArray(contact.materials)) return { event: event!, contact };
    } catch {
        // told below
    }
    problems.push('the link’s whatif cannot be read');
    return undefined;
}

/** The words of a moment, as momentOf reads them. */
export function hashOf(moment: Moment): string {
    const words: string[] = [];
    const put = (name: string, value: string | undefined): void => {
        if (value !== undefined) words.push(`${name}=${value}`);
    };
    const place = (values: readonly number[]): string => values.map((value) => Number(value.toPrecision(9))).join(',');
    // names may have commas in them: these are encoded twice
    const names = (list: string[] | undefined): string | undefined => list?.map((name) => encodeURIComponent(encodeURIComponent(name))).join(',');
    // with all its digits, so that an event's moment is that of the event
    put('t', moment.t === undefined ? undefined : String(moment.t));
    put('event', moment.event?.toString());
    put('body', moment.body && encodeURIComponent(moment.body));
    put('follow', moment.follow && encodeURIComponent(moment.follow));
    put('speed', moment.speed?.toString());
    put('camera', moment.camera && place([...moment.camera.position, ...moment.camera.target]));
    put('show', moment.show?.join(','));
    put('trails', moment.trails === Infinity ? 'all' : moment.trails?.toString());
    put('hide', names(moment.hide));
    put('faint', names(moment.faint));
    put('only', names(moment.only));
    put('colours', moment.colours);
    put('whatif', moment.whatIf && encodeURIComponent(JSON.stringify(moment.whatIf)));
    return `#${words.join('&')}`;
}

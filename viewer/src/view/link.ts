// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The address of a moment: #t=1.25&event=12&body=ball&look=AZIMUTH,ELEVATION&near=x,y,z,REACH&speed=0.01
// What is given is set when the page opens; the help tells how to make one.

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
    show?: string[];
}

export function momentOf(hash: string): Moment {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    const list = (name: string, length: number): number[] | undefined => {
        const values = words.get(name)?.split(',').map(Number);
        return values?.length === length && values.every(Number.isFinite) ? values : undefined;
    };
    return {
        t: list('t', 1)?.[0],
        event: list('event', 1)?.[0],
        body: words.get('body') ?? undefined,
        follow: words.get('follow') ?? undefined,
        speed: list('speed', 1)?.[0],
        look: list('look', 2) as [number, number] | undefined,
        near: list('near', 4) as [number, number, number, number] | undefined,
        show: words.get('show')?.split(','),
    };
}

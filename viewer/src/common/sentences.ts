// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Messages for people: what a damaged file looks like from inside the library that reads it (HDF5)
// helps nobody who wants to see a recording. Its name and what to do about it stay.

const INSIDE = /\bHDF5\b|\bH5\w+|superblock|B-tree|object header|fractal heap|\bheap\b|\bchunk|data(space|type|set)\b|checksum|fletcher|signature|address overflow|filter pipeline|symbol table|local name|hyperslab/i;

/** The same message without the insides of files. */
export function readable(message: string): string {
    if (!INSIDE.test(message)) return message;
    const file = /[^\s'"]+\.carom\b/.exec(message)?.[0];
    return `${file === undefined ? 'The recording' : file} is damaged, or is no recording of carom: not all of it can be read. Run the scene again.`;
}

export const messageOf = (error: unknown): string => readable(error instanceof Error ? error.message : String(error));

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The page's own code in node: TypeScript bundled in memory, with the module that the pages carry;
// and what the program says to the same impacts. CAROM_PAGES is the folder that viewer/build.mjs
// wrote to.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { PROGRAM, ROOT, scratch } from '../../viewer/support/carom.mjs';

export const PAGES = resolve(process.env.CAROM_PAGES ?? join(ROOT, 'build/release/viewer'));
const WASM = join(PAGES, 'carom.wasm');
if (!existsSync(WASM)) throw new Error(`${WASM} is not there: build the pages first`);

const { build } = createRequire(join(ROOT, 'viewer/package.json'))('esbuild');

/** What a file of viewer/src exports. */
export async function load(file) {
    const wasm = join(scratch, 'carom_wasm.mjs');
    writeFileSync(wasm, `export default ${JSON.stringify(deflateSync(readFileSync(WASM)).toString('base64'))};`);
    const out = join(scratch, `${file.replaceAll('/', '_')}.mjs`);
    await build({
        entryPoints: [join(ROOT, 'viewer/src', file)],
        outfile: out,
        bundle: true,
        format: 'esm',
        platform: 'node',
        alias: { 'carom-wasm': wasm },
        logLevel: 'error',
    });
    return import(pathToFileURL(out).href);
}

/** Answers of `carom impact` to a list of problems; lines that have none are answers too. */
export function caromImpact(problems, ...options) {
    const input = problems.map((problem) => JSON.stringify(problem)).join('\n');
    const words = ['impact', ...options, '--json'];
    let said;
    try {
        said = execFileSync(PROGRAM, words, { input, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] });
    } catch (error) {
        if (error.status !== 1 && error.status !== 2) throw error;
        said = error.stdout;
    }
    return said
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
}

/** Numbers in [0, 1) that follow from a seed. */
export function randomNumbers(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

// carom/impact/compliant.h promises 1e-9: the rounding of another machine moves its steps.
export const RELATIVE = 1e-12;
export const RELATIVE_COMPLIANT = 1e-9;

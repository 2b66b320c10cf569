// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What build.mjs resolves besides TypeScript.

/** The WebAssembly module, deflated, in base64: see build.mjs and inflate.ts. */
declare module 'carom-wasm' {
    const deflatedBase64: string;
    export default deflatedBase64;
}

declare module '*.css';

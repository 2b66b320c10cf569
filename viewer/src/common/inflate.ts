// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Bytes that a page carries inside itself: zlib-deflated, in base64.

/** The bytes of base64 text; whatever white space is in it does not count. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/** Decodes and inflates. Throws when the text is no base64 or the bytes are no zlib stream. */
export async function inflateBase64(text: string): Promise<Uint8Array<ArrayBuffer>> {
    const inflated = new Blob([bytesOfBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(inflated).arrayBuffer());
}

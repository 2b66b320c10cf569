// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The library's motions and laws as a WebAssembly module (viewer/wasm): calls, memory, errors.
import deflatedBase64 from 'carom-wasm';
import { inflateBase64 } from '../common/inflate';

type Exports = Record<string, (...words: number[]) => number>;

const BAD_DESCRIPTOR = 8; // WASI's errno

/** What the C library asks of a system: there is none, so no environment and no files. */
function systemCalls(memory: () => DataView): Record<string, (...words: number[]) => number> {
    return {
        environ_get: () => 0,
        environ_sizes_get: (count, bytes) => {
            memory().setUint32(count, 0, true);
            memory().setUint32(bytes, 0, true);
            return 0;
        },
        fd_close: () => BAD_DESCRIPTOR,
        fd_seek: () => BAD_DESCRIPTOR,
        fd_write: () => BAD_DESCRIPTOR,
        proc_exit: (code) => {
            throw new Error(`the module ended with code ${code}`);
        },
    };
}

export class CaromModule {
    private readonly memory: WebAssembly.Memory;
    private readonly stackPointer: WebAssembly.Global<'i32'>;
    private readonly exports: Exports;

    private constructor(instance: WebAssembly.Instance) {
        this.memory = instance.exports.memory as WebAssembly.Memory;
        this.stackPointer = instance.exports.__stack_pointer as WebAssembly.Global<'i32'>;
        this.exports = instance.exports as unknown as Exports;
    }

    static async start(bytes: BufferSource): Promise<CaromModule> {
        let started: CaromModule | null = null;
        const memory = (): DataView => started!.view();
        const { instance } = await WebAssembly.instantiate(bytes, {
            carom: {
                fail: (message: number): never => {
                    throw new Error(started!.text(message));
                },
            },
            wasi_snapshot_preview1: systemCalls(memory),
        });
        started = new CaromModule(instance);
        started.call('_initialize');
        return started;
    }

    /** Calls an exported function. What the library throws comes as an Error with its message. */
    call(name: string, ...words: number[]): number {
        const stack = this.stackPointer.value;
        try {
            return this.exports[name](...words);
        } catch (error) {
            // the frames that were left did not put it back
            this.stackPointer.value = stack;
            throw error;
        }
    }

    /** Memory of the module's own, until given back. */
    take(bytes: number): number {
        return this.call('memory_take', bytes);
    }

    giveBack(address: number): void {
        this.call('memory_give_back', address);
    }

    // Views are good until the next call: memory that grows moves.

    view(): DataView {
        return new DataView(this.memory.buffer);
    }

    doubles(address: number, count: number): Float64Array {
        return new Float64Array(this.memory.buffer, address, count);
    }

    bytes(address: number, count: number): Uint8Array {
        return new Uint8Array(this.memory.buffer, address, count);
    }

    /** UTF-8 that ends with zero. */
    text(address: number): string {
        const all = new Uint8Array(this.memory.buffer);
        return new TextDecoder().decode(all.subarray(address, all.indexOf(0, address)));
    }
}

let loading: Promise<CaromModule> | null = null;

/** The module that the page carries; started once. */
export function loadModule(): Promise<CaromModule> {
    loading ??= inflateBase64(deflatedBase64).then((bytes) => CaromModule.start(bytes));
    return loading;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Where a recording comes from: the server that gave the page, or the page itself.
import { inflateBase64 } from '../common/inflate';
import type { TableName } from './layout';
import { checkMeta, type ContactRule, type Meta } from './meta';

export interface Source {
    meta(): Promise<Meta>;
    /** Gives the bytes of a table from a row on, piece by piece as they come. */
    rows(table: TableName, from: number, take: (piece: Uint8Array<ArrayBuffer>) => void): Promise<void>;
    /** Starts the run again from an event with another law; null where there is no server. */
    whatIf: ((event: number, contact: ContactRule) => Promise<Source>) | null;
}

/** The sentence that the server gave, or what HTTP says. */
async function failureOf(response: Response): Promise<Error> {
    try {
        const { error } = (await response.json()) as { error?: unknown };
        if (typeof error === 'string') return new Error(error);
    } catch {
        // no JSON: the status has to do
    }
    return new Error(`the server answered ${response.status} ${response.statusText}`.trim());
}

async function ask(address: string, options?: RequestInit): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(address, { cache: 'no-store', ...options });
    } catch {
        throw new Error('the server does not answer; is carom view still running?');
    }
    if (!response.ok) throw await failureOf(response);
    return response;
}

export class ServerSource implements Source {
    /** base: `api`, or `api/run/3` for the third what-if. */
    constructor(private readonly base = 'api') {}

    async meta(): Promise<Meta> {
        const response = await ask(`${this.base}/meta`);
        return checkMeta(await response.json());
    }

    async rows(table: TableName, from: number, take: (piece: Uint8Array<ArrayBuffer>) => void): Promise<void> {
        const response = await ask(`${this.base}/table/${table}?from=${from}`);
        if (response.body === null) return;
        const reader = response.body.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) return;
            take(value);
        }
    }

    readonly whatIf = async (event: number, contact: ContactRule): Promise<Source> => {
        const response = await ask('api/whatif', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ event, contact }),
        });
        const { run } = (await response.json()) as { run: number };
        return new ServerSource(`api/run/${run}`);
    };
}

interface Embedded {
    meta: unknown;
    tables: Partial<Record<TableName, string>>;
}

export class EmbeddedSource implements Source {
    readonly whatIf = null;

    private constructor(private readonly embedded: Embedded) {}

    /** The recording that the page carries, or null. */
    static find(): EmbeddedSource | null {
        const element = document.getElementById('carom-recording');
        if (element === null) return null;
        return new EmbeddedSource(JSON.parse(element.textContent) as Embedded);
    }

    meta(): Promise<Meta> {
        return Promise.resolve(checkMeta(this.embedded.meta));
    }

    async rows(table: TableName, from: number, take: (piece: Uint8Array<ArrayBuffer>) => void): Promise<void> {
        const text = this.embedded.tables[table];
        if (text === undefined || from > 0) return;
        take(await inflateBase64(text));
    }
}

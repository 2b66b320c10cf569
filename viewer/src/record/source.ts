// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Where a recording comes from: the server that gave the page, or the page itself.
import { inflateBase64 } from '../common/inflate';
import { briefRows } from './brief';
import { BRIEF_BYTES, type BriefName, ROW_BYTES, type TableName } from './layout';
import { checkMeta, type ContactRule, type Meta } from './meta';

type Bytes = Uint8Array<ArrayBuffer>;
export type Take = (piece: Bytes) => void;

export interface Source {
    /** Whether all of it is in the page already. */
    readonly isHere: boolean;
    meta(): Promise<Meta>;
    /** Gives the bytes of so many rows of a table, piece by piece as they come; rowBytes: of each, where not as usual. */
    rows(table: TableName, from: number, count: number, take: Take, rowBytes?: number): Promise<void>;
    /** The bytes of one row of a table that has any. */
    rowBytes(table: TableName, count: number): Promise<number>;
    /** The same of brief rows. */
    brief(table: BriefName, from: number, count: number, take: Take): Promise<void>;
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
    readonly isHere = false;

    /** base: `api`, or `api/run/3` for the third what-if. */
    constructor(private readonly base = 'api') {}

    async meta(): Promise<Meta> {
        const response = await ask(`${this.base}/meta`);
        return checkMeta(await response.json());
    }

    rows(table: TableName, from: number, count: number, take: Take): Promise<void> {
        return this.read(`table/${table}`, from, count, take);
    }

    brief(table: BriefName, from: number, count: number, take: Take): Promise<void> {
        return this.read(`brief/${table}`, from, count, take);
    }

    async rowBytes(table: TableName): Promise<number> {
        let bytes = 0;
        await this.rows(table, 0, 1, (piece) => (bytes += piece.length));
        return bytes;
    }

    private async read(what: string, from: number, count: number, take: Take): Promise<void> {
        const response = await ask(`${this.base}/${what}?from=${from}&count=${count}`);
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
    readonly isHere = true;
    readonly whatIf = null;
    private readonly inflated = new Map<TableName, Promise<Bytes>>();

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

    async rowBytes(table: TableName, count: number): Promise<number> {
        return (await this.whole(table)).length / count;
    }

    async rows(table: TableName, from: number, count: number, take: Take, width = ROW_BYTES[table]): Promise<void> {
        take((await this.whole(table)).subarray(from * width, (from + count) * width));
    }

    async brief(table: BriefName, from: number, count: number, take: Take): Promise<void> {
        const width = BRIEF_BYTES[table];
        take(briefRows(table, await this.whole(table)).subarray(from * width, (from + count) * width));
    }

    private whole(table: TableName): Promise<Bytes> {
        const text = this.embedded.tables[table];
        const known = this.inflated.get(table);
        if (known !== undefined || text === undefined) return known ?? Promise.resolve(new Uint8Array(0));
        const inflated = inflateBase64(text);
        this.inflated.set(table, inflated);
        return inflated;
    }
}

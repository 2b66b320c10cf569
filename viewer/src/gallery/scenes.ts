// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// What the server has: the list of scenes, their drawings, and the start of one.
import type { Drawing } from './drawing';

export interface SceneEntry {
    name: string;
    title: string;
    expect: string;
    /** s */
    duration: number;
    /** That can move. */
    bodies: number;
}

async function ask(address: string, options?: RequestInit): Promise<unknown> {
    let response: Response;
    try {
        response = await fetch(address, { cache: 'no-store', ...options });
    } catch {
        throw new Error('The server does not answer. Is carom view still running?');
    }
    const answer = (await response.json().catch(() => ({}))) as { error?: unknown };
    if (response.ok) return answer;
    throw new Error(typeof answer.error === 'string' ? answer.error : `The server answered ${response.status}.`);
}

export const listScenes = async (): Promise<SceneEntry[]> => ((await ask('api/gallery')) as { scenes: SceneEntry[] }).scenes;

export const drawingOf = async (name: string): Promise<Drawing> => (await ask(`api/gallery/${name}`)) as Drawing;

/** Begins to run a scene and gives the address of its page. */
export async function openScene(name: string): Promise<string> {
    const answer = await ask(`api/gallery/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
    });
    return (answer as { folder: string }).folder;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Opens the recording that the page carries or that its server has, and says so if that fails.
import { byId } from '../common/dom';
import { messageOf } from '../common/sentences';
import '../common/theme';
import { loadModule } from '../laws/module';
import { Recording } from '../record/recording';
import { EmbeddedSource, ServerSource, type Source } from '../record/source';
import { App } from './app';
import './view.css';

declare global {
    interface Window {
        /** The running page, for tests and for the curious in the console. */
        carom?: App;
    }
}

/** How often a run that goes on is asked for more (ms). */
const ASK_MS = 400;

function fail(error: unknown): void {
    const splash = byId('splash');
    splash.hidden = false;
    splash.classList.add('failed');
    byId('splash-text').textContent = `This recording cannot be shown.\n${messageOf(error)}`;
}

function sourceOfPage(): Source {
    const embedded = EmbeddedSource.find();
    if (embedded !== null) return embedded;
    if (window.location.protocol === 'file:') {
        throw new Error('There is no recording in this page. Use carom view, or carom export --to html.');
    }
    return new ServerSource();
}

async function start(): Promise<void> {
    const [module, recording] = await Promise.all([loadModule(), Recording.open(sourceOfPage())]);
    const show = (): void => {
        if (window.carom !== undefined || !recording.hasStart) return;
        window.carom = new App(recording, module);
        byId('splash').hidden = true;
    };
    // a part of a long recording is enough to begin
    recording.onGrowth(() => {
        try {
            show();
        } catch (error) {
            fail(error);
        }
    });
    await recording.load();
    await recording.follow(ASK_MS);
    if (recording.meta.error && window.carom === undefined) throw new Error(recording.meta.error);
}

start().catch(fail);

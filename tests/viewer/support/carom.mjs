// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The program and a browser for tests of the pages: runs, serves, opens, and watches the console.
// CAROM_PROGRAM is the carom program, CAROM_CHROMIUM the browser. With CAROM_TRY_PAGES, a folder that
// viewer/build.mjs wrote to, the browser takes the pages from there and not from the program, so that
// changed pages can be tried without linking it again.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const PROGRAM = resolve(process.env.CAROM_PROGRAM ?? join(ROOT, 'build/release/carom'));
/** The shell is Chromium without windows: half of the work to open a page. */
const BROWSER = process.env.CAROM_CHROMIUM
    ?? ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)) ?? '/usr/lib/chromium/chromium-headless-shell';
/** Drawing without a graphics card; only what a page draws itself goes through its emulation, not the page around it. */
const BROWSER_OPTIONS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'];
/** What the browser says about those options, not about the page. */
const OF_THE_OPTIONS = /GPU stall due to ReadPixels/;

for (const file of [PROGRAM, BROWSER]) {
    if (!existsSync(file)) throw new Error(`${file} is not there: build the program and install chromium-headless-shell first`);
}

/** A busy machine without a graphics card may take long; a page that hangs takes longer (ms). */
const PATIENCE_MS = 150_000;

const { chromium } = createRequire(join(ROOT, 'viewer/package.json'))('playwright-core');

/** A folder that goes when the tests end. */
export const scratch = mkdtempSync(join(tmpdir(), 'carom-viewer-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

export const carom = (...words) => execFileSync(PROGRAM, words, { encoding: 'utf8', maxBuffer: 1 << 28 });

export const caromLines = (...words) => carom(...words).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));

/** Simulates a scene and gives the recording's file. */
export function record(scene, ...options) {
    const file = join(scratch, `${scene.replace(/\W+/g, '-')}.carom`);
    if (!existsSync(file)) carom('run', scene, '--quiet', '-o', file, ...options);
    return file;
}

/** `carom view` on a free port: its address, and how to end it. */
export function serve(...words) {
    const child = spawn(PROGRAM, [...words, '--no-browser', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((done) => child.on('exit', done));
    return new Promise((done, failed) => {
        let said = '';
        const hear = (text) => {
            said += text;
            const address = /http:\/\/\S+/.exec(said)?.[0];
            const stop = () => {
                child.kill('SIGINT');
                return ended;
            };
            if (address) done({ address, stop });
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        ended.then((code) => failed(new Error(`carom ${words.join(' ')} ended with ${code}: ${said}`)));
    });
}

/** A browser; with smooth edges only where somebody looks at the pictures: without a graphics card they are half of the drawing. */
export async function launch({ smooth = false } = {}) {
    const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_OPTIONS });
    if (smooth) return browser;
    const newContext = browser.newContext.bind(browser);
    browser.newContext = async (options) => {
        const context = await newContext(options);
        await context.addInitScript(() => {
            const { getContext } = HTMLCanvasElement.prototype;
            HTMLCanvasElement.prototype.getContext = function (kind, wishes) {
                return getContext.call(this, kind, wishes?.antialias ? { ...wishes, antialias: false } : wishes);
            };
        });
        return context;
    };
    return browser;
}

/** Lets a context take pages that are tried; data come from the server all the same. first: the page at /. */
export async function tryPages(context, first = 'viewer.html') {
    const folder = process.env.CAROM_TRY_PAGES;
    if (folder === undefined) return;
    for (const [path, file] of [['/', first], ['/lab', 'lab.html'], ['/a/', 'viewer.html'], ['/b/', 'viewer.html']]) {
        await context.route((url) => url.protocol === 'http:' && url.pathname === path, (route) => route.fulfill({
            contentType: 'text/html; charset=utf-8', body: readFileSync(join(folder, file), 'utf8'),
        }));
    }
}

/**
 * A page that has opened its recording; complaints in its console are collected. prepare: called with
 * the page before it goes there.
 */
export async function openViewer(browser, address, options = {}, prepare = () => undefined) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    await tryPages(context);
    const page = await context.newPage();
    const complaints = watch(page);
    await prepare(page);
    await page.goto(address);
    await page.waitForFunction(() => window.carom !== undefined && window.carom.recording.loaded === 1);
    await settle(page);
    return { page, context, complaints };
}

export function watch(page) {
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !OF_THE_OPTIONS.test(message.text())) complaints.push(message.text());
    });
    return complaints;
}

/** Waits until what was asked for has been drawn. */
export const settle = (page) => page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120)));
}));

/** A picture of an element, to tell whether it has changed. */
export const picture = async (page, selector) => (await page.locator(selector).screenshot()).toString('base64');

export const clock = (page) => page.evaluate(() => window.carom.player.t);

export function close(got, expected, relative, what) {
    const scale = Math.max(Math.abs(expected), 1e-300);
    assert.ok(Math.abs(got - expected) <= relative * scale, `${what}: ${got} is not ${expected}`);
}

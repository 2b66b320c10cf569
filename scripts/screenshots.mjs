// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Makes the pictures of docs/images: the viewer with bowling, coins, platter and the trails of a break
// in pool, the impact card, and the laboratory.
//
//   node scripts/screenshots.mjs [NAME...]
//
// CAROM_PROGRAM is the carom program (build/release/carom else), CAROM_CHROMIUM the browser;
// CAROM_TRY_PAGES as in the tests.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, openViewer, record, ROOT, serve, settle, tryPages } from '../tests/viewer/support/carom.mjs';

const OUT = join(ROOT, 'docs/images');
const SIZE = { viewport: { width: 1280, height: 720 } };

const PICTURES = {
    bowling: { scene: 'bowling', colorScheme: 'light', at: '#t=2.555&speed=0.05&near=18.7,0.02,0.16,0.5&look=172,24&show=contacts,impulses,plots' },
    coins: { scene: 'coins', colorScheme: 'dark', at: '#t=0.42&speed=0.05&near=0,0,0.05,0.165&look=-58,24&show=contacts,trails,plots&trails=0.5' },
    platter: { scene: 'platter', colorScheme: 'light', at: '#t=8&look=-60,38&show=velocities,trails,plots&trails=all&body=ball' },
    trails: { scene: 'pool-break', colorScheme: 'dark', at: '#t=0.9&look=-90,58&show=trails,plots&trails=all' },
    impact: { scene: 'bowling', colorScheme: 'dark', prepare: openImpact },
};

/** The ball's first impact with a pin, with room for its impulse space. */
async function openImpact(page) {
    for (const kind of ['micro', 'lasting-begin', 'lasting-end', 'sleep', 'wake']) await page.locator('.kind', { hasText: kind }).click();
    await page.getByPlaceholder('Filter by body').fill('pin-01');
    await settle(page);
    await page.locator('#events .row', { hasText: 'ball' }).first().click();
    await page.getByRole('button', { name: 'More room for the impact' }).click();
    await settle(page);
    await page.getByRole('button', { name: 'Look', exact: true }).click();
}

async function takeViewer(browser, name, { scene, colorScheme, at, prepare }) {
    const server = await serve('view', record(scene));
    try {
        const { page, context } = await openViewer(browser, `${server.address}${at ?? ''}`, { ...SIZE, colorScheme });
        await prepare?.(page);
        await finish(page, name);
        await context.close();
    } finally {
        await server.stop();
    }
}

async function takeLab(browser) {
    const server = await serve('lab');
    try {
        const context = await browser.newContext({ ...SIZE, colorScheme: 'light' });
        await tryPages(context, 'lab.html');
        const page = await context.newPage();
        await page.goto(server.address);
        await page.locator('canvas').first().waitFor();
        await finish(page, 'lab');
        await context.close();
    } finally {
        await server.stop();
    }
}

async function finish(page, name) {
    await settle(page);
    // plots are filled in the background
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(OUT, `${name}.png`) });
    console.log(`docs/images/${name}.png`);
}

mkdirSync(OUT, { recursive: true });
const wanted = process.argv.slice(2);
const browser = await launch({ smooth: true });
try {
    for (const [name, picture] of Object.entries(PICTURES)) {
        if (wanted.length === 0 || wanted.includes(name)) await takeViewer(browser, name, picture);
    }
    if (wanted.length === 0 || wanted.includes('lab')) await takeLab(browser);
} finally {
    await browser.close();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The laboratory in a browser, from disk and without a network: every law's answer on the page is
// that of `carom impact`, whatever is moved.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, picture, PROGRAM, settle, watch } from '../viewer/support/carom.mjs';
import { caromImpact, load, PAGES, RELATIVE, RELATIVE_COMPLIANT } from './support/library.mjs';

const ADDRESS = pathToFileURL(join(PAGES, 'lab.html')).href;
let browser;

before(async () => {
    browser = await launch();
});
after(() => browser.close());

async function openLab(hash = '', options = {}) {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 720 },
        offline: true,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
    });
    const page = await context.newPage();
    const complaints = watch(page);
    await page.goto(ADDRESS + hash);
    await page.waitForSelector('#answers tr[data-label]');
    await settle(page);
    return { page, context, complaints };
}

/** Labels and impulses of the table. */
const answersOf = (page) =>
    page.$$eval('#answers tr[data-label]', (rows) =>
        rows.map((row) => ({
            label: row.dataset.label,
            p: row.dataset.p?.split(' ').map(Number) ?? null,
            text: row.textContent,
        })),
    );

async function copied(page, button) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForFunction(() => document.querySelector('#told').textContent.includes('copied'));
    return page.evaluate(() => navigator.clipboard.readText());
}

/** The page's answers are those of the program to the problem that the page says it shows. */
async function compareWithProgram(page, what) {
    const problem = JSON.parse(await copied(page, 'JSON'));
    const [line] = caromImpact([problem], '--all');
    assert.equal(line.error, undefined, `${what}: ${line.error}`);
    const answers = await answersOf(page);
    assert.equal(answers.length, line.answers.length);
    answers.forEach((answer, i) => {
        const expected = line.answers[i];
        const label = expected.termination ? `${expected.law}/${expected.termination}` : expected.law;
        assert.equal(answer.label, label, what);
        if (expected.impulse === undefined)
            return assert.ok(answer.text.includes(expected.not_applicable), `${what}, ${label}: ${answer.text}`);
        const relative = label === 'compliant' ? RELATIVE_COMPLIANT : RELATIVE;
        const scale = Math.max(...expected.impulse.map(Math.abs));
        expected.impulse.forEach((value, k) =>
            assert.ok(Math.abs(answer.p[k] - value) <= relative * scale, `${what}, ${label}: ${answer.p} is not ${expected.impulse}`),
        );
    });
    return answers;
}

/** Moves a slider to a part of its way, as a user would. */
async function slide(page, name, part) {
    await page.locator(`[data-slider="${name}"]`).evaluate((slider, to) => {
        slider.value = String(Math.round(to * Number(slider.max)));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, part);
    await settle(page);
}

test('opens from disk without a word in the console, and draws impulse space', async () => {
    const { page, context, complaints } = await openLab();
    const first = await picture(page, '#space canvas');
    await slide(page, 'mu', 0.8);
    assert.notEqual(await picture(page, '#space canvas'), first, 'another cone');
    const box = await page.locator('#space canvas').boundingBox();
    const before = await picture(page, '#space canvas');
    await page.mouse.move(box.x + 60, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 90, { steps: 4 });
    await page.mouse.up();
    await settle(page);
    assert.notEqual(await picture(page, '#space canvas'), before, 'turned by the mouse');
    assert.deepEqual(complaints, []);
    await context.close();
});

test('sliders change all laws’ answers to those of carom impact', async () => {
    const { page, context, complaints } = await openLab();
    let last = JSON.stringify(await compareWithProgram(page, 'first'));
    for (const [name, part] of [
        ['mu', 0.35],
        ['e', 0.9],
        ['et', 0.1],
        ['nu', 0.7],
        ['mass', 0.4],
        ['radius', 0.6],
        ['v x', 0.8],
        ['v z', 0.1],
        ['w y', 0.3],
    ]) {
        await slide(page, name, part);
        const now = JSON.stringify(await compareWithProgram(page, `${name} at ${part}`));
        assert.notEqual(now, last, name);
        last = now;
    }
    assert.deepEqual(complaints, []);
    await context.close();
});

test('every shape and every preset has the answers of carom impact', async () => {
    const { page, context, complaints } = await openLab();
    const presets = await page.$$eval('#preset option', (options) =>
        options.map((option) => option.value).filter((value) => value !== ''),
    );
    assert.ok(presets.length >= 15);
    for (const preset of presets) {
        await page.selectOption('#preset', preset);
        await settle(page);
        await compareWithProgram(page, `preset ${preset}`);
    }
    await page.selectOption('#preset', '0');
    await settle(page);
    for (const shape of ['rod', 'box', 'cylinder', 'pencil']) {
        await page.selectOption('[data-field="shape"]', shape);
        await settle(page);
        await slide(page, 'tilt', 0.7);
        await slide(page, 'roll', 0.62);
        await compareWithProgram(page, shape);
    }
    assert.deepEqual(complaints, []);
    await context.close();
});

test('a link restores the state', async () => {
    const { page, context } = await openLab();
    await page.selectOption('#preset', '4');
    await settle(page);
    await slide(page, 'mu', 0.15);
    await page.locator('#answers').getByRole('button', { name: 'smith' }).click();
    await settle(page);
    const link = await copied(page, 'Link');
    const expected = await answersOf(page);
    const other = await openLab(`#${link.split('#')[1]}`);
    assert.deepEqual(await answersOf(other.page), expected);
    assert.equal(await other.page.locator('#answers tr.chosen').getAttribute('data-label'), 'smith');
    await other.context.close();
    await context.close();
});

test('a link that is no good is told and does no harm', async () => {
    for (const hash of [
        '#law=nonsense',
        '#shape=banana',
        '#K=1+2&u=1',
        '#law=routh/stronge&law.e=many',
        '#sweep=mu+0+1+nothing',
        '#sweep=nothing+0+1+p_x',
    ]) {
        const { page, context, complaints } = await openLab(hash);
        assert.match(await page.locator('#told').textContent(), /link cannot be read/, hash);
        assert.deepEqual(complaints, []);
        await context.close();
    }
});

test('what is out of range is refused at its field', async () => {
    const { page, context } = await openLab();
    const before = await answersOf(page);
    await page.locator('[data-field="e"]').fill('1.5');
    await page.locator('[data-field="e"]').press('Enter');
    await settle(page);
    assert.equal(await page.locator('label.number.wrong').count(), 1);
    assert.deepEqual(await answersOf(page), before);
    await page.locator('[data-field="e"]').fill('0.25');
    await page.locator('[data-field="e"]').press('Enter');
    await settle(page);
    assert.equal(await page.locator('label.number.wrong').count(), 0);
    await compareWithProgram(page, 'e = 0.25');
    await context.close();
});

test('an impact that cannot be says why, and the next one is drawn again', async () => {
    const { page, context, complaints } = await openLab();
    await page.getByRole('button', { name: 'K and u' }).click();
    await settle(page);
    const set = async (name, value) => {
        await page.locator(`[data-field="${name}"]`).fill(value);
        await page.locator(`[data-field="${name}"]`).press('Enter');
        await settle(page);
    };
    await set('K xx', '-1');
    assert.match(await page.locator('.impulse-note').textContent(), /positive definite/);
    assert.ok((await answersOf(page)).every(({ p }) => p === null));
    await set('K xx', '3.5');
    await set('u z', '0.5');
    assert.match(await page.locator('.impulse-note').textContent(), /do not approach/);
    assert.ok((await answersOf(page)).every(({ p }) => p === null || p.every((component) => component === 0)));
    await set('u z', '-5');
    await set('mu', '0');
    assert.ok(await page.locator('.impulse-note').isHidden());
    await compareWithProgram(page, 'without friction');
    assert.deepEqual(complaints, []);
    await context.close();
});

test('the copied Python program runs and prints the answers', async () => {
    const { page, context } = await openLab();
    const program = await copied(page, 'Python');
    const path = `${dirname(PROGRAM)}:${process.env.PATH}`;
    const said = execFileSync('python3', ['-'], { input: program, encoding: 'utf8', env: { ...process.env, PATH: path } });
    const answers = await answersOf(page);
    for (const { label } of answers) assert.ok(said.includes(label), `${label} is not in ${said}`);
    await context.close();
});

test('keys go through the list of impacts and show the help', async () => {
    const { page, context } = await openLab();
    const first = await page.locator('#preset').inputValue();
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.notEqual(await page.locator('#preset').inputValue(), first);
    await page.keyboard.press('?');
    assert.ok(await page.getByRole('dialog').isVisible());
    await page.keyboard.press('Escape');
    await page.locator('#space canvas').focus();
    const before = await picture(page, '#space canvas');
    await page.keyboard.press('ArrowLeft');
    await settle(page);
    assert.notEqual(await picture(page, '#space canvas'), before, 'the arrow keys turn impulse space');
    await context.close();
});

test('a recorded impact comes with its impulse, its words, and friction without limit', async () => {
    const hash = '#K=3.5+0+0+3.5+0+1&u=-3+0+-5&law=routh/stronge&law.e=0.5&law.mu=inf&recorded=0.857+0+7.5&story=ball+and+floor+at+0.4+s';
    const { page, context, complaints } = await openLab(hash);
    assert.match(await page.locator('#story').innerText(), /ball and floor at 0\.4 s/);
    assert.equal(await page.locator('#answers tr.chosen').getAttribute('data-label'), 'routh/stronge');
    assert.ok((await page.locator('.impulse-label').allInnerTexts()).includes('recorded'));
    assert.equal(await page.locator('#told').textContent(), '');
    const link = await copied(page, 'Link');
    assert.match(link, /recorded=/);
    assert.deepEqual(complaints, []);
    await context.close();
});

test('laws that disagree have dots of their own', async () => {
    const { groupAnswers } = await load('impulse/groups.ts');
    const { page, context } = await openLab();
    const presets = await page.$$eval('#preset option', (options) => options.map(({ value }) => value).filter((value) => value !== ''));
    for (const preset of presets) {
        await page.selectOption('#preset', preset);
        await settle(page);
        const answers = (await answersOf(page)).filter(({ p }) => p !== null);
        const groups = groupAnswers(answers.map(({ label, p }) => ({ label, solution: { p } })), answers[0].label);
        const size = Math.max(...answers.map(({ p }) => Math.hypot(...p)));
        for (const { p, members } of groups) {
            for (const { label, solution } of members) {
                const apart = Math.hypot(...p.map((component, k) => component - solution.p[k]));
                assert.ok(apart <= 1e-8 * size, `preset ${preset}: ${members[0].label} and ${label} are ${apart} N s apart and share a dot`);
            }
        }
    }
    await context.close();
});

test('a dot under the pointer tells its answer in the words of the table', async () => {
    const { page, context } = await openLab();
    const box = await page.locator('#space canvas').boundingBox();
    let tip = '';
    for (let y = 20; y < box.height && tip === ''; y += 8) {
        for (let x = 20; x < box.width && tip === ''; x += 8) {
            await page.mouse.move(box.x + x, box.y + y);
            if (await page.locator('.impulse-tip').isVisible()) tip = await page.locator('.impulse-tip').innerText();
        }
    }
    assert.match(tip, /p = .* N s\nu after = .* m\/s\nenergy lost .* J/);
    await context.close();
});

test('every number has a name of its own, and says when it is wrong', async () => {
    const { page, context } = await openLab();
    const names = await page.$$eval('#controls input[data-field], #controls input[data-slider]', (fields) => fields.map((field) => field.getAttribute('aria-label')));
    assert.equal(new Set(names).size, names.length, names.join('; '));
    for (const name of ['v x', 'v y', 'v z', 'w x', 'w y', 'w z']) assert.ok(names.some((label) => label.startsWith(`${name}: `)), name);
    const field = page.locator('[data-field="e"]');
    assert.equal(await field.getAttribute('aria-invalid'), 'false');
    await field.fill('1.5');
    await field.press('Enter');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await context.close();
});

test('light and dark, and no wider than a phone', async () => {
    const { page, context, complaints } = await openLab('', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    const dark = await picture(page, '#space canvas');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await settle(page);
    assert.notEqual(await picture(page, '#space canvas'), dark);
    assert.deepEqual(complaints, []);
    await context.close();
});

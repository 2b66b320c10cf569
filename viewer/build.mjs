// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Makes the self-contained pages viewer.html, lab.html, gallery.html and compare.html: script, style
// and, where it is used, the WebAssembly module inside, nothing loaded from elsewhere.
//
//   node build.mjs [--out FOLDER] [--wasm FILE] [--only viewer|lab|gallery|compare]
//
// FOLDER is ../build/pages unless given. Without --wasm the module is compiled first, by
// wasm/build.mjs. Fails when a page's own code is larger than its budget.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const PAGE_BUDGET_BYTES = 1_500_000;
const PAGES = [
    { name: 'viewer', folder: 'view', title: 'Carom' },
    { name: 'lab', folder: 'lab', title: 'Carom laboratory' },
    { name: 'gallery', folder: 'gallery', title: 'Scenes · Carom' },
    { name: 'compare', folder: 'compare', title: 'Two runs · Carom' },
];

const { values: options } = parseArgs({
    options: { out: { type: 'string' }, wasm: { type: 'string' }, only: { type: 'string' } },
});
const out = resolve(options.out ?? join(HERE, '../build/pages'));
mkdirSync(out, { recursive: true });

function wasmFile() {
    if (options.wasm) return resolve(options.wasm);
    const file = join(out, 'carom.wasm');
    execFileSync(process.execPath, [join(HERE, 'wasm/build.mjs'), file], { stdio: 'inherit' });
    return file;
}

/** `import text from 'carom-wasm'` gives the module, deflated, in base64. */
function embeddedWasm(file) {
    const text = deflateSync(readFileSync(file), { level: 9 }).toString('base64');
    return {
        name: 'carom-wasm',
        setup(hooks) {
            hooks.onResolve({ filter: /^carom-wasm$/ }, () => ({ path: file, namespace: 'carom-wasm' }));
            hooks.onLoad({ filter: /.*/, namespace: 'carom-wasm' }, () => ({
                contents: `export default ${JSON.stringify(text)};`,
            }));
        },
    };
}

async function bundle(page, wasm) {
    const result = await build({
        entryPoints: [join(HERE, 'src', page.folder, 'main.ts')],
        bundle: true,
        minify: true,
        write: false,
        outdir: out,
        format: 'esm',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'none',
        plugins: [embeddedWasm(wasm)],
        logLevel: 'warning',
    });
    const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
    return { script: text('.js'), style: text('.css') };
}

/** Text that can stand inside an element: no end tag, no comment can close or open in it. */
const inElement = (text) => text.replace(/<\/(script|style)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');

/** The frame of all pages with the title, the style, the body and the script of one. */
function pageOf(page, { script, style }) {
    const read = (file) => readFileSync(join(HERE, 'src', file), 'utf8').trimEnd();
    const parts = [
        ['/* body */', read(`${page.folder}/page.html`)],
        ['/* title */', page.title],
        ['/* style */', inElement(style)],
        ['/* script */', inElement(script)],
    ];
    return parts.reduce((html, [mark, text]) => {
        if (html.split(mark).length !== 2) throw new Error(`the page ${page.name} must have ${mark} once`);
        return html.replace(mark, () => text);
    }, `${read('common/frame.html')}\n`);
}

const wasm = wasmFile();
for (const page of PAGES.filter(({ name }) => name === (options.only ?? name))) {
    const html = pageOf(page, await bundle(page, wasm));
    const bytes = Buffer.byteLength(html);
    if (bytes > PAGE_BUDGET_BYTES) {
        throw new Error(`${page.name}.html has ${bytes} bytes; its budget is ${PAGE_BUDGET_BYTES}`);
    }
    const file = join(out, `${page.name}.html`);
    writeFileSync(`${file}.new`, html);
    renameSync(`${file}.new`, file);
    console.log(`${file}: ${(bytes / 1e6).toFixed(2)} MB`);
}

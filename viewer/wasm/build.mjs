// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Compiles carom/math, carom/motion, carom/impact and the glue beside this file to one WebAssembly
// module:   node viewer/wasm/build.mjs OUT.wasm [--jobs N]
// N is the number of processors unless given. Objects stay in OUT.wasm.objects and are made anew when
// a file they were made from has changed.
// CAROM_WASM_CXX names the compiler (clang++-14 else), CAROM_EIGEN and CAROM_BOOST the folders that
// hold Eigen/ and boost/.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const rooms = ['carom/math', 'carom/motion', 'carom/impact'];

const compiler = process.env.CAROM_WASM_CXX ?? 'clang++-14';
const eigen = process.env.CAROM_EIGEN ?? '/usr/include/eigen3';
const boost = process.env.CAROM_BOOST ?? '/usr/include';

const target = ['--target=wasm32-wasi'];
const compileFlags = [
    ...target,
    '-std=c++20',
    '-O2',
    '-DNDEBUG',
    '-ffp-contract=off',
    '-fno-math-errno',
    '-mbulk-memory',
    '-mnontrapping-fptoint',
    '-fvisibility=hidden',
    '-ffunction-sections',
    '-fdata-sections',
    '-Wall',
    '-Wextra',
    '-Wpedantic',
    '-Wshadow',
    '-Wconversion',
];
const linkFlags = [
    ...target,
    '-mexec-model=reactor',
    '-Wl,--gc-sections',
    '-Wl,--strip-all',
    '-Wl,--export=__stack_pointer',
    '-Wl,-z,stack-size=1048576',
];

// The compilation units of a module, as its CMakeLists.txt lists them: sources between two '|' are
// one unit. Folders below the module are not part of the pages.
function unitsOf(folder) {
    const list = readFileSync(join(folder, 'CMakeLists.txt'), 'utf8').match(/\bSOURCES\b([^)]*?)\bUSES\b/);
    if (!list) throw new Error(`${folder}/CMakeLists.txt has no list of sources`);
    return list[1]
        .split('|')
        .map((unit) => unit.split(/\s+/).filter((name) => name.endsWith('.cpp') && !name.includes('/')))
        .filter((unit) => unit.length > 0)
        .map((unit) => unit.map((name) => join(folder, name)));
}

// The units of the module: what to compile, by name. A unit is a file that includes its sources.
function units(objects) {
    const glue = readdirSync(here)
        .filter((name) => name.endsWith('.cpp'))
        .sort()
        .map((name) => join(here, name));
    const listed = [...rooms.flatMap((room) => unitsOf(join(root, room))), glue];
    return listed.map((files) => {
        const name = `${basename(dirname(files[0]))}_${basename(files[0], '.cpp')}`;
        const source = join(objects, `${name}.cpp`);
        const text = files.map((file) => `#include "${file}"\n`).join('');
        if (!existsSync(source) || readFileSync(source, 'utf8') !== text) writeFileSync(source, text);
        return { source, object: join(objects, `${name}.o`) };
    });
}

function run(command, words) {
    return new Promise((done, failed) => {
        const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
        child.on('error', (error) => failed(new Error(`${command} cannot be run: ${error.message}`)));
        child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`${command} ${words.at(-1)} ended with ${code}`))));
    });
}

// Whether an object is younger than all it was made from, as the compiler listed it.
function isFresh(object) {
    const list = object.replace(/\.o$/, '.d');
    if (!existsSync(object) || !existsSync(list)) return false;
    const made = statSync(object).mtimeMs;
    const files = readFileSync(list, 'utf8').replace(/\\\n/g, ' ').split(': ')[1].trim().split(/\s+/);
    return files.every((file) => existsSync(file) && statSync(file).mtimeMs <= made);
}

// Boost lies among the system's own headers, which are not this target's: a folder with it alone.
function includeFolder(objects) {
    const folder = join(objects, 'include');
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, 'boost'))) symlinkSync(join(boost, 'boost'), join(folder, 'boost'));
    return folder;
}

async function build(out, jobs) {
    const objects = `${out}.objects`;
    mkdirSync(objects, { recursive: true });
    const flags = [
        ...compileFlags,
        '-I',
        root,
        '-isystem',
        join(here, 'single_thread'),
        '-isystem',
        eigen,
        '-isystem',
        includeFolder(objects),
    ];
    // other flags make other objects
    const stamp = join(objects, 'flags');
    const said = [compiler, ...flags].join(' ');
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== said) {
        for (const name of readdirSync(objects).filter((name) => name.endsWith('.o'))) rmSync(join(objects, name));
        writeFileSync(stamp, said);
    }

    const all = units(objects);
    const waiting = all.filter((unit) => !isFresh(unit.object));
    const worker = async () => {
        for (let unit = waiting.shift(); unit; unit = waiting.shift())
            await run(compiler, [...flags, '-MD', '-c', '-o', unit.object, unit.source]);
    };
    const stale = waiting.length;
    await Promise.all(Array.from({ length: jobs }, worker));
    if (stale > 0 || !existsSync(out)) await run(compiler, [...linkFlags, '-o', out, ...all.map((unit) => unit.object)]);
    console.log(`${out}: ${statSync(out).size} bytes, ${stale} of ${all.length} units compiled`);
}

const [out, flag, count] = process.argv.slice(2);
if (!out || (flag && (flag !== '--jobs' || !(Number(count) >= 1)))) {
    console.error('usage: node build.mjs OUT.wasm [--jobs N]');
    process.exit(2);
}
build(resolve(out), flag ? Number(count) : availableParallelism()).catch((error) => {
    console.error(`build.mjs: ${error.message}`);
    process.exit(1);
});

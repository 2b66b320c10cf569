// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Fetches the packages that the lock file names, and says what to do when that fails:
//   node fetch.mjs [NPM]
// NPM is the program, npm unless given.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const npm = process.argv[2] ?? 'npm';
// a network that does not answer is told of within minutes
const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=60000'];
const done = spawnSync(npm, words, { cwd: dirname(fileURLToPath(import.meta.url)), stdio: 'inherit' });
if (done.status !== 0) {
    if (done.error) console.error(`${npm} cannot be run: ${done.error.message}`);
    console.error(`
npm could not fetch the packages of the pages of 'carom view' and 'carom lab'.
  Behind a proxy:   npm config set proxy http://HOST:PORT
                    npm config set https-proxy http://HOST:PORT
  A proxy with a certificate of its own: export NODE_EXTRA_CA_CERTS=/path/to/certificate.pem
  Without the pages: ./run --without-pages
                    (with CMake: -DCAROM_BUILD_VIEWER=OFF). Everything but those two commands works.`);
    process.exit(1);
}

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ./run and ./test say while they work and when they cannot.
# usage: scripts_test.sh SOURCE_FOLDER
set -euo pipefail
home=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "scripts_test: $*" >&2; exit 1; }

# off a terminal, long work says a line every ten seconds, and its exit code is the command's
said=$("$home/scripts/with_progress.sh" "$work/log" '^step' bash -c 'echo step 1; sleep 10.5; echo step 2')
[ "$said" = "step 1" ] || fail "with_progress.sh says '$said'"
code=0
"$home/scripts/with_progress.sh" "$work/log" . bash -c 'exit 3' || code=$?
[ $code -eq 3 ] || fail "with_progress.sh exits with $code, not 3"

# npm that fails: what to do, and the build without pages by name
code=0
said=$(node "$home/viewer/fetch.mjs" "$(command -v false)" 2>&1) || code=$?
[ $code -eq 1 ] || fail "fetch.mjs exits with $code, not 1"
grep -q -- '--without-pages' <<<"$said" || fail "fetch.mjs does not name the build without pages"
grep -q 'proxy' <<<"$said" || fail "fetch.mjs says nothing of proxies"

# unknown words
code=0
"$home/test" no-such-mode 2>/dev/null || code=$?
[ $code -eq 2 ] || fail "./test with an unknown mode exits with $code, not 2"
code=0
"$home/scripts/packages.sh" no-such-group 2>/dev/null || code=$?
[ $code -eq 2 ] || fail "packages.sh with an unknown group exits with $code, not 2"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./run as a stranger calls it: from another folder, twice, with what is not there.
# usage: run_test.sh SOURCE_FOLDER
set -euo pipefail
home=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "run_test: $*" >&2; exit 1; }

cd "$work"
cp "$home/scenes/bounce.toml" front-door.toml
# a scene by a path that is relative to where the caller is, and again although its recording is there
"$home/run" front-door.toml --quiet || fail "a scene in the caller's folder is not found"
"$home/run" front-door.toml --quiet || fail "a second run of a scene stops"
[ -f "$home/build/recordings/front-door.carom" ] || fail "the recording is not where the usage says"
rm "$home/build/recordings/front-door.carom"
# options of 'carom run' are kept
"$home/run" front-door.toml --quiet -o here.carom || fail "-o is not taken"
[ -f here.carom ] || fail "-o does not write here"
"$home/run" info here.carom >/dev/null || fail "a command does not see the caller's folder"
code=0
"$home/run" no-such-scene 2>said || code=$?
[ $code -eq 2 ] || fail "an unknown scene exits with $code, not 2"
grep -q 'no-such-scene' said || fail "the message does not name what is unknown"

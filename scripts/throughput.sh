#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Problems a second through "carom impact": reads, solves and writes 200,000 lines on one core.
# The lines are the routh problems of tests/oracle/vectors, repeated.
set -euo pipefail
CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."
program=${1:-build/release/carom}
lines=200000
input=$(mktemp)
trap 'rm -f "$input"' EXIT
python3 - "$lines" >"$input" <<'PY'
import itertools, json, pathlib, sys
problems = [json.dumps(json.loads(line)["problem"])
            for line in open("tests/oracle/vectors/routh_stronge.jsonl")
            if json.loads(line)["tag"] == "generic"]
for line in itertools.islice(itertools.cycle(problems), int(sys.argv[1])):
    print(line)
PY
for law in frictionless chatterjee-ruina whittaker routh; do
    extra=()
    [ "$law" = chatterjee-ruina ] && sed 's/"mu"/"et": 0.2, "mu"/' "$input" >"$input.et" && from="$input.et" || from="$input"
    best=$(for _ in 1 2 3; do
        /usr/bin/env bash -c "TIMEFORMAT=%U; time taskset -c 0 '$program' impact --json --law $law <'$from' >/dev/null" 2>&1
    done | sort -n | head -1)
    python3 -c "print(f'{\"$law\":<18} {$lines / $best:>10.0f} problems a second')"
    rm -f "$input.et"
done

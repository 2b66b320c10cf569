#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command with its output in a log, and prints every ten seconds the last line of the log that
# matches a pattern. Ends with the command's exit code.
#   scripts/with_progress.sh LOG PATTERN COMMAND…
set -euo pipefail
log=$1
pattern=$2
shift 2
"$@" >"$log" 2>&1 </dev/null &
child=$!
trap 'kill $child 2>/dev/null; exit 130' INT TERM
next=$((SECONDS + 10))
while kill -0 $child 2>/dev/null; do
    sleep 0.2
    [ $SECONDS -ge $next ] || continue
    next=$((next + 10))
    grep -aE "$pattern" "$log" | tail -n 1 | cut -c 1-110 || true
done
wait $child

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds targets in a configured folder and shows progress: on a terminal on one line, elsewhere a line
# every ten seconds. When it fails, what failed is shown, and all of it is in build.log of the folder.
#   scripts/build.sh FOLDER [TARGET…]
set -euo pipefail
folder=$1
shift
if [ -t 1 ]; then
    exec ninja -C "$folder" "$@"
fi
log=$folder/build.log
export NINJA_STATUS='[%f of %t after %e s] '
"$(dirname "$0")/with_progress.sh" "$log" '^\[[0-9]+ of ' ninja -C "$folder" "$@" || {
    sed -n '/^FAILED/,$p' "$log" | head -n 100 >&2
    echo "the build failed; all it printed is in $log" >&2
    exit 1
}

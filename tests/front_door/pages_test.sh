#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What ./run does about the pages of the viewer, and where it finds itself: with stubs in place of cmake,
# of the scripts that install and build, and of the program. And where ./test finds itself.
# usage: pages_test.sh SOURCE_FOLDER
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "pages_test: $*" >&2; exit 1; }

home=$work/home
mkdir -p "$home/scripts" "$home/build/release" "$work/bin" "$work/elsewhere/home"
cp "$source/run" "$source/test" "$home"
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; }
stub "$home/scripts/packages.sh" "echo \"packages \$*\" >>'$work/said'"
stub "$home/scripts/build.sh" ':'
stub "$home/build/release/carom" "echo \"carom \$*\" >>'$work/said'"
stub "$work/bin/cmake" "echo \"cmake \$*\" >>'$work/said'"
touch "$home/build/release/build.ninja"

# run WAS [OPTION]: ./run with a build folder that was configured so; what it called is in said
run() {
    echo "CAROM_BUILD_VIEWER:BOOL=$1" >"$home/build/release/CMakeCache.txt"
    shift
    : >"$work/said"
    PATH="$work/bin:$PATH" "$home/run" "$@" laws
    grep -qx 'carom laws' "$work/said" || fail "./run $* does not start the program"
}
configured() { grep -q "^cmake .*-DCAROM_BUILD_VIEWER=$1\$" "$work/said"; }
untouched() { ! grep -q '^cmake' "$work/said"; }
installs_pages() { grep -qx 'packages build pages' "$work/said"; }

run ON --without-pages
configured OFF || fail "--without-pages leaves a build with pages as it is"
! installs_pages || fail "--without-pages installs what pages need"
run OFF --with-pages
configured ON || fail "--with-pages leaves a build without pages as it is"
installs_pages || fail "--with-pages does not install what pages need"
run ON --with-pages
untouched || fail "--with-pages configures a build with pages again"
run OFF --without-pages
untouched || fail "--without-pages configures a build without pages again"
run ON
untouched && installs_pages || fail "without an option a build with pages does not keep them"
run OFF
untouched && ! installs_pages || fail "without an option a build without pages gets them"

# by links, of the file and of a folder, and where 'cd' goes to other places and says so
ln -s home/run "$work/link"
ln -s ../home/run "$work/elsewhere/run"
ln -s home "$work/folder"
cd "$work"
for way in ./link elsewhere/run folder/run home/run "$work/link"; do
    : >"$work/said"
    CDPATH=$work/elsewhere PATH="$work/bin:$PATH" "$way" laws || fail "$way does not run"
    grep -qx 'carom laws' "$work/said" || fail "$way does not start the program"
done
# ./test installs first: that is enough to see that it has found its scripts
stub "$home/scripts/packages.sh" "echo found; exit 3"
ln -s home/test "$work/test-link"
for way in ./test-link home/test folder/test; do
    code=0
    said=$(CDPATH=$work/elsewhere PATH="$work/bin:$PATH" "$way" quick) || code=$?
    [ "$code $said" = "3 found" ] || fail "$way does not find its scripts"
done

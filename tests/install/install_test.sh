#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the library into an empty folder and builds and runs another project on it, also as people
# have it who lack some packages: those are hidden from CMake.
# usage: install_test.sh BUILD_FOLDER SOURCE_FOLDER COMPILER
set -euo pipefail
build=$1 source=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    cat "$work/log" >&2
    exit 1
}
hidden() { for package in "$@"; do echo "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done; }
# configure FOLDER PREFIX OPTION...: the other project
configure() {
    cmake -S "$source/tests/install/consumer" -B "$work/$1" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
          -DCMAKE_PREFIX_PATH="$2" "${@:3}" >"$work/log" 2>&1
}
# the last log, its line breaks taken for spaces, has these words
log_has() {
    tr -s ' \n' ' ' <"$work/log" | grep -qF "$1" || fail "the message is missing: $1"
}

cmake --install "$build" --prefix "$work/prefix" >"$work/log"
# the program brings its manual page and the completion of shells along
if [ -e "$work/prefix/bin/carom" ]; then
    for file in man/man1/carom.1 bash-completion/completions/carom zsh/site-functions/_carom; do
        test -s "$work/prefix/share/$file" || fail "share/$file is not installed"
    done
fi

# the laws alone, with Eigen and Boost and nothing else
mapfile -t nothing < <(hidden Qhull assimp TBB tomlplusplus HDF5 TinyGLTF nlohmann_json fmt simdjson CLI11 \
                       Threads ZLIB PkgConfig GTest benchmark)
configure impact "$work/prefix" -DCOMPONENTS=impact -DOPTIONAL=world "${nothing[@]}" ||
    fail "carom::impact cannot be had with Eigen and Boost alone"
log_has "world found: FALSE"
cmake --build "$work/impact" >"$work/log" 2>&1 || fail "carom::impact cannot be used"
"$work/impact/use_impact"

# everything, with what each component brings and nothing else
configure all "$work/prefix" '-DCOMPONENTS=world;scene;record' || fail "find_package fails"
cmake --build "$work/all" >"$work/log" 2>&1 || fail "carom::world, scene and record cannot be used"
for component in world scene record; do
    (cd "$work/all" && "./use_$component") || fail "use_$component fails"
done

# what is missing is said, with the package that has it
! configure no_hdf5 "$work/prefix" -DCOMPONENTS=record "$(hidden HDF5)" || fail "no refusal"
log_has "no component 'record': it needs HDF5, which is not found (Debian package: libhdf5-dev)"
! configure no_qhull "$work/prefix" -DCOMPONENTS=scene "$(hidden Qhull)" || fail "no refusal"
log_has "no component 'scene': it stands on the component 'world': it stands on the component 'detect'"
log_has "it needs Qhull, which is not found (Debian package: libqhull-dev)"
! configure no_tbb "$work/prefix" -DCOMPONENTS=world "$(hidden TBB)" || fail "no refusal"
log_has "no component 'world': it needs TBB, which is not found (Debian package: libtbb-dev)"
! configure no_such "$work/prefix" -DCOMPONENTS=impcat || fail "no refusal"
log_has "no component 'impcat': the components are math, impact, shape, motion, detect, world"

# building the laws alone needs no more either
cmake -S "$source" -B "$work/laws" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCAROM_ROOMS=impact \
      "${nothing[@]}" >"$work/log" 2>&1 || fail "CAROM_ROOMS=impact needs more than Eigen and Boost"
ninja -C "$work/laws" -t targets all >"$work/targets"
grep -q 'libcarom_impact.a: ' "$work/targets" || fail "CAROM_ROOMS=impact does not build the laws"
! grep -q 'rooms/world' "$work/targets" || fail "CAROM_ROOMS=impact builds more than the laws"
! cmake -S "$source" -B "$work/typo" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCAROM_ROOMS=impcat >"$work/log" 2>&1 || fail "no refusal"
log_has "CAROM_ROOMS is 'impcat'; it must be impact, world, library or all"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, of the groups named:
#   build   what the program needs        pages   what 'carom view' and 'carom lab' are made with
#   test    what the tests need besides   fuzz    clang with its sanitizers
set -euo pipefail

build=(g++ cmake ninja-build libeigen3-dev libboost-dev nlohmann-json3-dev libcli11-dev libfmt-dev libsimdjson-dev
    libqhull-dev libassimp-dev libtbb-dev libtomlplusplus-dev libhdf5-dev libtinygltf-dev zlib1g-dev pkg-config)
pages=(clang-14 lld-14 wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 libclang-rt-14-dev-wasm32)
# node and npm may come from elsewhere
command -v node >/dev/null || pages+=(nodejs)
command -v npm >/dev/null || pages+=(npm)
test=(libcpp-httplib-dev python3-h5py python3-numpy libgtest-dev libbenchmark-dev libfcl-dev clang-format python3 git chromium-headless-shell)
fuzz=(clang libclang-rt-14-dev)

wanted=()
for group in "$@"; do
    case $group in
        build) wanted+=("${build[@]}") ;;
        pages) wanted+=("${pages[@]}") ;;
        test) wanted+=("${test[@]}") ;;
        fuzz) wanted+=("${fuzz[@]}") ;;
        '') ;;
        *)
            echo "packages.sh: no group '$group'; there are build, pages, test and fuzz" >&2
            exit 2
            ;;
    esac
done
missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing ${#missing[@]} packages, which takes a minute or two: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "not root and no sudo; please install: ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    # without fsync after each file of each package: what is installed is the same
    "${as_root[@]}" apt-get -q update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Options::=--force-unsafe-io \
            -o Dpkg::Use-Pty=0 --no-install-recommends install "${missing[@]}"
}
export -f install
"$(dirname "$0")/with_progress.sh" "$log" '^(Unpacking|Setting up)' bash -c "$(declare -p as_root missing); install" || {
    tail -n 20 "$log" >&2
    echo "the packages could not be installed: ${missing[*]}" >&2
    exit 1
}

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles with clang what a build system of g++ asks for: the options that only g++ knows are left out.
#   scripts/compile_with.sh CLANG COMPILER [option…]     CLANG in place of COMPILER
set -eu
clang=$1
shift 2
count=$#
header= output= last=
while [ "$count" -gt 0 ]; do
    word=$1
    shift
    count=$((count - 1))
    [ "$last" = -o ] && output=$word
    [ "$word" = c++-header ] && header=yes
    last=$word
    case $word in
        --param=* | -Wno-subobject-linkage | -Winvalid-pch) continue ;;
        -Wdouble-promotion) continue ;; # of g++: from float; of clang: to long double too
    esac
    set -- "$@" "$word"
done
if [ -n "$header" ]; then
    # an old one would be used for the new one
    rm -f "$output"
    set -- "$@" -fpch-instantiate-templates
fi
exec "$clang" "$@"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bundle.sh BUILD OUT [ARCH [OPTION...]]
# Packs what a machine with a GPU, but without our compiler, needs for trace-cost: OUT/ and
# OUT.tar.xz with the program for ARCH (sm_90), ctpost, ctrun, their libraries and the scripts.
# trace-cost-values also records values. OPTIONs are the compiler's.
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd) ARCH=${3:-sm_90}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tests/gpu/libraries.sh"

rm -rf "$2"
mkdir -p "$2/bin" "$2/lib"
OUT=$(cd "$2" && pwd)
shift 2
[ $# -eq 0 ] || shift
set -- --ct-target=gpu --cuda-gpu-arch="$ARCH" "$@"
"$here/build.sh" "$BUILD" "$OUT/bin/trace-cost" "$@"
"$here/build.sh" "$BUILD" "$OUT/bin/trace-cost-values" "$@" --ct-values
cp "$BUILD/bin/ctpost" "$BUILD/bin/ctrun" "$OUT/bin"
strip "$OUT"/bin/*
libraries "$OUT/lib" "$OUT"/bin/*
cp "$here/bench.sh" "$here/matrix.sh" "$OUT"
mkdir "$OUT/sanitizer"
cp "$here"/sanitizer.[ch] "$here/sanitizer_patch.cu" "$here/sanitizer.sh" "$OUT/sanitizer"
XZ_OPT=-2 tar -C "$(dirname "$OUT")" -cJf "$OUT.tar.xz" "$(basename "$OUT")"
du -h "$OUT.tar.xz"
name=$(basename "$OUT")
echo "There: tar xf $name.tar.xz && $name/bench.sh $name RESULTS"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bundle.sh BUILD OUT
# Packs what scaling.sh needs on a machine without our sources: OUT/ and OUT.tar.xz with ctpost,
# the programs that make and measure, their libraries, and the script. No GPU and no compiler are
# needed there.
set -eu
[ $# -eq 2 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tests/gpu/libraries.sh"

rm -rf "$2"
mkdir -p "$2/bin" "$2/bench" "$2/lib"
OUT=$(cd "$2" && pwd)
cp "$BUILD/bin/ctpost" "$OUT/bin"
cp "$BUILD/bench/bench_comm_trace" "$BUILD/bench/bench_measure" "$OUT/bench"
strip "$OUT"/bin/* "$OUT"/bench/*
libraries "$OUT/lib" "$OUT"/bin/* "$OUT"/bench/*
cp "$here/scaling.sh" "$OUT"
XZ_OPT=-2 tar -C "$(dirname "$OUT")" -cJf "$OUT.tar.xz" "$(basename "$OUT")"
du -h "$OUT.tar.xz"
name=$(basename "$OUT")
echo "There: tar xf $name.tar.xz && $name/scaling.sh $name RESULTS"

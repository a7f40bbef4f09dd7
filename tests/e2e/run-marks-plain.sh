#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-marks-plain.sh BIN CC CXX INCLUDE WORK
# <cudatrace/cudatrace.h> in programs that know nothing of us, and in a library of one that does.
set -eu
BIN=$1 CC=$2 CXX=$3 INCLUDE=$4 WORK=$5
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"
WARNINGS='-Wall -Wextra -Wpedantic -Werror'

for options in '-std=c99' '-std=c11 -O2 -fPIE -pie' '-fno-pie -no-pie' '-static' '-O2 -fvisibility=hidden'; do
	run_well compile "$CC" $WARNINGS $options -I"$INCLUDE" "$HERE/sampling/plain.c" -o "$WORK/plain"
	run_well plain "$WORK/plain"
done
for options in '-std=c++11 -O2' '-std=c++20' '-static'; do
	run_well compile "$CXX" $WARNINGS $options -I"$INCLUDE" -x c++ "$HERE/sampling/plain.c" -o "$WORK/plain"
	run_well plain "$WORK/plain"
done

run_well compile "$CC" -DLIBRARY -shared -fPIC -Wl,-Bsymbolic -I"$INCLUDE" "$HERE/sampling/plain.c" -o "$WORK/libplain.so"
run_well compile "$BIN/cuda-trace-clang++" --ct-target=cpu "$HERE/sampling/library.cu" -L"$WORK" -lplain \
	-Wl,-rpath,"$WORK" -o "$WORK/library"
traced_well library "$WORK/library"
"$BIN/launch-marks" "$WORK/library.ctrace" >"$WORK/library.marks"
grep -q '^launch 1 nothing of library ' "$WORK/library.marks" || fail "the library's region is not in the trace"
native_well library-off "$WORK/library"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh BUILD OUTPUT [OPTION...]
# trace-cost with the compiler of the build tree BUILD; OPTIONs, such as
# --ct-target=cpu or --cuda-gpu-arch=sm_90, are for all of its parts.
set -eu
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0" >&2; exit 2; }
compiler=$1/bin/cuda-trace-clang++ output=$2
shift 2
here=$(dirname "$0")
mkdir -p "$(dirname "$output")"
# Nothing of plain is instrumented.
"$compiler" -std=c++17 -O2 "$@" -c "$here/traced.cu" -o "$output.traced.o"
"$compiler" -std=c++17 -O2 "$@" --ct-kernels='^$' -c "$here/plain.cu" -o "$output.plain.o"
for part in main measure data report; do
	"$compiler" -std=c++17 -O2 -Wall -Wextra -Wno-unused-command-line-argument -I"$here/../../include" "$@" -c "$here/$part.cpp" -o "$output.$part.o"
done
"$compiler" -Wno-unused-command-line-argument "$@" "$output".*.o -o "$output"
rm -f "$output".*.o

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
set -- -std=c++17 -O2 -Wall -Wextra -Wno-unused-command-line-argument -I"$here/../../include" "$@"
mkdir -p "$(dirname "$output")"
for part in traced.cu main.cpp parent.cpp measure.cpp data.cpp expect.cpp thesis_host.cpp sanitizer_host.cpp report.cpp; do
	"$compiler" "$@" -c "$here/$part" -o "$output.$part.o"
done
# Instrumented by hand.
"$compiler" "$@" --ct-kernels='^$' -c "$here/thesis.cu" -o "$output.thesis.cu.o"
"$compiler" "$@" "$output".*.o -o "$output"
rm -f "$output".*.o

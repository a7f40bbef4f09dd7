#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# options.sh BUILD: does every example compile and link for the GPU with each of
# these options, and for each of these architectures? One row per option; exit
# 1 if anything fails. ptxas has the last word on the device code.
set -eu
[ $# -ge 1 ] || { sed -n '3,5s/^# //p' "$0" >&2; exit 2; }
compiler=$(cd "$1" && pwd)/bin/cuda-trace-clang++
cd "$(dirname "$0")/../../examples"
programs=$(sed '/^#/d' ../tests/e2e/programs.txt | cut -d ' ' -f 1,3- | tr ' ' ,)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

echo "| options | programs | compiled and linked | first error |"
echo "|---|---:|---:|---|"
while read -r options; do
	count=0 good=0
	: >"$work/errors"
	for program in $programs cmake-cuda,cmake-cuda/saxpy.cu,cmake-cuda/main.cpp; do
		count=$((count + 1))
		if "$compiler" $options $(echo "${program#*,}" | tr , ' ') -o "$work/program" 2>>"$work/errors"; then
			good=$((good + 1))
		fi
	done
	echo "| $options | $count | $good | $(grep -m 1 -E 'error|fatal|undefined' "$work/errors" | tr '|' ' ' || true) |"
	[ "$good" = "$count" ] || failures=1
done <<'END'
--cuda-gpu-arch=sm_90 -O0
--cuda-gpu-arch=sm_90 -O1
--cuda-gpu-arch=sm_90 -O2
--cuda-gpu-arch=sm_90 -O3
--cuda-gpu-arch=sm_90 -O2 -ffast-math
--cuda-gpu-arch=sm_90 -O2 -g
--cuda-gpu-arch=sm_90 -O0 -g
--cuda-gpu-arch=sm_90 -O2 -fgpu-rdc
--cuda-gpu-arch=sm_75 -O2
--cuda-gpu-arch=sm_80 -O2
--cuda-gpu-arch=sm_86 -O2
--cuda-gpu-arch=sm_89 -O2
--cuda-gpu-arch=sm_100 -O2
END
exit $failures

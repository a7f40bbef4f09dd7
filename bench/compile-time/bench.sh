#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD [OUTPUT.json]
# What instrumentation adds to the time of `-c`: every CUDA source of the
# examples with cuda-trace-clang++ and with clang++ alone, same options (-O2,
# sm_90), RUNS (5) pairs in turn, and with the toolkit's nvcc. Per source the
# median of the pairs' ratios; below, the median over the sources and the
# greatest. CPU time is user + system of all jobs; it hardly depends on what else
# the machine does.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,9s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd)
JSON=${2:-}
HERE=$(cd "$(dirname "$0")" && pwd)
RUNS=${RUNS:-5} ARCH=${ARCH:-sm_90}
OPTIONS=(--cuda-gpu-arch="$ARCH" -O2)
from_cache() {
	sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt"
}
clang=$(from_cache CT_CLANGXX)
cuda=$(from_cache CT_CUDA_PATH)
[ -n "$clang" ] && [ -n "$cuda" ] || { echo "bench.sh: $1 is not a build tree" >&2; exit 1; }
PLAIN=("$clang" --cuda-path="$cuda" -isystem "$cuda/include/cccl" -Wno-unknown-cuda-version
	--no-offload-new-driver)
OURS=("$BUILD/bin/cuda-trace-clang++")
NVCC=("$cuda/bin/nvcc" -arch="$ARCH" -O2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure COMMAND...: "ELAPSED CPU" in seconds
measure() {
	local TIMEFORMAT='%R %U %S'
	{ time "$@" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }; } 2>&1 |
		awk 'NF == 3 { print $1, $2 + $3; seen = 1 } NF != 3 { print > "/dev/stderr" } END { exit !seen }'
}

cd "$HERE/../../examples"
sources=$(find . -name '*.cu' | sed 's,^\./,,' | sort)
for source in $sources; do
	compile=("${OPTIONS[@]}" -c "$source" -o "$work/x.o")
	"${PLAIN[@]}" "${compile[@]}" # into the page cache
	"${OURS[@]}" "${compile[@]}"
	for ((run = 0; run < RUNS; run++)); do
		plain=$(measure "${PLAIN[@]}" "${compile[@]}")
		ours=$(measure "${OURS[@]}" "${compile[@]}")
		nvcc=$(measure "${NVCC[@]}" -c "$source" -o "$work/x.o")
		echo "$source $plain $ours $nvcc" >>"$work/times"
	done
done

awk -v json="${JSON:-/dev/null}" -v runs="$RUNS" -v options="${OPTIONS[*]}" '
function median(list, n,    i, j, t) { # of list[1..n], which it sorts
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
			t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
		}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
{
	if (!($1 in count)) order[++sources] = $1
	n = ++count[$1]
	for (i = 2; i <= 7; i++) value[$1, i, n] = $i
	value[$1, 8, n] = $4 / $2
	value[$1, 9, n] = $5 / $3
}
function of(source, column,    i, list) {
	for (i = 1; i <= count[source]; i++) list[i] = value[source, column, i]
	return median(list, count[source])
}
END {
	print "| source | clang s | ours s | elapsed ratio | clang CPU s | ours CPU s | CPU ratio | nvcc CPU s |"
	print "|---|---:|---:|---:|---:|---:|---:|---:|"
	printf "{\"runs\": %d, \"options\": \"%s\", \"sources\": [", runs, options >json
	for (s = 1; s <= sources; s++) {
		source = order[s]
		elapsed[s] = of(source, 8)
		cpu[s] = of(source, 9)
		printf "| %s | %.2f | %.2f | %.3f | %.2f | %.2f | %.3f | %.2f |\n", source, of(source, 2),
			of(source, 4), elapsed[s], of(source, 3), of(source, 5), cpu[s], of(source, 7)
		printf "%s\n {\"source\": \"%s\", \"elapsed_ratio\": %.4f, \"cpu_ratio\": %.4f}",
			(s > 1 ? "," : ""), source, elapsed[s], cpu[s] >json
	}
	e = median(elapsed, sources)
	c = median(cpu, sources)
	printf "| median | | | %.3f | | | %.3f | |\n", e, c
	printf "| greatest | | | %.3f | | | %.3f | |\n", elapsed[sources], cpu[sources] # they are sorted
	printf "],\n \"median_elapsed_ratio\": %.4f, \"median_cpu_ratio\": %.4f}\n", e, c >json
}' "$work/times"

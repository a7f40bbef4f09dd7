#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD [OUTPUT.json [SOURCE...]]
# Measures what instrumentation adds to the time of `-c`: every CUDA source of the examples, or
# each SOURCE, with cuda-trace-clang++ and with clang++ alone, same options (-O2, sm_90; FLAGS, of
# words, for all three), RUNS (5) pairs in turn, and with the toolkit's nvcc. Per source the
# median of the pairs' ratios; below, the median over the sources and the greatest. CPU time is
# user + system of all jobs; it hardly depends on what else the machine does. A source that
# clang++ does not compile is named and left out; - where nvcc does not.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,11s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd)
JSON=${2:-}
HERE=$(cd "$(dirname "$0")" && pwd)
RUNS=${RUNS:-5} ARCH=${ARCH:-sm_90}
read -ra FLAGS <<<"${FLAGS:-}"
OPTIONS=(--cuda-gpu-arch="$ARCH" -O2 "${FLAGS[@]}")
from_cache() {
	sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt"
}
clang=$(from_cache CT_CLANGXX)
cuda=$(from_cache CT_CUDA_PATH)
[ -n "$clang" ] && [ -n "$cuda" ] || { echo "bench.sh: $1 is not a build tree" >&2; exit 1; }
PLAIN=("$clang" --cuda-path="$cuda" -isystem "$cuda/include/cccl" -Wno-unknown-cuda-version
	--no-offload-new-driver)
OURS=("$BUILD/bin/cuda-trace-clang++")
NVCC=("$cuda/bin/nvcc" -arch="$ARCH" -O2 "${FLAGS[@]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure COMMAND...: "ELAPSED CPU" in seconds
measure() {
	local TIMEFORMAT='%R %U %S'
	{ time "$@" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }; } 2>&1 |
		awk 'NF == 3 { print $1, $2 + $3; seen = 1 } NF != 3 { print > "/dev/stderr" } END { exit !seen }'
}

shift $(($# < 2 ? $# : 2))
if [ $# -gt 0 ]; then
	sources=("$@")
else
	cd "$HERE/../../examples"
	mapfile -t sources < <(find . -name '*.cu' | sed 's,^\./,,' | sort)
fi

for source in "${sources[@]}"; do
	compile=("${OPTIONS[@]}" -c "$source" -o "$work/x.o")
	if ! "${PLAIN[@]}" "${compile[@]}" 2>/dev/null; then # else it is in the page cache
		echo "bench.sh: clang++ does not compile $source" >&2
		continue
	fi
	"${OURS[@]}" "${compile[@]}" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }
	theirs=yes
	"${NVCC[@]}" -c "$source" -o "$work/x.o" >/dev/null 2>&1 || theirs=
	for ((run = 0; run < RUNS; run++)); do
		plain=$(measure "${PLAIN[@]}" "${compile[@]}")
		ours=$(measure "${OURS[@]}" "${compile[@]}")
		nvcc="- -"
		[ -z "$theirs" ] || nvcc=$(measure "${NVCC[@]}" -c "$source" -o "$work/x.o")
		echo "${source// /_} $plain $ours $nvcc" >>"$work/times"
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
	value[$1, 10, n] = $7 == "-" ? "-" : $5 / $7
}
function number(format, text) {
	return text == "-" ? "-" : sprintf(format, text)
}
function of(source, column,    i, list) {
	for (i = 1; i <= count[source]; i++) list[i] = value[source, column, i]
	return median(list, count[source])
}
END {
	print "| source | clang s | ours s | elapsed ratio | clang CPU s | ours CPU s | CPU ratio | nvcc CPU s | ours over nvcc |"
	print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
	printf "{\"runs\": %d, \"options\": \"%s\", \"sources\": [", runs, options >json
	for (s = 1; s <= sources; s++) {
		source = order[s]
		elapsed[s] = of(source, 8)
		cpu[s] = of(source, 9)
		theirs = of(source, 10)
		if (theirs != "-") nvcc[++compared] = theirs
		printf "| %s | %.2f | %.2f | %.3f | %.2f | %.2f | %.3f | %s | %s |\n", source, of(source, 2),
			of(source, 4), elapsed[s], of(source, 3), of(source, 5), cpu[s],
			number("%.2f", of(source, 7)), number("%.2f", theirs)
		printf "%s\n {\"source\": \"%s\", \"elapsed_ratio\": %.4f, \"cpu_ratio\": %.4f}",
			(s > 1 ? "," : ""), source, elapsed[s], cpu[s] >json
	}
	e = median(elapsed, sources)
	c = median(cpu, sources)
	t = compared ? median(nvcc, compared) : "-"
	printf "| median of %d | | | %.3f | | | %.3f | | %s |\n", sources, e, c, number("%.2f", t)
	printf "| greatest | | | %.3f | | | %.3f | | %s |\n", elapsed[sources], cpu[sources],
		number("%.2f", compared ? nvcc[compared] : "-") # they are sorted
	printf "],\n \"median_elapsed_ratio\": %.4f, \"median_cpu_ratio\": %.4f}\n", e, c >json
}' "$work/times"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD: what tracing costs on the CPU target, for a few examples.
# Times are of the whole process, the best of three; the trace is written to a
# scratch directory.
set -eu
BUILD=$(cd "$1" && pwd)
HERE=$(cd "$(dirname "$0")" && pwd)
examples="$HERE/../../examples"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...: of the fastest of three runs
seconds() {
	for round in 1 2 3; do
		begin=$(date +%s.%N)
		"$@" >/dev/null
		end=$(date +%s.%N)
		echo "$begin $end"
	done | awk '{ t = $2 - $1; if (NR == 1 || t < best) best = t } END { print best }'
}

echo "| program | size | thread accesses | off s | traced s | M accesses/s | trace MB | B/access |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|"
while read -r name size; do
	"$BUILD/bin/cuda-trace-clang++" --ct-target=cpu -O2 "$examples/$name/$name.cu" -o "$work/$name"
	off=$(seconds env CUDATRACE=off "$work/$name" "$size")
	on=$(seconds env CUDATRACE_OUTPUT="$work/t.ctrace" "$work/$name" "$size")
	accesses=$("$BUILD/bin/ctpost" info --json "$work/t.ctrace" | "$BUILD/bin/launch-counts" |
		awk '{ sum += $3 + $6 + $9 } END { print sum }')
	bytes=$(du -sb "$work/t.ctrace" | cut -f 1)
	awk -v name="$name" -v size="$size" -v off="$off" -v on="$on" -v n="$accesses" -v b="$bytes" 'BEGIN {
		printf "| %s | %d | %d | %.3f | %.3f | %.1f | %.2f | %.3f |\n",
			name, size, n, off, on, n / on / 1e6, b / 1e6, b / n }'
done <<'END'
stencil2d 512
matmul 256
bfs 100000
nbody 2000
END

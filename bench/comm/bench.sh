#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD [RESULTS.json]: how fast `ctpost comm` is, on one core, two, and two ranks.
# For each pattern of bench_comm_trace: thread accesses per second and per core,
# the most memory that a process held, what was spilled, and the efficiency of two
# against one. Beside them, of the same run: a scan of the same trace (`ctpost
# info`), memcpy, and the naive analysis of tests/comm on a small trace.
# Environment: MATMUL, STENCIL, GATHER (accesses), NAIVE (calls), MEMORY, SCRATCH (a
# directory).
set -eu
BUILD=$(cd "$1" && pwd)
results=${2:-}
MEMORY=${MEMORY:-2G}
work=$(mktemp -d "${SCRATCH:-/tmp}/bench-comm-XXXXXX")
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none
measure=$BUILD/bench/bench_measure
ctpost=$BUILD/bin/ctpost

# measured COMMAND...: "seconds CPU-seconds KiB"; its output is in $work/out
measured() {
	if ! "$measure" "$@" >"$work/out" 2>"$work/err"; then
		cat "$work/err" >&2
		echo "bench.sh: failed: $*" >&2
		exit 1
	fi
	tail -n 1 "$work/err"
}

# row PATTERN ACCESSES WAY CORES: from the line "seconds CPU KiB" on stdin
row() {
	awk -v pattern="$1" -v n="$2" -v way="$3" -v cores="$4" -v spilled="$5" '{
		printf "%s %.0f %s %d %.3f %.3f %.1f %s\n",
			pattern, n, way, cores, $1, $2, $3 / 1024, spilled }' >>"$work/rows"
}

spilled() {
	sed -n 's/.*note: .*: \([0-9]*\) bytes did not fit.*/\1/p' "$work/err" | grep . || echo 0
}

analyse() {
	pattern=$1 wanted=$2 trace=$work/$1.ctrace
	made=$("$BUILD/bench/bench_comm_trace" "$pattern" "$wanted" "$trace")
	n=${made% *}
	measured "$ctpost" info --json "$trace" | row "$pattern" "$n" scan 1 -
	line=$(measured "$ctpost" comm --threads=1 --memory="$MEMORY" "$trace")
	echo "$line" | row "$pattern" "$n" one-thread 1 "$(spilled)"
	line=$(measured "$ctpost" comm --threads=2 --memory="$MEMORY" "$trace")
	echo "$line" | row "$pattern" "$n" two-threads 2 "$(spilled)"
	line=$(measured mpirun -n 2 "$ctpost" comm --threads=1 --memory="$MEMORY" "$trace")
	echo "$line" | row "$pattern" "$n" two-ranks 2 "$(spilled)"
	rm -rf "$trace"
}

: >"$work/rows"
copy=$("$measure" --memcpy)
analyse matmul "${MATMUL:-1000000000}"
analyse stencil "${STENCIL:-1000000000}"
analyse gather "${GATHER:-200000000}"

# The thesis' way, a map entry per address, in C: tests/comm/reference.h.
"$BUILD/bin/comm-random-trace" "$work/naive.ctrace" 1 "${NAIVE:-2000}"
"$BUILD/bin/comm-reference" --speed "$work/naive.ctrace" >"$work/naive"
read -r n seconds <"$work/naive"
measured "$BUILD/bin/comm-reference" --speed "$work/naive.ctrace" | row small "$n" naive 1 -
measured "$ctpost" comm --json --threads=1 --memory="$MEMORY" "$work/naive.ctrace" |
	row small "$n" one-thread 1 -

echo "memcpy: $(awk -v b="$copy" 'BEGIN { printf "%.1f", b / 1e9 }') GB/s; --memory=$MEMORY; $(nproc) cores"
awk '
BEGIN { printf "%-8s %-12s %9s %8s %8s %8s %9s %8s %9s %8s %6s\n", "pattern", "way", "M access", "s",
	"CPU s", "M/s", "M/s/core", "M/CPU s", "MiB/proc", "spilled", "effic." }
{
	if ($3 == "one-thread")
		one[$1] = $5
	efficiency = $4 == 2 ? sprintf("%.2f", one[$1] / $5 / 2) : ""
	printf "%-8s %-12s %9.1f %8.2f %8.2f %8.1f %9.1f %8.1f %9.0f %8s %6s\n", $1, $3, $2 / 1e6, $5, $6,
		$2 / $5 / 1e6, $2 / $5 / 1e6 / $4, $2 / $6 / 1e6, $7, $8, efficiency
}' "$work/rows"
[ -z "$results" ] || awk -v copy="$copy" -v memory="$MEMORY" '
BEGIN { printf "{\"memcpy_bytes_per_s\": %s, \"memory\": \"%s\", \"rows\": [", copy, memory }
{ printf "%s\n {\"pattern\": \"%s\", \"accesses\": %s, \"way\": \"%s\", \"cores\": %d, \"seconds\": %s, \"cpu_seconds\": %s, \"peak_mib\": %s, \"spilled_bytes\": %s}",
	(NR > 1 ? "," : ""), $1, $2, $3, $4, $5, $6, $7, ($8 == "-" ? "null" : $8) }
END { print "\n]}" }' "$work/rows" >"$results"

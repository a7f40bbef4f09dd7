#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh BUILD OLD [ACCESSES]: what commands that look at everything cost, with OLD, another
# ctpost, and with BUILD's, on the same traces, one after the other: rows of results/study.csv, with
# seconds, seconds of processor time, MiB at most. What `export` writes by default has grown; its last
# line is of the same tables, those of accesses, values and models among them.
# PATTERNS='stencil hist': of these traces alone.
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd) old=$2 accesses=${3:-4000000}
work=$(mktemp -d "${SCRATCH:-/tmp}/bench-study-XXXXXX")
trap 'rm -rf "$work"' EXIT

# measured CTPOST ARGUMENT...: "seconds processor-seconds MiB"
measured() {
	rm -rf "$work/written"
	if ! "$BUILD/bench/bench_measure" "$@" >"$work/out" 2>"$work/err"; then
		cat "$work/err" >&2
		exit 1
	fi
	tail -n 1 "$work/err" | awk '{ printf "%.2f,%.2f,%.0f", $1, $2, $3 / 1024 }'
}

# OLD read five times for these, by names that both have.
five=trace,supersteps,kernel_volumes,cta_volumes,sm_volumes,transfers,transfer_sizes,distances,strides,cta_figures,degrees,bisection,density,kernel_pairs,line_pairs,object_flows
five=$five,accesses,other_accesses,access_kernels,access_objects,access_widths,access_launches,access_heat,hot_addresses,values,model_kernels,model_changes,model_points,model_ceilings
echo "trace,command,old: s,CPU s,MiB,new: s,CPU s,MiB"
for pattern in ${PATTERNS:-stencil hist manybins values matmul}; do
	trace=$work/$pattern.ctrace
	"$BUILD/bench/bench_comm_trace" $pattern "$accesses" "$trace" >/dev/null
	for command in comm findings "report -o $work/written" "export --format=sqlite -o $work/written"; do
		before=$(measured "$old" $command "$trace")
		echo "$pattern,${command%% *},$before,$(measured "$BUILD/bin/ctpost" $command "$trace")"
	done
	tables="export --format=sqlite --tables=$five -o $work/written"
	before=$(measured "$old" $tables "$trace")
	echo "$pattern,\"export, the same tables\",$before,$(measured "$BUILD/bin/ctpost" $tables "$trace")"
done

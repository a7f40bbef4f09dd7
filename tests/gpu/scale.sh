#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale.sh BUNDLE RESULTS
# Two devices: what ctpost comm --scale predicts from a trace and times of one device, with links
# that ctrun calibrate measures, beside what the examples written for several devices take.
# Needs jq. Writes RESULTS/scale.md. Nothing is judged.
# Exit 0: written; 1: a program failed; 77: fewer than two devices.
set -eu
[ $# -eq 2 ] || { sed -n '3,8s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$BUNDLE/bin:$PATH"
devices=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || devices=
[ "$(echo "$devices" | grep -c .)" -ge 2 ] || {
	echo "scale.sh: fewer than two devices: left out" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() {
	echo "$1" | tee -a "$RESULTS/scale.md"
}

# took DEVICES PROGRAM SIZE [STEPS]: the least of five times, in seconds, as the program tells it
took() {
	count=$1 program=$2 size=$3
	shift 3
	for _ in 1 2 3 4 5; do
		CUDATRACE=off timeout 60 "$BUNDLE/programs/$program" "$size" "$count" "$@" 2>"$work/reported" \
			>"$work/said" || { cat "$work/said" "$work/reported" >&2; exit 1; }
		sed -n 's/.* in \([0-9.]*\) s$/\1/p' "$work/reported"
	done | sort -g | head -n 1
}

# compare PROGRAM SIZE FIGURE [STEPS]: FIGURE of jq, of what the program measures: one device's, two's
compare() {
	program=$1 size=$2 figure=$3
	shift 3
	rm -rf "$work"/*.ctrace
	ctrun -o "$work/run.ctrace" -- "$BUNDLE/programs/$program" "$size" 1 "$@" >"$work/log" 2>&1 &&
		ctrun --calls=only -o "$work/times.ctrace" -- "$BUNDLE/programs/$program" "$size" 1 "$@" \
			>>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	ctpost comm --scale=2 --times="$work/times.ctrace" --machine="$work/machine.json" --json \
		"$work/run.ctrace" >"$work/comm.json"
	predicted=$(jq -r ".scaling_totals[0] as \$one | .scaling[] | select(.is_best) | $figure" "$work/comm.json")
	one=$(took 1 "$program" "$size" "$@")
	two=$(took 2 "$program" "$size" "$@")
	row "$(awk -v name="$program $size $*" -v one="$one" -v two="$two" -v predicted="$predicted" 'BEGIN {
		printf "| %s | %.6f | %.6f | %.2f | %.2f | %+.0f %% |", name, one, two, one / two, predicted,
			100 * (one / two > 0 ? (1 / predicted) / (two / one) - 1 : 0) }')"
}

: >"$RESULTS/scale.md"
timeout 60 ctrun calibrate -o "$work/machine.json" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
cp "$work/machine.json" "$RESULTS/machine.json"
row "$(date -u +%F), $(echo "$devices" | paste -sd';')"
row ""
row "| program, size, steps | one device, s | two, s | speed-up | predicted | time, predicted by measured |"
row "|---|---:|---:|---:|---:|---:|"
# Steps alone are timed: kernels and what crosses between them, without the host's copies.
for run in "1024 41" "2048 21" "4096 6"; do
	compare stencil2d-devices ${run% *} \
		'([$one.kernels_seconds, $one.host_seconds] | max) / ([.kernels_seconds + .exchange_seconds, .host_seconds] | max)' ${run#* }
done
# All of it is timed, copies too: each device is sent all of the right matrix.
for size in 512 1024; do
	compare matmul-devices $size '$one.total_seconds / .replicated_seconds'
done

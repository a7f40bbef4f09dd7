#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# multi.sh BUNDLE RESULTS
# The programs of multi/ on this machine's GPUs, each with a ring of 64M and of 8K
# (two chunks): two devices in one process (left out where there is one), several
# processes, ranks; then launches per second by 1, 4 and 16 host threads. Needs jq.
# Writes RESULTS/multi.md and logs.
# Exit 0: all passed or were left out; 1: not; 77: no device.
set -eu
[ $# -eq 2 ] || { sed -n '3,8s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$BUNDLE/bin:$PATH"
failed=0

devices=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || {
	echo "multi.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() {
	echo "$1" | tee -a "$RESULTS/multi.md"
}

: >"$RESULTS/multi.md"
row "$(date -u +%F), $(echo "$devices" | paste -sd';')"
row ""
row "| case | ring | result |"
row "|---|---|---|"
for ring in 64M 8K; do
	for case in devices devices-ptds processes ranks; do
		log="$RESULTS/$case-$ring.log" status=0
		"$BUNDLE/run-multi.sh" "$BUNDLE/bin" "$BUNDLE/e2e" "$BUNDLE/programs" $ring "$work/run" $case \
			>"$log" 2>&1 || status=$?
		case $status in
		0) row "| $case | $ring | passed |" ;;
		77) row "| $case | $ring | left out: $(tail -n 1 "$log") |" ;;
		*)
			failed=$((failed + 1))
			row "| $case | $ring | **failed**: $(grep -m 1 FAILED "$log" || tail -n 1 "$log") |"
			;;
		esac
	done
done
# rate HOST_THREADS VARIABLE=VALUE...: launches per second
rate() {
	threads=$1
	shift
	env "$@" CUDATRACE_OUTPUT="$work/rate.ctrace" timeout 120 "$BUNDLE/programs/rate" "$threads" 32000 \
		2>>"$RESULTS/rate.log" | sed -n "s|^launches/s ||p"
	rm -rf "$work/rate.ctrace"
}

row ""
row "| host threads | tracing off: launches/s | no kernel selected | all traced |"
row "|---:|---:|---:|---:|"
for threads in 1 4 16; do
	row "| $threads | $(rate $threads CUDATRACE=off) | $(rate $threads CUDATRACE_KERNELS=none) | $(rate $threads CUDATRACE=on) |"
done
row ""
row "$failed failed"
[ $failed -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hang.sh BUNDLE RESULTS [LAUNCHES [SANITIZED]]
# The programs of hang/ on this machine's GPU, each with a ring of 64M and of 8K
# (two chunks): LAUNCHES (2000) back to back of divergent, cooperative, persistent
# and oversubscribed, a tenth of the others, then SANITIZED (2; 0: none) under
# compute-sanitizer's memcheck and racecheck. An untraced and a traced run may
# each take LIMIT seconds (60). Writes RESULTS/hang.md and logs.
# Exit 0: all ended, with nothing lost; 1: not; 77: no device.
set -eu
[ $# -ge 2 ] || { sed -n '3,9s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
LAUNCHES=${3:-2000} SANITIZED=${4:-2}
BIN="$BUNDLE/bin" E2E="$BUNDLE/e2e"
export LIMIT="${LIMIT:-60}"
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$PATH:/usr/local/cuda/bin"
main="divergent cooperative persistent oversubscribed"
others="stream-k clusters streams threads graphs ptx-exit"
failed=0

device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || {
	echo "hang.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() {
	echo "$1" | tee -a "$RESULTS/hang.md"
}

# repeat PROGRAM LAUNCHES RING [HOW]: one row
repeat() {
	log="$RESULTS/$1${4:+-$4}-$3.log"
	if "$BUNDLE/run-hang.sh" "$BIN" "$E2E" "$BUNDLE/programs/hang-$1" "$2" "$3" "$work/run" ${4:-} \
		>"$log" 2>&1; then
		row "| $1 ${4:-} | $2 | $3 | $(sed -n 's/^native \(.*\) traced \(.*\)/\1 | \2 | passed/p' "$log") |"
	else
		failed=$((failed + 1))
		row "| $1 ${4:-} | $2 | $3 | | | **failed**: $(grep -m 1 FAILED "$log" || tail -n 1 "$log") |"
	fi
	rm -rf "$work/run"
}

# sanitize PROGRAM RING TOOL: one row; what the tool finds is kept. Warnings are the reader's to judge:
# racecheck does not know the lock within a warp.
sanitize() {
	log="$RESULTS/$1-$2-$3.log" status=0
	CUDATRACE_OUTPUT="$work/run.ctrace" CUDATRACE_RING="$2" timeout -k 5 "$((2 * LIMIT))" \
		compute-sanitizer --tool "$3" --error-exitcode 9 --print-limit 20 \
		"$BUNDLE/programs/hang-$1" "$SANITIZED" >"$log" 2>&1 || status=$?
	summary=$(sed -n 's/^=*  *\(.* SUMMARY:.*\)/\1/p' "$log" | tail -n 1)
	case "$status $summary" in
	"0 "* | "9 "*"(0 errors, "*) ;;
	*) failed=$((failed + 1)) ;;
	esac
	case $status in
	0 | 9) ;;
	124 | 137) summary="**did not end within $((2 * LIMIT)) s** $summary" ;;
	*) summary="**exit status $status** $summary" ;;
	esac
	row "| $1 | $SANITIZED | $2 | $3 | ${summary:-no summary} |"
	rm -rf "$work/run.ctrace"
}

: >"$RESULTS/hang.md"
row "$(date -u +%F), $device"
row ""
row "| program | launches | ring | native s | traced s | result |"
row "|---|---:|---|---:|---:|---|"
for ring in 64M 8K; do
	for program in $main; do
		repeat "$program" "$LAUNCHES" $ring
	done
	for program in $others; do
		repeat "$program" $((LAUNCHES / 10 + 1)) $ring
	done
	for how in trap assert fault; do
		repeat failing 5 $ring $how
	done
done
repeat divergent $((LAUNCHES / 10 + 1)) 8K drop
if [ "$SANITIZED" -gt 0 ] && command -v compute-sanitizer >/dev/null; then
	row ""
	row "| program | launches | ring | tool | result |"
	row "|---|---:|---|---|---|"
	for tool in memcheck racecheck; do
		for program in $main $others; do
			sanitize "$program" 8K $tool
		done
		sanitize divergent 64M $tool
	done
elif [ "$SANITIZED" -gt 0 ]; then
	row "compute-sanitizer is not on this machine; its part is left out"
fi
row ""
row "$failed failed"
[ $failed -eq 0 ]

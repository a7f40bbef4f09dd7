#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# matrix.sh BUNDLE RESULTS [OPTION...]
# Is nothing lost, whatever the ring and the consumers are like? Runs trace-cost
# of BUNDLE (bench.sh) with the OPTIONs for: the default ring and one of two
# chunks; consumers at full speed and such that take 20 us longer per chunk; 1
# and 14 consumers; launches in one stream and spread over 4. ctpost verify
# compares every trace with the formulas. One line per case; exit status 1 if
# one is not sound. RESULTS/matrix-*.txt have what each said.
set -eu
[ $# -ge 2 ] || { sed -n '3,9s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
shift 2
LIMIT=${LIMIT:-120}
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# run_case RING DELAY-NS CONSUMERS STREAMS OPTION...
run_case() {
	case="ring=$1 delay=$2 consumers=$3 streams=$4" file="$RESULTS/matrix-$1-$2-$3-$4.txt"
	export CUDATRACE_RING="$1" CUDATRACE_TEST_CONSUMER_DELAY_NS="$2" CUDATRACE_CONSUMERS="$3"
	set -- --streams="$4" "$@"
	streams=$1
	shift 5
	status=0
	timeout -k 5 "$LIMIT" "$BUNDLE/bin/trace-cost" --only-verify "$streams" \
		--output="$work/traces" --verify="$BUNDLE/bin/ctpost" "$@" >"$file" 2>&1 || status=$?
	sound=$(grep -c '^sound: ' "$file" || true)
	accesses=$(sed -n 's/^sound: .* compared (\(.*\) accesses).*/\1/p' "$file" | tr -d ' ' |
		awk '{ sum += $1 } END { printf "%.0f", sum }')
	verdict=sound
	if [ $status -ne 0 ]; then
		verdict="NOT SOUND (status $status, $file)"
		failures=$((failures + 1))
	fi
	echo "$case: $verdict, $sound traces, $accesses accesses compared"
	[ $status -eq 0 ] || grep -v '^sound: \|^ *|' "$file" | head -n 8
}

for ring in 64M 8K; do
	for delay in 0 20000; do
		for consumers in 1 14; do
			for streams in 1 4; do
				run_case $ring $delay $consumers $streams "$@"
			done
		done
	done
done
[ $failures -eq 0 ]

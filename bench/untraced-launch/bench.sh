#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUNDLE RESULTS [ROUNDS]
# Does an instrumented binary run its untraced launches at native speed? Runs in
# turn, ROUNDS times: the program as clang alone compiled it (plain), ours with
# CUDATRACE=off (off), and ours with tracing on but only launch 1 selected, so
# that all measured launches are untraced ones beside it (unselected). Prints
# medians over the rounds in RESULTS/untraced-launch.md.
set -eu
BUNDLE=$(cd "$1" && pwd) ROUNDS=${3:-11}
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for round in $(seq "$ROUNDS"); do
	timeout 120 "$BUNDLE/plain/untraced-launch" | sed 's/^/plain /' >>"$work/all"
	CUDATRACE=off timeout 120 "$BUNDLE/programs/untraced-launch" | sed 's/^/off /' >>"$work/all"
	CUDATRACE_LAUNCHES=1 CUDATRACE_OUTPUT="$work/run.ctrace" timeout 120 \
		"$BUNDLE/programs/untraced-launch" | sed 's/^/unselected /' >>"$work/all"
done
{
	echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $ROUNDS rounds, medians in µs"
	echo
	echo "| kernel | plain | off | unselected | off / plain | unselected / plain | launch call: plain | off | unselected |"
	echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
	sort -k1,1 -k2,2 -k3,3n "$work/all" | awk '
	{ n[$1 $2]++; device[$1 $2, n[$1 $2]] = $3; kernels[$2] = 1 }
	END { for (key in n) print "device", key, device[key, int((n[key] + 1) / 2)] }' >"$work/medians"
	sort -k1,1 -k2,2 -k4,4n "$work/all" | awk '
	{ n[$1 $2]++; host[$1 $2, n[$1 $2]] = $4 }
	END { for (key in n) print "host", key, host[key, int((n[key] + 1) / 2)] }' >>"$work/medians"
	awk '
	{ value[$1 $2] = $3 }
	END {
		count = split("tiny stream stencil matmul", kernel, " ")
		for (i = 1; i <= count; i++) {
			k = kernel[i]
			p = value["deviceplain" k]; o = value["deviceoff" k]
			u = value["deviceunselected" k]
			printf "| %s | %.2f | %.2f | %.2f | %.3f | %.3f | %.2f | %.2f | %.2f |\n",
				k, p, o, u, o / p, u / p, value["hostplain" k],
				value["hostoff" k], value["hostunselected" k]
		}
	}' "$work/medians"
} | tee "$RESULTS/untraced-launch.md"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUNDLE RESULTS [OPTION...]
# Runs trace-cost of BUNDLE (bundle.sh; or a folder whose bin/ has it) with the
# OPTIONs and puts table, JSON and what the machine is in RESULTS.
set -eu
[ $# -ge 2 ] || { sed -n '3,5s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
shift 2
LIMIT=${LIMIT:-300}
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	date -u +%F
	nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no GPU"
	nproc
} >"$RESULTS/machine.txt"
timeout -k 5 "$LIMIT" "$BUNDLE/bin/trace-cost" --output="$work/traces" \
	--json="$RESULTS/trace-cost.json" --verify="$BUNDLE/bin/ctpost" "$@" | tee "$RESULTS/trace-cost.txt"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUNDLE RESULTS [OPTION...]
# Runs trace-cost of BUNDLE (bundle.sh; or a folder whose bin/ has it) with the
# OPTIONs and puts table, JSON and what the machine is in RESULTS. With VALUES=1
# in the environment also three shapes with their values recorded. With
# SANITIZER=1 also the tracer on the Sanitizer API, if the toolkit has it.
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
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
# run NAME OPTION...: its table and JSON
run() {
	name=$1
	shift
	timeout -k 5 "$LIMIT" "$BUNDLE/bin/$name" --output="$work/traces" \
		--json="$RESULTS/$name.json" --verify="$BUNDLE/bin/ctpost" "$@" \
		>"$RESULTS/$name.txt" 2>"$RESULTS/$name.err" || status=1
	cat "$RESULTS/$name.txt"
	grep -v "^sound: " "$RESULTS/$name.err" >&2 || true
}

status=0
if [ "${SANITIZER:-}" = 1 ]; then
	"$BUNDLE/sanitizer/sanitizer.sh" "$work/sanitizer" && set -- --sanitizer="$work/sanitizer" "$@"
fi
run trace-cost "$@"
if [ "${VALUES:-}" = 1 ]; then
	echo "with values:"
	run trace-cost-values "$@" --shapes=stream,stencil,gather
fi
exit $status

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD: thread accesses that `ctpost access` takes in a second of processor time by one
# thread, for shapes of bench_comm_trace, with reuse distances, and with little memory; and the most
# memory that it held. Environment: ACCESSES, MEMORY, LITTLE (memory), SCRATCH (a directory), SHAPES.
set -eu
BUILD=$(cd "$1" && pwd)
MEMORY=${MEMORY:-2G} LITTLE=${LITTLE:-64M}
work=$(mktemp -d "${SCRATCH:-/tmp}/bench-access-XXXXXX")
trap 'rm -rf "$work"' EXIT

# rate ACCESSES OPTION...: million accesses a second of processor time, which others beside us do not
# stretch as they do the clock's
rate() {
	count=$1
	shift
	"$BUILD/bench/bench_measure" "$BUILD/bin/ctpost" access --json --threads=1 "$@" \
		"$work/$shape.ctrace" >"$work/out" 2>"$work/err" || {
		cat "$work/err" >&2
		exit 1
	}
	tail -n 1 "$work/err" | awk -v n="$count" '{ printf "  %8.1f (%4.0f MiB)", n / $2 / 1e6, $3 / 1024 }'
}

echo "shape     accesses    MB on disk   --memory=$MEMORY       $LITTLE           --reuse [M accesses per processor second]"
for shape in ${SHAPES:-stream stencil matmul rowsum columnsum hist manybins divergent gather scatter chase}; do
	n=$("$BUILD/bench/bench_comm_trace" "$shape" "${ACCESSES:-100000000}" "$work/$shape.ctrace")
	printf '%-9s %-11s %8s' "$shape" "${n% *}" "$(du -sm "$work/$shape.ctrace" | cut -f1)"
	n=${n% *}
	rate "$n" --memory="$MEMORY"
	rate "$n" --memory="$LITTLE"
	rate "$n" --memory="$MEMORY" --reuse
	echo
	rm -rf "$work/$shape.ctrace"
done

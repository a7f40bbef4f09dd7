#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# chapter6-test.sh BUILD WORK: chapter6.sh on the CPU target; of programs whose messages
# follow a formula, every byte that another CTA or kernel reads.
set -eu
HERE=$(dirname "$0") WORK=$2
rm -rf "$WORK"
mkdir -p "$WORK"
"$HERE/chapter6.sh" build "$1" "$WORK/cpu" cpu
"$WORK/cpu/chapter6.sh" run "$WORK/cpu" "$WORK/results" stencil2d hs2d hist nbody path
tar -C "$WORK/results" -xzf "$WORK/results/results.tar.gz"

# exchanged NAME BYTES LAUNCHES: LAUNCHES between a store and the farthest such load
exchanged() {
	got=$(jq .comm_totals[0].exchanged_store_bytes "$WORK/results/$1.comm.json")
	[ "$got" = "$2" ] || {
		echo "FAILED: $1 exchanges $got bytes, not $2" >&2
		exit 1
	}
	got=$(awk '$1 == "distance" && $2 > most { most = $2 } END { print most + 0 }' \
		"$WORK/results/$1.exchanged.txt")
	[ "$got" = "$3" ] || {
		echo "FAILED: $1 has distance $got, not $3" >&2
		exit 1
	}
}

# Cells in rows and columns that face another block, in all launches but the last. Those
# on the edge of stencil2d's chip read no neighbours.
exchanged stencil2d $((9 * 4 * (2 * 62 * 510 - 62 * 62))) 0
# two columns on either side of 42 borders
exchanged hs2d $((4 * 4 * (2 * 168 * 512 - 168 * 168))) 0
exchanged hist $((4370 * 64 * 4)) 0
# forces of 5 steps go to integrate, positions of 4 to force; 16 bytes a body
exchanged nbody $((512 * 16 * (5 + 4))) 0
# 20 columns on either side of 462 borders
exchanged path $((4 * 4 * 2 * 20 * 462)) 0

# One command has put them side by side: every figure has points of each program, and the page
# a panel for each.
for figure in volume fraction transfer-size degree bisection bisection-share stride density \
	superstep-volume distance out-degree; do
	for name in stencil2d hs2d hist nbody path; do
		grep -q "^[0-9]*,$figure,$name," "$WORK/results/comparison.csv" || {
			echo "FAILED: no points of $name in $figure" >&2
			exit 1
		}
	done
done
panels=$(grep -c '<svg' "$WORK/results/comparison.html")
[ "$panels" = $((11 * 5)) ] || {
	echo "FAILED: $panels panels instead of 11 for each of 5 programs" >&2
	exit 1
}

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUNDLE RESULTS [ROUNDS]
# Measures what the CTA clock costs a kernel: runs cta-clock in turn, ROUNDS times (5), with
# CUDATRACE=off (the pristine kernels) and with --tier=clock, and prints per kernel the medians
# over all launches of both, the ratio, and the worst ratio of a round's medians, in
# RESULTS/cta-clock.md
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd) ROUNDS=${3:-5}
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for round in $(seq "$ROUNDS"); do
	CUDATRACE=off timeout 60 "$BUNDLE/programs/cta-clock" | sed "s/^/$round off /" >>"$work/all"
	CUDATRACE_CALLS=off timeout 60 "$BUNDLE/bin/ctrun" --tier=clock -o "$work/$round.ctrace" \
		"$BUNDLE/programs/cta-clock" 2>"$work/$round.err" | sed "s/^/$round clock /" >>"$work/all"
done
{
	echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $ROUNDS rounds, µs"
	echo
	echo "| kernel | pristine | with the clock | price | worst round |"
	echo "|---|---:|---:|---:|---:|"
	sort -k3,3 -k2,2 -k1,1n -k4,4n "$work/all" | awk '
	function median(list, n) { return list[int((n + 1) / 2)] }
	{
		key = $3 " " $2
		of_round[key, $1, ++count[key, $1]] = $4
		rounds = $1 > rounds ? $1 : rounds
	}
	!($3 in seen) { seen[$3]; order[++kernels] = $3 }
	END {
		for (k = 1; k <= kernels; k++) {
			name = order[k]; worst = -100
			for (r = 1; r <= rounds; r++) {
				off[r] = of_round[name " off", r, int((count[name " off", r] + 1) / 2)]
				on[r] = of_round[name " clock", r, int((count[name " clock", r] + 1) / 2)]
				price[r] = 100 * (on[r] / off[r] - 1)
				if (price[r] > worst) worst = price[r]
			}
			for (i = 1; i <= rounds; i++)
				for (j = i + 1; j <= rounds; j++) {
					if (off[j] < off[i]) { t = off[i]; off[i] = off[j]; off[j] = t }
					if (on[j] < on[i]) { t = on[i]; on[i] = on[j]; on[j] = t }
					if (price[j] < price[i]) { t = price[i]; price[i] = price[j]; price[j] = t }
				}
			printf "| %s | %.1f | %.1f | %+.2f %% | %+.2f %% |\n", name, median(off, rounds),
				median(on, rounds), median(price, rounds), worst
		}
	}'
	ctas=$("$BUNDLE/bin/ctpost" dump --tables=cta "$work/1.ctrace" | wc -l)
	bytes=$(du -sb "$work/1.ctrace" | cut -f1)
	echo
	echo "$ctas CTAs in $bytes bytes; $(cat "$work/1.err")"
} | tee "$RESULTS/cta-clock.md"

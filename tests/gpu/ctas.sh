#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ctas.sh BUNDLE RESULTS
# The CTA clock on a GPU: a row for each CTA of each launch, alone and beside accesses, within the
# time that CUPTI says its kernel ran, as far as the clocks agree; programs print what they print
# untraced. Writes RESULTS/ctas.md.
# Exit 0: all as it should be; 1: not; 77: no device.
set -eu
[ $# -eq 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
nvidia-smi >/dev/null 2>&1 || {
	echo "ctas.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
status=0
{
	echo "| program | launches | CTAs | |"
	echo "|---|---:|---:|---|"
	for program in "$BUNDLE"/programs/ctas*; do
		name=$(basename "$program")
		result=ok
		"$BUNDLE/e2e/run-ctas.sh" "$BUNDLE/bin" "$program" "$RESULTS/$name" \
			>"$RESULTS/$name.log" 2>&1 || { result="**fails**" status=1; }
		awk -v name="$name" -v result="$result" '{ launches++; ctas += $NF }
			END { printf "| %s | %d | %d | %s |\n", name, launches, ctas, result }' \
			"$RESULTS/$name/clock.ctas"
		[ "$result" = ok ] || tail -n 20 "$RESULTS/$name.log" >&2
	done
	echo "$status" >"$RESULTS/ctas.status"
} | tee "$RESULTS/ctas.md"
exit "$(cat "$RESULTS/ctas.status")"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cost.sh CTRUN ROUNDS 'PROGRAM [ARGUMENT...]'...
# Measures what all stages of `ctrun ffm` cost: in each round every program runs without tracing
# (CUDATRACE=off), then under ctrun ffm, its analysis included. Prints seconds of both (medians),
# the median and the worst of the ratios within the rounds, and what was found: problems, and what
# all of them fixed together would save, by Figure 5.1 and by replay, as % of the run. UNDER:
# words before each program, as in truth.sh. Needs jq.
set -eu
. "$(dirname "$0")/../seconds.sh"
[ $# -ge 3 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
ctrun=$1 rounds=$2
shift 2
ctpost=$(dirname "$ctrun")/ctpost
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {
	: >"$work/off"
	: >"$work/all"
	for round in $(seq "$rounds"); do
		rm -rf "$work/study"
		seconds env CUDATRACE=off "$@" >>"$work/off" && seconds "$ctrun" ffm -o "$work/study" -- "$@" >>"$work/all" || {
			echo "| $(basename "$1") | fails: $(tail -n 1 "$work/err") | | | | | | |"
			return
		}
	done
	paste "$work/off" "$work/all" | awk '{ printf "%.4f\n", $2 / $1 }' >"$work/ratio"
	"$ctpost" ffm --json "$work/study" >"$work/json" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	[ -z "${KEEP:-}" ] || cp "$work/json" "$KEEP/$(basename "$1").json"
	jq -r '"\(.needless_calls | length) | \(.ffm_totals[0] | .bound_seconds / .run_seconds * 1000 | round / 10) | \(.ffm_totals[0] | .replay_seconds / .run_seconds * 1000 | round / 10) |"' "$work/json" >"$work/found"
	echo "| $(basename "$1") | $(median <"$work/off") | $(median <"$work/all") | $(median <"$work/ratio") | $(sort -g "$work/ratio" | tail -n 1) | $(cat "$work/found")"
}

echo "| program | plain, s | all stages, s | ratio | worst | problems | 5.1, % | replay, % |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|"
for program; do
	measure $program # its words
done

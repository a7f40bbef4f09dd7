#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh CTRUN ROUNDS 'PROGRAM [ARGUMENT...]'...
# Measures what `ctrun --calls=only` costs whole programs that were built by cuda-trace: in each
# round every program runs without tracing (CUDATRACE=off) and with it, in turn. Prints seconds of
# both (medians), the median and the worst of the ratios within the rounds, and how many calls
# were recorded.
set -eu
. "$(dirname "$0")/../seconds.sh"
[ $# -ge 3 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
ctrun=$1 rounds=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {
	: >"$work/off"
	: >"$work/only"
	timed env CUDATRACE=off "$@" >/dev/null
	for round in $(seq "$rounds"); do
		timed env CUDATRACE=off "$@" >>"$work/off"
		rm -rf "$work/trace"
		timed "$ctrun" --calls=only -o "$work/trace" -- "$@" >>"$work/only"
	done
	calls=$("$(dirname "$ctrun")/ctpost" calls "$work/trace" | sed -n '1s/ calls* in .*//p' | tr -d ' ')
	paste "$work/off" "$work/only" | awk '{ printf "%.4f\n", $2 / $1 }' >"$work/ratio"
	echo "| $(basename "$1") | $calls | $(median <"$work/off") | $(median <"$work/only") | $(median <"$work/ratio") | $(sort -g "$work/ratio" | tail -n 1) |"
}

echo "| program | calls | CUDATRACE=off, s | --calls=only, s | ratio | worst |"
echo "|---|---:|---:|---:|---:|---:|"
for program; do
	measure $program # its words
done

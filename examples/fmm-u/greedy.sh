#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# greedy.sh FMM-U CTRUN CTPOST [SIZE [OPTION...]]
# Greedy design of experiments (seed 004, section 3.4): at each stage every optimisation that is left
# is tried on top of those that were kept, and the one that is predicted to be the fastest is kept, as
# long as one is faster: at most l (l + 1) / 2 runs for l optimisations, in place of 2^l.
# FMM-U: fmm-u, compiled by cuda-trace-clang++ with --ct-events=block,barrier
# --ct-spaces=global,shared. OPTIONs are those of ctpost model, as --machine=FILE.
# Prints a line for each run, and what was kept.
set -eu
[ $# -ge 3 ] || { sed -n '3,10s/^# //p' "$0" >&2; exit 2; }
program=$1 ctrun=$2 ctpost=$3 size=${4:-3}
shift 3
[ $# -eq 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# predict VARIANT OPTION...: seconds, and what bounds it
predict() {
	variant=$1
	shift
	"$ctrun" -o "$work/trace" -- "$program" "$size" "$variant" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	"$ctpost" model --rank --json "$@" "$work/trace" >"$work/json"
	rm -r "$work/trace"
	jq -r '.model_ranking[0] | "\(.predicted_seconds) \(.bound)"' "$work/json"
}

kept=none
best=$(predict none "$@")
echo "none: $best"
left="shmem pref ujam soa rsqrt"
while [ -n "$left" ]; do
	winner=
	for one in $left; do
		next=$one
		[ "$kept" = none ] || next=$kept,$one
		reported=$(predict "$next" "$@")
		echo "$next: $reported"
		if awk -v a="${reported%% *}" -v b="${best%% *}" 'BEGIN { exit !(a < b) }'; then
			best=$reported winner=$one
		fi
	done
	[ -n "$winner" ] || break
	[ "$kept" = none ] && kept=$winner || kept=$kept,$winner
	left=$(echo "$left" | tr ' ' '\n' | grep -vx "$winner" | tr '\n' ' ')
	left=${left% }
done
echo "kept: $kept (${best%% *} s, bound by ${best#* })"

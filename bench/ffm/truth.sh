#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# truth.sh CTRUN PROGRAMS ROUNDS cpu|gpu [NAME...]
# Compares what ctpost ffm expects of programs whose problems are fixed beside them with what that
# saves: each program is studied once by ctrun ffm; then in each round it and its fixed version
# run without tracing, in turn. Prints seconds: of the run, what fixing all problems is expected
# to save, by Figure 5.1 and by replay, and what it saves: the difference of the medians, and the
# least and the largest of the rounds. "off by" is the expectation over that, less one. PROGRAMS:
# as build.sh makes them. UNDER: words before each program, as "chrt -f 1" where others use the
# machine. Needs jq.
set -eu
. "$(dirname "$0")/../seconds.sh"
[ $# -ge 4 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
ctrun=$1 programs=$2 rounds=$3 target=$4
shift 4
UNDER=${UNDER:-}
ctpost=$(dirname "$ctrun")/ctpost
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compare NAME ARGUMENT
compare() {
	: >"$work/before"
	: >"$work/after"
	rm -rf "$work/study"
	$UNDER "$ctrun" ffm -o "$work/study" -- "$programs/$1" "$2" >"$work/out" 2>"$work/err" ||
		{ cat "$work/err" >&2; exit 1; }
	"$ctpost" ffm --json "$work/study" >"$work/json" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	for round in $(seq "$rounds"); do
		timed env CUDATRACE=off "$programs/$1" "$2" >>"$work/before"
		cp "$work/out" "$work/said"
		timed env CUDATRACE=off "$programs/$1-fixed" "$2" >>"$work/after"
		sed "s/^$1-fixed:/$1:/" "$work/out" | cmp -s - "$work/said" || { echo "$1: the fixed one says something else" >&2; exit 1; }
	done
	paste "$work/before" "$work/after" | awk '{ printf "%.4f\n", $1 - $2 }' | sort -g >"$work/saved"
	jq -r '"\(.ffm_totals[0] | "\(.bound_seconds) \(.replay_seconds)") \(.needless_calls | length)"' "$work/json" |
		awk -v name="$1" -v before="$(median <"$work/before")" -v after="$(median <"$work/after")" \
			-v least="$(head -n 1 "$work/saved")" -v most="$(tail -n 1 "$work/saved")" '{
			saved = before - after
			printf "| %s | %.3f | %d | %.3f | %.3f | %.3f | %.3f to %.3f | %+.0f %% | %+.0f %% |\n", name, before,
				$3, $1, $2, saved, least, most, ($1 / saved - 1) * 100, ($2 / saved - 1) * 100
		}'
}

echo "| program | run, s | problems | by Figure 5.1 | by replay | saved | in rounds | 5.1 off by | replay off by |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
grep -v '^#' "$programs/programs.txt" >"$work/programs"
while read -r name _ _ cpu _ gpu; do
	case " ${*:-$name} " in
	*" $name "*) eval "compare \"\$name\" \"\$$target\"" </dev/null ;;
	esac
done <"$work/programs"

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# suite-run.sh SUITE RESULTS [NAME...]
# Do programs that others wrote print and write the same when they are traced?
#
#   SUITE/programs      lines NAME|ARGUMENTS|ENVIRONMENT|FILTER; all but NAME may be
#                       empty. ENVIRONMENT: assignments for the traced run; FILTER: a
#                       sed -E script, for output that is never the same twice
#   SUITE/plain/NAME    built by clang alone (absent: SUITE/traced/NAME, untraced)
#   SUITE/traced/NAME   built by the wrapper
#   SUITE/data/NAME/    copied to the directory that each run starts in
#   SUITE/bin, SUITE/lib  ctpost and its libraries
#
# JOBS (4) programs at a time, LIMIT (60) seconds each, none started after TOTAL (480)
# seconds; a trace of 1 GB or CUDATRACE_LIMIT ends there. A line that differs between
# two plain runs is not compared. Writes RESULTS/suite.md, one row per program:
# identical, **differs**, **traced failed**, or plain fails here; and beside it
# NAME.info.json (what ctpost says of the trace), and outputs that differ.
# Exit 0: nothing in bold.
set -u
[ $# -ge 2 ] || { sed -n '3,21s/^# \{0,1\}//p' "$0" >&2; exit 2; }
SUITE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
SELF=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
LIMIT=${LIMIT:-60} JOBS=${JOBS:-4}
DEADLINE=${DEADLINE:-$(($(date +%s) + ${TOTAL:-480}))}
export CUDATRACE_LIMIT=${CUDATRACE_LIMIT:-1G}
export LIMIT DEADLINE LD_LIBRARY_PATH="$SUITE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
shift 2

# Times, rates and addresses that programs print.
TIMINGS='s/[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)? *((m|u|n|micro|milli|nano)?(s|sec|secs|second|seconds)\b|\(?[mun]?s(ec)?\)?|[KMGT]?(i?B|Flops?|FLOPS?|flop|Elements|samples|options|pixels|vertices|numbers)\/s\w*)/T/g
s/((time|TIME|Time|elapsed|Elapsed|[Tt]hroughput|Bandwidth|bandwidth|GB\/s|GFlops?|speed|took)[^0-9]*)[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?.*/\1T/g
s/0x[0-9a-f]{6,}/0xADDRESS/g'

# once KIND PROGRAM: runs it in work/KIND with a copy of its data; output in KIND.out
once() {
	local kind=$1 program=$2
	shift 2
	mkdir "$work/$kind"
	[ -d "$SUITE/data/$name" ] && cp -r "$SUITE/data/$name/." "$work/$kind"
	local status=0
	(cd "$work/$kind" && eval "exec env $* timeout -k 5 $LIMIT '$program' $arguments") \
		>"$work/$kind.raw" 2>"$work/$kind.err" </dev/null || status=$?
	sed "s,$work/$kind,DIRECTORY,g; s,$program,PROGRAM,g" "$work/$kind.raw" |
		sed -E "$TIMINGS" | sed -E "$filter" >"$work/$kind.out"
	return $status
}

# same A B: outputs but for lines in which the plain runs differ, and files written
same() {
	if [ -f "$work/plain2.out" ] && [ "$(wc -l <"$work/plain.out")" = "$(wc -l <"$work/plain2.out")" ]; then
		paste -d '\n' "$work/plain.out" "$work/plain2.out" |
			awk 'NR % 2 { line = $0; next } $0 != line { print NR / 2 }' >"$work/varying"
		for run in "$1" "$2"; do
			awk 'FNR == NR { skip[$1] = 1; next } !(FNR in skip)' "$work/varying" "$work/$run.out" >"$work/$run.cmp"
			[ -s "$work/varying" ] || cp "$work/$run.out" "$work/$run.cmp"
		done
	else
		cp "$work/$1.out" "$work/$1.cmp"
		cp "$work/$2.out" "$work/$2.cmp"
	fi
	cmp -s "$work/$1.cmp" "$work/$2.cmp" && diff -rq "$work/$1" "$work/$2" >"$work/files.diff" 2>&1
}

# Sets result; note says more.
compare() {
	local plain=$SUITE/plain/$name off= status=0 expected=0
	[ -x "$plain" ] || plain=$SUITE/traced/$name off=CUDATRACE=off
	once plain "$plain" "$off" || expected=$?
	if [ $expected -ge 124 ] && [ $expected -lt 192 ]; then # a time limit, not found, a signal
		result="plain fails here" note="exit status $expected"
		return
	fi
	once traced "$SUITE/traced/$name" CUDATRACE=on CUDATRACE_OUTPUT="'$work/trace'" \
		"$environment" || status=$?
	if [ $status -ne $expected ]; then
		result="**traced failed**" note="exit status $status, plain $expected: $(tail -n 1 "$work/traced.err" | tr '|' ' ')"
		return
	fi
	result=identical
	[ $expected -eq 0 ] || note="exit status $expected in both"
	same plain traced && return
	once plain2 "$plain" "$off"
	same plain traced && return
	if [ ! -s "$work/files.diff" ] && ! cmp -s "$work/plain.out" "$work/plain2.out"; then
		result="differs, as plain runs do"
	elif [ -s "$work/files.diff" ] && ! diff -rq "$work/plain" "$work/plain2" >/dev/null; then
		result="differs, as plain runs do"
	else
		result="**differs**"
	fi
	note=$(diff "$work/plain.cmp" "$work/traced.cmp" | grep -m 1 '^>' | cut -c 1-80 | tr '|' ' ')
}

one() {
	IFS='|' read -r name arguments environment filter < <(grep -F -m 1 "$1|" "$SUITE/programs")
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	result="not run" note="out of time"
	if [ "$(date +%s)" -lt "$DEADLINE" ]; then
		note=
		compare
	fi
	local counts='| | | |' json=$RESULTS/${name//\//-}.info.json
	if [ -d "$work/trace" ]; then
		timeout -k 5 "$LIMIT" "$SUITE/bin/ctpost" info --json "$work/trace" >"$json" 2>"$work/info.err"
		counts=$(tr -d '\n ' <"$json" | awk '
			function field(text, key) {
				# The manifest is a text, in which quotes have a backslash.
				if (!match(text, "\"" key "\\\\?\":[a-z0-9]+"))
					return "?"
				text = substr(text, RSTART, RLENGTH)
				return substr(text, index(text, ":") + 1)
			}
			{ printf "| %s | %s | %s |", field($0, "traced_launches"), field($0, "record_bytes"), field($0, "complete") }')
	fi
	case $result in
	*\**) tail -n 40 "$work/traced.err" >"$RESULTS/${name//\//-}.err"
		diff "$work/plain.out" "$work/traced.out" 2>&1 | head -n 60 >"$RESULTS/${name//\//-}.diff" ;;
	esac
	echo "| $name | $result $counts $note |" | tee "$RESULTS/${name//\//-}.row"
}

if [ "${SUITE_ONE:-}" ]; then
	one "$SUITE_ONE"
	exit
fi
rm -f "$RESULTS"/*.row
{ [ $# -gt 0 ] && printf '%s\n' "$@" || grep -v '^#' "$SUITE/programs" | cut -d '|' -f 1; } |
	xargs -P "$JOBS" -I{} env SUITE_ONE={} "$SELF" "$SUITE" "$RESULTS"
{
	echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no GPU")"
	echo
	echo "| program | result | launches traced | bytes of records | complete | |"
	echo "|---|---|---:|---:|---|---|"
	cat "$RESULTS"/*.row
} >"$RESULTS/suite.md"
rm -f "$RESULTS"/*.row
awk -F "|" 'NR > 4 { n[$3 ~ /[*]/ ? "bad" : $3 ~ /fails here/ ? "here" : $3 ~ /not run/ ? "late" : "good"]++ }
	END { printf "%d of %d as plain, %d not, %d whose plain build fails here, %d not run\n",
		n["good"], n["good"] + n["bad"], n["bad"], n["here"], n["late"]; exit n["bad"] > 0 }' "$RESULTS/suite.md"

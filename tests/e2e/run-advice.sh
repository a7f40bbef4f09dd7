#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-advice.sh BIN PROGRAM WORK SOURCE
# Compares what ctpost findings says of each case of a program with the marks in its source: those
# that are there, and none else of the findings that the source is judged on (advice/cases.h).
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"
command -v jq >/dev/null || exit 77

sed -n 's|^// judged: ||p' "$SOURCE" | tr '\n' ',' | sed 's/, */\n/g' | sed '/^$/d' >"$WORK/judged"
[ -s "$WORK/judged" ] || fail "$SOURCE is judged on nothing"
sed -n 's|^// case \([a-z0-9_]*\)$|\1|p' "$SOURCE" >"$WORK/cases"
[ -s "$WORK/cases" ] || fail "$SOURCE has no case"

# marks CASE: "finding at line" or "finding of name", then a tabulator and the words
marks() {
	awk -v case="$1" '
		FNR == NR { judged[$0]; next }
		/^\/\/ case / { within = $3 == case; next }
		within && match($0, /\/\/ has /) {
			mark = substr($0, RSTART + RLENGTH)
			words = ""
			if (split_at = index(mark, ": ")) {
				words = substr(mark, split_at + 2)
				mark = substr(mark, 1, split_at - 1)
			}
			print (mark ~ / of [^ ]+$/ && !(mark in judged) ? mark : mark " at " FNR) "\t" words
		}' "$WORK/judged" "$SOURCE" | sort
}

# found CASE: the same of what there is, with all that it says
found() {
	jq -r --rawfile judged "$WORK/judged" '($judged | split("\n")) as $names |
		.findings[] | select(.finding as $finding | $names | index($finding)) |
		(if .lines[0] then " at \(.lines[0].line)" else " of \(.objects[0].name // .kernels[0].kernel)" end) as $where |
		"\(.finding)\($where)\t\(.text) \(.evidence // "") \(.fix // "")"' "$WORK/$1.json" | sort
}

while read -r case; do
	traced_well "$case" "$PROGRAM" "$case"
	timeout "$LIMIT" "$BIN/ctpost" findings --races --json "$WORK/$case.ctrace" >"$WORK/$case.json" ||
		fail "$case: ctpost findings fails"
	rm -rf "$WORK/$case.ctrace"
	marks "$case" >"$WORK/$case.marks"
	found "$case" >"$WORK/$case.found"
	cut -f 1 "$WORK/$case.marks" >"$WORK/marked"
	cut -f 1 "$WORK/$case.found" | diff "$WORK/marked" - >&2 ||
		fail "$case: other findings (< marked, > found): $(cat "$WORK/$case.found")"
	while IFS='	' read -r mark words; do
		[ ! "$words" ] || grep -F "$mark	" "$WORK/$case.found" | grep -qF -- "$words" ||
			fail "$case: $mark does not say '$words': $(grep -F "$mark	" "$WORK/$case.found")"
	done <"$WORK/$case.marks"
done <"$WORK/cases"

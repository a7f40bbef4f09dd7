#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-value-shapes.sh BIN PROGRAM WORK SOURCE
# Checks what ctpost values says of the runs of PROGRAM whose names stand in comments of SOURCE,
# "// NAME: CONDITION": one condition per line, in the words of jq; and of lines with "// expect
# LOADS" how many accesses there are and how many of them are redundant.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

words='def patterns: .patterns // "" | split(", ");
def has($pattern): [.value_objects[] | select(patterns | index($pattern)) | .object] | sort | join(" ");
def one(names; $from; key): . as $all | names as $name | $all[$from][] | select(key == $name);
def sum($operation): .value_sums[] | select(.operation == $operation);
def without($pattern): .value_peaks[] | select(.pattern == $pattern) | .peak_bytes;
def fix($name): .findings[] | select(.objects[0].name == $name and .finding == "redundant-loads") | .fix;
def life(names): one(names; "value_lifetimes"; .name); def pattern(names): one(names; "value_objects"; .object) | patterns[0]; '
sed -n 's,^// \([a-z-]*\): .*,\1,p' "$SOURCE" | sort -u >"$WORK/names"
[ "$(wc -l <"$WORK/names")" -ge 6 ] || fail "$SOURCE says little"
: >"$WORK/found.new"
while read -r name; do
	traced_well "$name" env CUDATRACE_CONTENTS=on "$PROGRAM" "$name"
	"$BIN/ctpost" values --json "$WORK/$name.ctrace" >"$WORK/values" || fail "ctpost values fails"
	sed -n "s,^// $name: ,,p" "$SOURCE" >"$WORK/conditions"
	while read -r condition; do
		jq -e "$words $condition" "$WORK/values" >"$WORK/log" 2>&1 ||
			fail "$name: not $condition: $(cat "$WORK/log"; jq -c '.value_objects, .value_lifetimes, .value_transfers, .value_contexts' "$WORK/values")"
	done <"$WORK/conditions"
	jq -r '.value_lines[] | "\(.line) \(.operation) \(.accesses) \(.redundant)"' "$WORK/values" >>"$WORK/found.new"
	rm -rf "$WORK/$name.ctrace"
done <"$WORK/names"
mv "$WORK/found.new" "$WORK/found"
grep -n '// expect ' "$SOURCE" | sed 's/^\([0-9]*\):.*expect \(.*\)$/\1 \2/' >"$WORK/expected"
[ -s "$WORK/expected" ] || fail "$SOURCE expects nothing"
while read -r line; do
	grep -qx "$line" "$WORK/found" || fail "line $line: $(cat "$WORK/found")"
done <"$WORK/expected"

# Where calls are not recorded, it is not known who has called.
traced_well apart env CUDATRACE_CALLS=off "$PROGRAM" callers
"$BIN/ctpost" values --json "$WORK/apart.ctrace" >"$WORK/values" || fail "ctpost values fails"
jq -e '[.value_contexts[] | [.called_from, .launches, .unchanged_launches]] == [[null, 5, 3]]' "$WORK/values" >"$WORK/log" ||
	fail "without calls: $(jq -c .value_contexts "$WORK/values")"
rm -rf "$WORK/apart.ctrace"

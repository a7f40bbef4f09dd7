#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-value-contents.sh BIN PROGRAM WORK
# ctpost dump --values of a program that was compiled with --ct-values and says what it moves, in
# lines "expect KERNEL OPERATION VALUE,...", of all its records of these operations; of fetches with
# " at IMAGE COORDINATES" behind. And what is redundant: of sites, their elements, in lines "redundant
# KERNEL OPERATION ELEMENTS REDUNDANT". If it says "content HEX", ctpost diff tells a run with
# OTHER_WORD by it, and another one without it is equal.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
is_complete traced
sed -n 's/^expect //p' "$WORK/native.out" | sort >"$WORK/expected"
[ -s "$WORK/expected" ] || fail "$PROGRAM expects nothing"
"$BIN/ctpost" dump --values --events --format=jsonl "$WORK/traced.ctrace" >"$WORK/dump" || fail "ctpost dump fails"
jq -r --rawfile expected "$WORK/expected" '($expected | split("\n") | map(split(" ")[:2])) as $wanted |
	[.kernel, .operation] as $own | select($wanted | index([$own])) |
	"\(.kernel) \(.operation) \(.value // [] | map(tostring) | join(","))" +
	if .coordinates then " at \(.images | unique | join(",")) \(.coordinates)" else "" end' "$WORK/dump" | sort >"$WORK/found"
cmp "$WORK/expected" "$WORK/found" >"$WORK/log" 2>&1 ||
	fail "not as expected, $(cat "$WORK/log"): $(diff "$WORK/expected" "$WORK/found" | cut -c1-3000)"
for format in text csv; do
	"$BIN/ctpost" dump --values --lanes --format=$format "$WORK/traced.ctrace" >"$WORK/lanes" || fail "ctpost dump fails"
	grep -v ' at ' "$WORK/expected" >"$WORK/accesses" || continue
	cut -d' ' -f3 "$WORK/accesses" | tr ',' '\n' | sort -u >"$WORK/values"
	grep -oFf "$WORK/values" "$WORK/lanes" | sort -u | cmp -s - "$WORK/values" || fail "$format: a value is missing"
done
sed -n 's/^redundant //p' "$WORK/native.out" | sort >"$WORK/expected"
if [ -s "$WORK/expected" ]; then
	"$BIN/ctpost" values --json "$WORK/traced.ctrace" >"$WORK/values" || fail "ctpost values fails"
	jq -r '.value_lines[] | select(.operation | test("^(copy|matrix)_")) | "\(.kernel) \(.operation) \(.accesses) \(.redundant)"' \
		"$WORK/values" | sort >"$WORK/found"
	cmp "$WORK/expected" "$WORK/found" >"$WORK/log" 2>&1 ||
		fail "not redundant as expected: $(diff "$WORK/expected" "$WORK/found")"
fi
# Tier values has of each line with accesses values, or says why not.
CUDATRACE_TIER=values traced_well tier "$PROGRAM"
"$BIN/ctpost" values --json "$WORK/tier.ctrace" >"$WORK/values" || fail "ctpost values fails"
sed -n 's/^expect \([^ ]* [^ ]*\) .*/\1/p' "$WORK/native.out" | sort -u >"$WORK/expected"
jq -r '(.value_summaries | map({kernel, operation})), (.value_gaps | map(select(.times > 0 and .line and (.reason | length > 0)) |
	{kernel: .function, operation})) | .[] | "\(.kernel) \(.operation)"' "$WORK/values" | sort -u | comm -23 "$WORK/expected" - >"$WORK/missing"
[ ! -s "$WORK/missing" ] || fail "neither values nor why not: $(cat "$WORK/missing")"
jq -e 'def lines: map([.kernel // .function, .line, .operation]);
	(.value_gaps | lines) - (.value_summaries | lines) == (.value_gaps | lines) and .value_gaps != []' "$WORK/values" >"$WORK/log" ||
	fail "has values, and says why not: $(jq -c '.value_gaps[]' "$WORK/values")"
"$BIN/ctpost" values --rows=all "$WORK/tier.ctrace" >"$WORK/text" || fail "ctpost values fails"
jq -r '.value_gaps[] | "\(.line) \(.operation)"' "$WORK/values" | while read -r line operation; do
	grep -q ":$line:[0-9]*  .*  $operation  .*[a-z]$" "$WORK/text" || fail "the text has no line $line"
done
rm -rf "$WORK/tier.ctrace"
if grep -q '^content ' "$WORK/native.out"; then
	traced_well again "$PROGRAM"
	"$BIN/ctpost" diff --values "$WORK/traced.ctrace" "$WORK/again.ctrace" >"$WORK/log" || fail "not equal: $(cat "$WORK/log")"
	traced_well other env OTHER_WORD=1 "$PROGRAM"
	"$BIN/ctpost" diff --values "$WORK/traced.ctrace" "$WORK/other.ctrace" >"$WORK/log" && fail "equal: $(cat "$WORK/log")"
	for run in native other; do
		content=$(sed -n 's/^content //p' "$WORK/$run.out")
		grep -q "copy_bulk_load content from byte 400 on $content at" "$WORK/log" || fail "$run's $content: $(cat "$WORK/log")"
	done
	rm -rf "$WORK/again.ctrace" "$WORK/other.ctrace"
fi
rm -rf "$WORK/traced.ctrace"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-value-truths.sh BIN PROGRAM WORK SOURCE
# ctpost values of a program that was compiled with --ct-values, beside what SOURCE says behind its
# lines: accesses and how many are redundant, and the patterns of objects.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
"$BIN/ctpost" values --json "$WORK/traced.ctrace" >"$WORK/values" || fail "ctpost values fails"

grep -n '// expect ' "$SOURCE" | sed 's/^\([0-9]*\):.*expect \(.*\)$/\1 \2/' | sort >"$WORK/expected"
[ -s "$WORK/expected" ] || fail "$SOURCE expects nothing"
jq -r '.sites[] | "\(.line) \(.operation) \(.accesses) \(.redundant)"' "$WORK/values" | sort >"$WORK/found"
comm -23 "$WORK/expected" "$WORK/found" >"$WORK/missing"
[ ! -s "$WORK/missing" ] || fail "not found: $(tr '\n' ';' <"$WORK/missing") found: $(tr '\n' ';' <"$WORK/found")"

# Of memsets, in their order, bytes that were there already.
sed -n 's/.*cudaMemset(.*\/\/ same: //p' "$SOURCE" | tr '\n' ' ' >"$WORK/set"
jq -r '.transfers[] | select(.kind == "set") | .same_bytes' "$WORK/values" | tr '\n' ' ' >"$WORK/found"
cmp -s "$WORK/set" "$WORK/found" || fail "memsets: $(cat "$WORK/found"), not $(cat "$WORK/set")"
jq -e '[.contexts[] | select(.kernel | startswith("clear")) | .launches == 1 and .unchanged_launches == 1] == [true]' \
	"$WORK/values" >"$WORK/log" || fail "clear changes nothing: $(jq -c .contexts "$WORK/values")"

sed -n 's/.*cudaMalloc(&\([a-z]*\),.*\/\/ \(has\|not\): \(.*\)/\1 \2 \3/p' "$SOURCE" >"$WORK/patterns"
[ -s "$WORK/patterns" ] || fail "$SOURCE says nothing of patterns"
while read -r object word pattern; do
	has=$(jq --arg object "$object" --arg pattern "$pattern" '[.objects[] | select(.name == $object) |
		.patterns | index($pattern) != null] | any' "$WORK/values")
	[ "$has" = "$([ "$word" = has ] && echo true || echo false)" ] ||
		fail "$object $word '$pattern': $(jq -c --arg object "$object" '.values[] | select(.object == $object)' "$WORK/values")"
done <"$WORK/patterns"

# What one kernel stores or loads is not said of an array that has other values, and what is not a
# number comes first.
jq -c '[.findings[] | select(.object == "mask" or .object == "grown" or .object == "nans") |
	select(.kernel != null) | [.object, .pattern, (.fix | split(" ")[0:2] | join(" "))]] | sort' "$WORK/values" >"$WORK/found"
echo '[["mask","single value","Use the"],["nans","not a number","Find out"]]' >"$WORK/advised"
cmp -s "$WORK/advised" "$WORK/found" || fail "advice: $(cat "$WORK/found")"
[ "$(jq -r '.findings[0].pattern' "$WORK/values")" = "not a number" ] || fail "first: $(jq -c '.findings[0]' "$WORK/values")"

jq -e '[.findings[] | select(.object == "scattered" and .pattern == "heavy type") | .evidence |
	startswith("Of each sector that is requested 4.0 bytes are used")] == [true]' "$WORK/values" >"$WORK/log" ||
	fail "scattered: $(jq -c '.findings[] | select(.object == "scattered")' "$WORK/values")"

# A launch that leaves memory as it was; of half of its CTAs nobody knows that.
kept='[.contexts[] | select(.kernel | startswith("keep")) | [.launches, .unchanged_launches]]'
[ "$(jq -c "$kept" "$WORK/values")" = "[[1,1]]" ] || fail "keep changes nothing: $(jq -c .contexts "$WORK/values")"
traced_well half env CUDATRACE_SAMPLE_BLOCKS=2 "$PROGRAM"
"$BIN/ctpost" values --json "$WORK/half.ctrace" >"$WORK/values" 2>"$WORK/log" || fail "ctpost values fails: $(cat "$WORK/log")"
[ "$(jq -c "$kept" "$WORK/values")" = "[[1,0]]" ] || fail "half of keep: $(jq -c .contexts "$WORK/values")"
rm -rf "$WORK/traced.ctrace" "$WORK/half.ctrace"

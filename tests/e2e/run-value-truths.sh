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
jq -r '.value_lines[] | "\(.line) \(.operation) \(.accesses) \(.redundant)"' "$WORK/values" | sort >"$WORK/found"
comm -23 "$WORK/expected" "$WORK/found" >"$WORK/missing"
[ ! -s "$WORK/missing" ] || fail "not found: $(tr '\n' ';' <"$WORK/missing") found: $(tr '\n' ';' <"$WORK/found")"

# Lists for memsets, in their order, bytes that were there already.
sed -n 's/.*cudaMemset(.*\/\/ same: //p' "$SOURCE" | tr '\n' ' ' >"$WORK/set"
jq -r '.value_transfers[] | select(.kind == "set") | .same_bytes' "$WORK/values" | tr '\n' ' ' >"$WORK/found"
cmp -s "$WORK/set" "$WORK/found" || fail "memsets: $(cat "$WORK/found"), not $(cat "$WORK/set")"
jq -e '[.value_contexts[] | select(.kernel | startswith("clear")) | .launches == 1 and .unchanged_launches == 1] == [true]' \
	"$WORK/values" >"$WORK/log" || fail "clear changes nothing: $(jq -c .value_contexts "$WORK/values")"

sed -n 's/.*cudaMalloc(&\([a-z]*\),.*\/\/ \(has\|not\): \([a-z ]*\).*/\1 \2 \3/p' "$SOURCE" >"$WORK/patterns"
[ -s "$WORK/patterns" ] || fail "$SOURCE says nothing of patterns"
while read -r object word pattern; do
	has=$(jq --arg object "$object" --arg pattern "$pattern" '[.value_objects[] | select(.object == $object) |
		.patterns // "" | split(", ") | index($pattern) != null] | any' "$WORK/values")
	[ "$has" = "$([ "$word" = has ] && echo true || echo false)" ] ||
		fail "$object $word '$pattern': $(jq -c --arg object "$object" '.value_sets[] | select(.object == $object)' "$WORK/values")"
done <"$WORK/patterns"

sed -n 's/.*cudaMalloc(&\([a-z]*\),.*\/\/ .*holds: \(.*\)/\1 \2/p' "$SOURCE" | sort >"$WORK/expected"
[ -s "$WORK/expected" ] || fail "$SOURCE says nothing of values"
jq -r '.value_sets[] | select(.operation == "load") |
	"\(.object) \(.accesses) \(.distinct_values) \(.spatial) \(.fits // "" | gsub(","; ""))"' "$WORK/values" |
	sed 's/ $//' | sort >"$WORK/found"
comm -23 "$WORK/expected" "$WORK/found" >"$WORK/missing"
[ ! -s "$WORK/missing" ] || fail "values other than $(tr '\n' ';' <"$WORK/missing") found: $(cat "$WORK/found")"
jq -e '[.value_sets[] | select(.object == "both") | [.operation, .accesses, .spatial]] == [["store", 4, 0]]' \
	"$WORK/values" >"$WORK/log" || fail "sums of vectors: $(jq -c '.value_sets[] | select(.object == "both")' "$WORK/values")"

# 1 + i / 10000 with ever fewer bits of the mantissa: 23, 20, 15, 11, 7, 3
for level in 0 1 2 3 4 5; do
	"$BIN/ctpost" values --json --precision=$level "$WORK/traced.ctrace" >"$WORK/levels" || fail "level $level fails"
	jq -r '.value_sets[] | select(.object == "levels") | .distinct_values' "$WORK/levels"
done | tr '\n' ' ' >"$WORK/found"
[ "$(cat "$WORK/found")" = "500 500 500 103 7 1 " ] || fail "values by level: $(cat "$WORK/found")"

# One value, if few bits count. Zeros save nothing where nothing else is loaded for them.
jq -c '[.findings[] | select(.finding == "common-value" or .finding == "approximate") |
	[.objects[0].name, .finding, .figure, .worth, (.text | split(" ")[-6:] | join(" "))]] | sort' "$WORK/values" >"$WORK/found"
cat >"$WORK/advised" <<-'END'
	[["levels","approximate",1,2000,"from levels are 1 at --precision=5."]]
END
cmp -s "$WORK/advised" "$WORK/found" || fail "advice: $(cat "$WORK/found")"
alike=$(jq -c '[.value_sets[] | select(.alike_at) | [.object, .alike_at]]' "$WORK/values")
[ "$alike" = '[["levels",5]]' ] || fail "alike: $alike"

# Patterns of what one kernel stores or loads are not reported for an array that has other values,
# nor those of what kernels compute there element by element; what is not a number comes first.
jq -c '[.findings[] | select(.objects[0].name | IN("mask", "grown", "nans")) |
	select(.kernels != []) | [.objects[0].name, .finding, (.fix | split(" ")[0:2] | join(" "))]] | sort' "$WORK/values" >"$WORK/found"
echo '[["nans","not-a-number","Find out"]]' >"$WORK/advised"
cmp -s "$WORK/advised" "$WORK/found" || fail "advice: $(cat "$WORK/found")"
[ "$(jq -r '.findings[0].finding' "$WORK/values")" = "not-a-number" ] || fail "first: $(jq -c '.findings[0]' "$WORK/values")"

# Volatile accesses are there for other threads: what they find again is counted, and nothing is reported
# to keep it.
jq -e '([.value_lines[] | select(.kernel | test("^(reads|same)")) | .redundant] | add) == 2 * 288 and
	[.findings[] | select(.finding == "redundant-loads" or (.finding | endswith("-stores")))] == []' \
	"$WORK/values" >"$WORK/log" || fail "advice on volatile accesses: $(jq -c '.findings[] | [.finding, .kernels, .lines]' "$WORK/values")"

# Elements in sectors of their own take as many of them, however narrow they are; no advice is worth
# more than what is moved, and each is given once for an object.
jq -e '[.findings[] | select(.objects[0].name == "scattered" and .finding == "heavy-type")] == []' "$WORK/values" >"$WORK/log" ||
	fail "scattered: $(jq -c '.findings[] | select(.objects[0].name == "scattered")' "$WORK/values")"
jq -e '[.findings[] | select(.objects != [] and .lines != []) | [.objects, .finding, .lines[0].line]] | length == (unique | length)' \
	"$WORK/values" >"$WORK/log" || fail "advice is given twice: $(jq -c '.findings[] | [.objects, .finding, .lines]' "$WORK/values")"

# A launch that leaves memory as it was; of half of its CTAs that is not known.
kept='[.value_contexts[] | select(.kernel | startswith("keep")) | [.launches, .unchanged_launches]]'
[ "$(jq -c "$kept" "$WORK/values")" = "[[1,1]]" ] || fail "keep changes nothing: $(jq -c .value_contexts "$WORK/values")"
traced_well half env CUDATRACE_SAMPLE_BLOCKS=2 "$PROGRAM"
"$BIN/ctpost" values --json "$WORK/half.ctrace" >"$WORK/values" 2>"$WORK/log" || fail "ctpost values fails: $(cat "$WORK/log")"
[ "$(jq -c "$kept" "$WORK/values")" = "[[1,0]]" ] || fail "half of keep: $(jq -c .value_contexts "$WORK/values")"
jq -r '.findings[] | select(.objects[0].name == "even" and .finding == "single-zero") | .evidence' "$WORK/values" >"$WORK/found"
grep -q '^In all of the 20 thread blocks that are recorded: of all 40 of these launches at most 15 % .*; of 32 other launches the trace does not have all; even has ' "$WORK/found" ||
	fail "half of the zeros: $(cat "$WORK/found")"
# No bound is known of zeros in the launches that are recorded in part: what is reported is
# conditional.
jq -e '[.findings[] | select(.objects[0].name == "zeros" and .finding == "single-zero") | .evidence |
	startswith("Of the accesses that are recorded: of 34 launches the trace does not have all")] == [true]' \
	"$WORK/values" >"$WORK/log" || fail "half of zeros: $(jq -c '[.findings[] | select(.objects[0].name == "zeros")]' "$WORK/values")"
# There are 16 and 640 loads more of keep and flat than are recorded.
jq -e '.value_sums[0] | .spatial_least < .spatial_most and (.spatial_least - .spatial / .accesses | fabs) < 1e-6 and
	(.spatial_most - 1 + (.accesses - .spatial) / (.accesses + 656) | fabs) < 1e-6' "$WORK/values" >"$WORK/log" ||
	fail "values of half: $(jq -c .value_sums "$WORK/values")"
rm -rf "$WORK/traced.ctrace" "$WORK/half.ctrace"

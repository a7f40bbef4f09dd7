#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-summary.sh BIN PROGRAM WORK [SOURCE]
# A program, compiled with values and free of races, prints in tier values what it prints in a full
# trace, and the figures of the tier are those that ctpost values has of the full trace; where
# SOURCE says "// load: CONDITION", or store or atomic, behind a line, that holds of the line's
# summary.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=${4:-}
HERE=$(dirname "$0")
. "$HERE/lib.sh"
PATH=$BIN:$PATH
mkdir -p "$WORK"

traced_well full "$PROGRAM"
CUDATRACE_TIER=values traced_well tier "$PROGRAM"
same_output full tier
for trace in full tier; do
	run "$trace-values" "$BIN/ctpost" values --json "$WORK/$trace.ctrace" || fail "ctpost values fails"
	mv "$WORK/$trace-values.out" "$WORK/$trace.json"
done

checked=0
if [ -n "$SOURCE" ]; then
	grep -n '// \(load\|store\|atomic\): ' "$SOURCE" |
		sed 's/^\([0-9]*\):.*\/\/ \(load\|store\|atomic\): \(.*\)/\1|\2|\3/' >"$WORK/expected"
	while IFS='|' read -r line operation condition; do
		jq -c --argjson line "$line" --arg operation "$operation" \
			'.value_summaries[] | select(.line == $line and .operation == $operation)' "$WORK/tier.json" >"$WORK/line"
		[ "$(wc -l <"$WORK/line")" = 1 ] || fail "line $line: not one summary of a $operation: $(cat "$WORK/line")"
		jq -e "$condition" "$WORK/line" >"$WORK/log" || fail "line $line: not $condition: $(cat "$WORK/line")"
		checked=$((checked + 1))
	done <"$WORK/expected"
	[ "$checked" -ge 15 ] || fail "$SOURCE says little"
fi

# Sites by line: elements of both; what stores found is what the full trace knows to be redundant,
# and at most what it does not know besides. Sets of one object: elements, zeros, patterns that the
# tier can know, numbers of values as near as three standard errors.
jq -n -r --slurpfile full "$WORK/full.json" --slurpfile tier "$WORK/tier.json" '
	def lines(values): values | map(select(.operation | test("^(load|store|atomic)")))
		| group_by([.kernel, .line, .operation])
		| map({key: "\(.[0].kernel) \(.[0].line) \(.[0].operation)",
			value: {accesses: (map(.accesses) | add), least: (map(.redundant - .agreed) | add),
				most: (map(.redundant + .unknown) | add), found: (map(.found) | add)}}) | from_entries;
	def sets(values): values | map(select(.object != null)
		| {key: "\(.kernel) \(.object) \(.operation) \(.type)", value: .}) | from_entries;
	def known(patterns): (patterns // "" | split(", ")) - ["structured", "frequent value", "common value"] | sort;
	lines($full[0].value_lines) as $a | lines($tier[0].value_lines) as $b |
	sets($full[0].value_sets) as $x | sets($tier[0].value_sets) as $y |
	(if ($a | keys) != ($b | keys) then "lines: \($a | keys) \($b | keys)" else empty end),
	($a | keys[] | select($a[.].accesses != $b[.].accesses or ((. | endswith("store")) and
		($b[.].found < $a[.].least or $b[.].found > $a[.].most))) | "\(.): \($a[.]) \($b[.])"),
	(if any($y | keys[]; $x[.].accesses == $y[.].accesses) | not then "no set of one object is in both" else empty end),
	($y | keys[] | select($x[.].accesses == $y[.].accesses) | select($x[.].zeros != $y[.].zeros or
		known($x[.].patterns) != known($y[.].patterns) or $x[.].alike_at != $y[.].alike_at or
		($x[.].distinct_values - $y[.].distinct_values | fabs) > ([1, 0.25 * $x[.].distinct_values] | max)) |
		"\(.): \($x[.]) \($y[.])")' >"$WORK/differences"
[ ! -s "$WORK/differences" ] || fail "tier values and the full trace differ: $(cat "$WORK/differences")"

if [ -n "$SOURCE" ]; then
	for trace in full tier; do
		jq -e '[.findings[] | select(.finding == "approximate") | .text] ==
			["All 512 elements loaded from near are 1 at --precision=3."]' "$WORK/$trace.json" >"$WORK/log" ||
			fail "$trace: approximate: $(jq -c '.findings[] | select(.finding == "approximate")' "$WORK/$trace.json")"
	done
fi

run text "$BIN/ctpost" values --rows=all "$WORK/tier.ctrace" || fail "ctpost values cannot write text"
grep -q "^tier values: " "$WORK/text.out" || fail "ctpost values does not name the tier"
grep -q "^Lines, summarised" "$WORK/text.out" || fail "ctpost values shows no lines"
run tables "$BIN/ctpost" export --format=json --tables=values --output="$WORK/tables.json" "$WORK/tier.ctrace" ||
	fail "ctpost export cannot write tables"
jq -n -e --slurpfile values "$WORK/tier.json" --slurpfile tables "$WORK/tables.json" '
	$values[0].value_summaries as $a | ($a | length) > 3 and $a == $tables[0].value_summaries' >"$WORK/log" ||
	fail "the table says otherwise: $(jq -c .value_summaries "$WORK/tables.json")"
rm -f "$WORK/tables.json"
run info "$BIN/ctpost" info "$WORK/tier.ctrace" || fail "ctpost info cannot read tier values"
grep -q "^tier values: " "$WORK/info.out" || fail "ctpost info does not name the tier"
echo "$(jq '.value_summaries | length' "$WORK/tier.json") figures: lines; $checked conditions by hand"
rm -rf "$WORK/full.ctrace" "$WORK/tier.ctrace"

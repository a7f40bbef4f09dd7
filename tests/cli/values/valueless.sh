# SPDX-License-Identifier: Apache-2.0
# values of a trace of tier values that has not all values (tests/unit/trace/trace_valueless.h):
# what it has none of and why, in JSON and in the table; levels of precision; figures of a sample
# that has no addresses; several tiers.
. "$CT_CLI/shared/ctpost.sh"
make_trace valueless

status 0 ctpost values --json valueless.ctrace
jq -r '.value_gaps[] | [if .is_kernel then .function else "\(.function): a function" end, .file, .line, .operation, .times, .reason] |
	map(tostring) | join("|")' out >found
cat >expected <<'END'
site(float*)|parts.cu|6|copy_async|2|a range or tile: its values are in full traces
site(float*)|parts.cu|7|texture_load|1|a texture or surface: its values are in full traces
site(float*)|parts.cu|8|store|1|a reason
site(float*)|parts.cu|null|store|1|no value that the compiler could name
called(): a function|parts.cu|15|surface_store|1|a texture or surface: its values are in full traces
plain(float*)|plain.cu|4|load|1|compiled without --ct-values
site(float*)|null|null|launch|2|kernel not selected
site(float*)|null|null|launch|1|kernel not instrumented
END
diff -u expected found || fail "without values"
jq -e '.value_sums[0].spatial == 62 and all(.value_sums[]; .estimated_share == null and .share_error == null and
	.spatial_least == null and .spatial_most == null)' out >log || fail "estimates: $(jq -c .value_sums out)"
grep -q ' 1 launches are of tier counts,' err || fail "no word of the other tier: $(cat err)"
! grep -q 'of tier values' err || fail "tier values is missing here: $(cat err)"

status 0 ctpost values --rows=all valueless.ctrace
sed -n '/^Without values/,/^$/p' out >table
golden valueless table
status 0 ctpost values --json --launches=3 valueless.ctrace
jq -e '.value_gaps | map([.function, .line, .operation]) == [["plain(float*)", 4, "load"]]' out >log ||
	fail "launches that were not chosen: $(jq -c .value_gaps out)"

# 1 and 1.0001 are one number at level 3, of which less precise runs than that know already.
for levels in '0 3' '2 3' '3 4' '4 5' '5 null'; do
	status 0 ctpost values --json --precision="${levels% *}" valueless.ctrace
	[ "$(jq '.value_sets[].alike_at' out)" = "${levels#* }" ] || fail "--precision=$levels: $(jq -c .value_sets out)"
done

# Launches of tier counts and of tier values each count.
status 1 ctpost access valueless.ctrace
for tier in '1 launches are of tier counts' '2 launches are of tier values'; do
	grep -q "warning: valueless.ctrace: $tier, which has no addresses" err || fail "not $tier: $(cat err)"
done
status 1 ctpost comm valueless.ctrace
one_line 'see ctpost info and ctpost values, and ctpost export --tables=trace,values'
status 0 ctpost export --format=csv -o tables valueless.ctrace
[ "$(wc -l <tables/value_summaries.csv)" = 2 ] || fail "no table of values: $(ls tables)"

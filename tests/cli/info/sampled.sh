# SPDX-License-Identifier: Apache-2.0
# Sampling, regions, tiers and losses: info, comm, report, export, dump of a trace that has all of them.
. "$CT_CLI/shared/ctpost.sh"
cp -r "$CT_CLI/../golden/v3-sampled.ctrace" sampled.ctrace

ctpost info sampled.ctrace | without_sizes >out
golden sampled-info out
ctpost info --json sampled.ctrace >json
jq -e '.trace_totals[0] | [.is_sampled, .sampled_launches, .sampled_from_launches, .recorded_ctas, .ctas, .lost_chunks, .stored_chunks] ==
	[true, 1, 2, 2, 10, 3, 3]' json >/dev/null || fail "sampling in JSON: $(jq -c .trace_totals json)"
jq -e '[.regions[].region] == ["solve/step", "solve", "(outside)"]' json >/dev/null || fail "regions in JSON"
jq -e '[.launches[] | .recorded_ctas] == [2, 0, 10, 10]' json >/dev/null || fail "recorded CTAs"
jq -e '[.launches[] | .lost_chunks] == [0, 0, 0, 3]' json >/dev/null || fail "lost chunks"
jq -e '[.estimates[] | select(.kernel == null)] | map(.class) == ["load", "store", "atomic", "all"] and
	.[0].is_error_known == false and .[0].estimated_accesses > 0' json >/dev/null ||
	fail "estimates"
# A single launch is not a sample of others.
ctpost info --json --launch 1 sampled.ctrace | jq -e '.estimates == []' >/dev/null ||
	fail "estimates of one launch"

# All say what is left out.
says() {
	for text in "1 of 2 launches are traced" "2 of 10 thread blocks of 1 launch" "3 of 6 ring chunks"; do
		grep -q "$text" "$1" || fail "$2 does not say '$text'"
	done
}
ctpost comm sampled.ctrace >out 2>err
says out comm
says err "stderr of comm"
grep -q "are not scaled" out || fail "comm does not say what is not scaled"
ctpost comm --json sampled.ctrace 2>err >json
jq -e '.comm_totals[0].traced_launches < .comm_totals[0].launches and .supersteps[0].region == "solve/step"' json >/dev/null ||
	fail "JSON of comm"
ctpost comm --by=superstep sampled.ctrace 2>err | grep -q '^ *1  solve/step  ' || fail "no regions"
ctpost report -o report.html sampled.ctrace 2>err
says report.html report
ctpost export --format=csv --tables=launches -o csv sampled.ctrace 2>err
says err export
grep -q ',solve/step,full,1,2,4,[0-9]*,10,2,0' csv/launches.csv || fail "export: $(cat csv/launches.csv)"

# Groups and loops access by access: launch 1 has 7 of groups, 16 of a loop, 8 others.
ctpost dump --launch 1 --format=jsonl sampled.ctrace 2>err >out
says err dump
[ "$(wc -l <out)" = 31 ] || fail "$(wc -l <out) records instead of 31"
[ "$(jq -r 'select(.warp == 1 and .cta == [7, 0, 0] and .site == 0) | .addresses[0]' out | tr '\n' ' ')" = \
	"0x7f0000001000 0x7f0000001080 0x7f0000001100 0x7f0000001180 0x7f0000001200 0x7f0000001280 0x7f0000001300 0x7f0000001380 " ] ||
	fail "the loop's iterations"

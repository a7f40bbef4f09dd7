# SPDX-License-Identifier: Apache-2.0
# export --format=perfetto of calls and activities: tracks, times, arrows from calls to what they caused.
. "$CT_CLI/shared/ctpost.sh"
make_trace api
status 0 ctpost export --format=perfetto -o t.json api.ctrace

# slices CATEGORIES: what stands on the tracks, with times in us since the first call
slices() {
	jq -r --arg cats "$1" '(.traceEvents | map(select(.name == "thread_name")) |
			map({key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $tracks |
		(.traceEvents | map(select(.cat == "call") | .ts) | min) as $start |
		.traceEvents[] | select(.cat as $c | $cats | split(" ") | index($c)) |
		"\($tracks["\(.pid) \(.tid)"]): \(.name) \((.ts - $start) | round) \(.dur | round)"' t.json | sort
}
slices "call range mark region" >calls
[ "$(wc -l <calls)" = 15 ] || fail "$(cat calls)"
grep -qx 'solver 100: cudaDeviceSynchronize 430 200' calls || fail "$(cat calls)"
grep -qx 'worker 101: cudaFree 640 30' calls || fail "$(cat calls)"
slices 'kernel copy set' >activities
cat >expected <<'X'
stream 0: count 800 100
stream 0: expand 420 200
stream 0: expand 625 40
stream 0: host to device 210 70
stream 0: memset 690 1
stream 7: count 430 100
stream 7: device to host 710 10
X
diff expected activities || fail "activities"
# The whole name of a kernel is an argument; what has no real time is not there.
jq -e '[.traceEvents[] | select(.cat == "kernel") | .args.kernel] | sort | unique == ["count()", "expand(int const*)"]' t.json >log || fail "whole names"
jq -e '[.traceEvents[] | select(.cat == "launch" or .cat == "transfer" or .cat == "communication" or .cat == "cta" or .ph == "C")] == []' t.json >log ||
	fail "there is more than what has times"
jq -r '.traceEvents | map(select(.cat == "causes")) | group_by(.id)[] | map(.ph) | join("")' t.json | sort | uniq -c |
	sed 's/^ *//' >arrows
[ "$(cat arrows)" = '5 sf' ] || fail "arrows: $(cat arrows)"
jq -e '.traceEvents | (map(select(.ph == "X") | [.pid, .tid, .ts])) as $x |
	map(select(.ph == "s" or .ph == "f") | [.pid, .tid, .ts]) - $x == []' t.json >log || fail "an arrow hangs in the air"
jq -e '[.traceEvents[] | select(.name == "cudaMalloc") | .args.from] == ["solver+0x1050"]' t.json >log || fail "from where"
jq -e '.traceEvents | all(.ts >= 0)' t.json >log || fail "before the beginning"
jq -e '.traceEvents | map(select(.ph == "M") | [.name, .pid, .tid]) | length == (unique | length)' t.json >log ||
	fail "names of tracks"

# In a study, calls that are problems say which; the figures are those of
# tests/unit/trace/trace_ffm.c.
mkdir study
for run in calls uses first-uses; do
	"$CT_CLI_BUILD/ctpost-make-trace" "study/$run.ctrace" "ffm-$run"
done
status 0 ctpost export --format=perfetto -o study.json study
problems() {
	jq -r '.traceEvents[] | select(.args.problem) | "\(.name) \(.args.problem_number) \(.args.problem) \(.args.benefit_seconds * 1e6 | round)"' "$1" |
		sort | uniq -c | sed 's/^ *//'
}
problems study.json >marked
cat >expected <<'X'
3 cudaDeviceSynchronize 2 unnecessary-synchronization 78
1 cudaDeviceSynchronize 3 misplaced-synchronization 38
3 cudaFree 1 unnecessary-synchronization 156
2 cudaMemcpy 4 unnecessary-transfer 8
X
diff expected marked || fail "problems"
status 0 ctpost export --format=perfetto -o none.json study/calls.ctrace
[ -z "$(problems none.json)" ] || fail "problems of a run without uses"

# A file that must stay small says what is missing.
make_trace api-random
status 0 ctpost export --format=perfetto --limit=64K -o small.json api-random.ctrace
grep -q 'further events are left out' err || fail "nothing is said of what is left out: $(cat err)"
[ "$(wc -c <small.json)" -le 65536 ] || fail "larger than the limit"
jq -e '.traceEvents | length > 50' small.json >log || fail "nothing is left"

# SPDX-License-Identifier: Apache-2.0
# export --format=perfetto: the trace event format, times, order, sizes.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/export/lib.sh"

# FILE EXPRESSION: it is true of the file
holds() {
	jq -e "$2" "$1" >/dev/null || fail "$1: not so: $2"
}

# This must be so in every file.
sound() {
	holds "$1" '.traceEvents | length > 0'
	holds "$1" '.traceEvents | all(.ph | IN("M", "X", "i", "C", "s", "f"))'
	holds "$1" '.traceEvents | all((.ts | type) == "number" and .ts >= 0 and (.name | type) == "string" and
		(.pid | type) == "number" and .pid == (.pid | floor) and
		(.tid | type) == "number" and .tid == (.tid | floor))'
	holds "$1" '.traceEvents | map(select(.ph == "X")) | all((.dur | type) == "number" and .dur >= 0)'
	# On every track in the order of time, without overlaps. Readers cut to nanoseconds.
	holds "$1" 'def ns: . * 1000 | floor;
		.traceEvents | map(select(.ph == "X" or .ph == "i")) | group_by([.pid, .tid]) |
		all(. as $e | all(range(1; length);
			($e[.].ts | ns) >= ($e[. - 1].ts | ns) + ($e[. - 1].dur // 0 | ns)))'
	holds "$1" '.traceEvents | map(select(.ph == "C")) | group_by([.pid, .name]) | all(map(.ts) | . == sort)'
	# Every track has a name, and only once.
	holds "$1" '.traceEvents | (map(select(.ph == "X" or .ph == "i") | [.pid, .tid]) | unique) -
		map(select(.name == "thread_name") | [.pid, .tid]) == []'
	holds "$1" '.traceEvents | map(select(.ph == "M") | [.name, .pid, .tid]) | length == (unique | length)'
	# An arrow has a beginning and, not earlier, an end, each on a slice.
	holds "$1" '.traceEvents | (map(select(.ph == "s")) | sort_by(.id)) as $s |
		(map(select(.ph == "f")) | sort_by(.id)) as $f | ($s | map(.id)) == ($f | map(.id)) and
		([$s, $f] | transpose | all(.[0].ts <= .[1].ts))'
	holds "$1" '.traceEvents | (map(select(.ph == "X") | [.pid, .tid, .ts])) as $x |
		map(select(.ph == "s" or .ph == "f") | [.pid, .tid, .ts]) - $x == []'
	holds "$1" '.otherData.times | contains("not device times")'
}

make_comm_trace shift
status 0 ctpost export --format=perfetto -o shift.json shift.ctrace
[ ! -s err ] || fail "complains: $(cat err)"
sound shift.json
jq -c '.traceEvents[] | select(.cat == "launch") | [.name, .tid, .ts, .dur, .args.load_bytes, .args.store_bytes,
	.args.communicated_load_bytes, .args.communicated_store_bytes, .args.grid]' shift.json >got
cat >want <<'X'
["put",1,3,1,0,512,0,512,[4,1,1]]
["take",1,5,1,512,512,512,0,[4,1,1]]
X
diff want got || fail "launches"
jq -c '.traceEvents[] | select(.cat == "cta") | [.name, .pid, .tid, .ts, .dur]' shift.json >got
cat >want <<'X'
["block 0",2,1,3,0.5]
["block 2",2,1,3.5,0.5]
["block 1",2,2,3,0.5]
["block 3",2,2,3.5,0.5]
["block 0",2,1,5,0.5]
["block 2",2,1,5.5,0.5]
["block 1",2,2,5,0.5]
["block 3",2,2,5.5,0.5]
X
diff want got || fail "CTAs"
holds shift.json '.traceEvents | map(select(.pid == 2 and .name == "thread_name").args.name) |
	. == ["SM 0, stream 0 (order, not time)", "SM 1, stream 0 (order, not time)"]'
holds shift.json '.traceEvents | map(select(.ph == "s")) | length == 1 and .[0].args == {"bytes": 512, "transfers": 4}'
holds shift.json '.traceEvents | map(select(.ph == "C" and .name == "communicated [bytes]").args) |
	. == [{"load": 0, "store": 512}, {"load": 512, "store": 0}]'
holds shift.json '.traceEvents | map(select(.ph == "i")) | length == 1 and .[0].ts == 7 and .[0].args.bytes == 512'
holds shift.json '.otherData | .ctas == "all" and .left_out_events == 0 and .start_ns == "1750000000000000000"'

# Two streams, two processes, a launch without an end.
make_comm_trace halo
make_comm_trace parts
make_trace damaged
for trace in halo parts damaged; do
	status 0 ctpost export --format=perfetto -o $trace.json $trace.ctrace
	sound $trace.json
done
holds halo.json '.traceEvents | map(select(.ph == "X" and .cat == "launch") | .tid) | unique | length == 2'
holds parts.json '.traceEvents | map(select(.ph == "X" and .cat == "launch") | .pid) | unique | length == 2'
holds damaged.json '.traceEvents | map(select(.args.end == "not seen")) | length == 1 and .[0].dur == 0'

# A file that is too large loses: first CTAs are merged, then left out, then arrows and so on.
status 0 ctpost export --format=perfetto --limit=64K -o small.json halo.ctrace
[ "$(wc -c <small.json)" -le 65536 ] || fail "larger than the limit"
grep -q "one slice" err || fail "no word of the CTAs"
sound small.json
holds small.json '.otherData.ctas | contains("one slice")'
holds small.json '.traceEvents | map(select(.cat == "cta")) | all(.name | endswith(" blocks"))'
holds small.json '.traceEvents | map(select(.cat == "cta" and .args.superstep == 1) | .name) == ["4 blocks", "4 blocks"]'
"$CT_BIN/comm-random-trace" many.ctrace 3 900
status 0 ctpost export --format=perfetto --limit=64K -o many.json many.ctrace
[ "$(wc -c <many.json)" -le 65536 ] || fail "larger than the limit"
grep -q "blocks are left out" err || fail "no word of the CTAs"
grep -q "further events are left out" err || fail "no word of the rest"
sound many.json
holds many.json '.otherData.left_out_events > 100 and (.traceEvents | map(select(.cat == "cta")) == [])'
status 0 ctpost export --format=perfetto -o all.json many.ctrace
sound all.json
[ "$(jq '.traceEvents | map(select(.cat == "cta")) | length' all.json)" -gt 1000 ] || fail "few CTAs"

status 2 ctpost export --format=perfetto --limit=1K -o x.json shift.ctrace
one_line "--limit='1K'"

# Times of CTAs: tests/unit/trace/trace_ctas.h, whose clocks differ by 4.2 us from there on.
make_trace ctas
status 0 ctpost export --format=perfetto -o ctas.json ctas.ctrace
jq -e '[.traceEvents[] | select(.cat == "cta")] |
	(map(.dur) | add == 85) and
	([.[] | select(.args.launch == 1) | .tid] | unique | length == 4) and
	([.[] | select(.name == "block 5" and .dur == 20 and .args.traced == false)] | length == 1)' ctas.json >log ||
	fail "CTAs are not where they ran: $(cat log)"
jq -e '.otherData.cta_times == "of the device"' ctas.json >log || fail "what times these are"

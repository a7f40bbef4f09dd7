# SPDX-License-Identifier: Apache-2.0
# dump --host-events: every kind of event with all its fields, by the tables of events.def alone.
. "$CT_CLI/shared/ctpost.sh"
golden_traces=$CT_CLI/../golden

for trace in v1-small v2-transfers v3-sampled; do
	for format in text jsonl; do
		echo "$trace"
		ctpost dump --host-events --format=$format "$golden_traces/$trace.ctrace"
	done
done >out 2>err
[ ! -s err ] || fail "warnings about events that are all there: $(cat err)"
golden host-events out

# JSON that others read.
ctpost dump --host-events --format=jsonl "$golden_traces/v3-sampled.ctrace" >out
jq -se 'map(select(.type == "launch")) | .[0] | .grid == [10, 1, 1] and .flags == ["traced"] and
	.unit_id == "1122334455667788" and .region == "solve/step" and .block_period == 4' out >/dev/null ||
	fail "the launch is not what was written"
jq -se 'map(select(.type == "alloc"))[0] | .address == "0x7f0000001000" and .kind == "device"' out >/dev/null ||
	fail "the allocation is not what was written"

ctpost dump --host-events --limit=3 "$golden_traces/v1-small.ctrace" >out
[ "$(wc -l <out)" = 3 ] || fail "not three lines"
status 2 ctpost dump --host-events --format=csv "$golden_traces/v1-small.ctrace"
one_line 'no CSV'
status 2 ctpost dump --host-events --kernel=x "$golden_traces/v1-small.ctrace"
one_line '--kernel is about accesses'

# SPDX-License-Identifier: Apache-2.0
# calls, against a second computation from the rows that dump prints: naive, and in another language.
. "$CT_CLI/shared/ctpost.sh"
make_trace api-random

ctpost calls --json api-random.ctrace >calls.json 2>err
[ "$(jq '.call_parts | length' calls.json)" = 2 ] || fail "not of two parts"
ctpost dump --tables=call,activity,stack --format=jsonl api-random.ctrace >rows
grep '"table": "stack"' rows | wc -l >stacks
[ "$(cat stacks)" = 100 ] || fail "$(cat stacks) frames"

# Times are too large for jq's numbers, but for those since the beginning.
sed 's/"begin_ns": 1750000000/"begin_ns": /' rows |
	jq -s 'map(. + if .begin_ns then {end_ns: (.begin_ns + .duration_ns)} else {} end)' >rows.json

# Sums of groups, in nanoseconds: figures KEYS of the rows that FILTER lets pass
sums='def sums(key): group_by(key) | map({key: (.[0] | key), value: {count: length,
	ns: (map(.duration_ns) | add), min: (map(.duration_ns) | min), max: (map(.duration_ns) | max),
	bytes: (map(.bytes) | add)}}) | from_entries;'
jq "$sums"' map(select(.table == "call" and (.flags | index("inner") | not))) | sums(.name)' rows.json >expected
jq '[.call_functions[] | {key: .function, value: {count: .calls, ns: (.seconds * 1e9 | round), min: (.min_seconds * 1e9 | round),
	max: (.max_seconds * 1e9 | round), bytes}}] | from_entries' calls.json | jq -S . >found
jq -S . expected | diff - found >difference || fail "functions: $(cat difference)"
[ "$(jq length expected)" = 7 ] || fail "$(jq length expected) functions"

jq -S "$sums"' map(select(.table == "activity" and .kind == "copy")) | sums(.copy) |
	map_values({count, ns, bytes})' rows.json >expected
jq -S '[.copy_times[] | select(.direction != "memset") | {key: .direction, value: {count: .copies, ns: (.seconds * 1e9 | round), bytes}}] | from_entries' calls.json |
	diff expected - >difference || fail "copies: $(cat difference)"

jq -S "$sums"' map(select(.table == "activity" and .kind == "kernel")) | sums("\(.name) \(.flags)") |
	map_values({count, ns, min, max})' rows.json >expected
jq -S '[.kernel_times[] | {key: "\(.symbol) \(if .is_traced then ["traced"] else [] end)", value: {count: .launches,
	ns: (.seconds * 1e9 | round), min: (.min_seconds * 1e9 | round), max: (.max_seconds * 1e9 | round)}}] |
	from_entries' calls.json | diff expected - >difference || fail "kernels: $(cat difference)"
[ "$(jq length expected)" = 6 ] || fail "$(jq length expected) kernels"

# Waits: the union of what a call waited for, from the first begin on. Stream 3 is independent;
# copies on a device do not wait.
jq -S '
def union: sort_by(.[0]) | reduce .[] as $i ({sum: 0, to: 0};
	if $i[1] <= .to then . else .sum += $i[1] - ([$i[0], .to] | max) | .to = $i[1] end) | .sum;
(map(select(.table == "activity")) | group_by(.part)) as $activities |
[.[] | select(.table == "call" and (.flags | index("inner") | not)) | . as $call |
	select(.name | IN("cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaMemcpy", "cudaMemcpyAsync")) |
	select(.name != "cudaMemcpy" or .copy != "device to device") |
	[$activities[.part][] | select(.end_ns > $call.begin_ns and .end_ns <= $call.end_ns)] as $ended |
	select($call.name != "cudaMemcpyAsync" or any($ended[]; .correlation == $call.correlation)) |
	{name, ns: ([$ended[] | select($call.name == "cudaDeviceSynchronize" or .stream == $call.stream or
			($call.correlation > 0 and .correlation == $call.correlation) or
			($call.stream == 0 and .stream != 3)) |
		[([.begin_ns, $call.begin_ns] | max), .end_ns]] | union)}] |
group_by(.name) | map({key: .[0].name, value: (map(.ns) | add)}) | from_entries' rows.json >expected
jq -S '[.call_functions[] | select(.waited_seconds) | select(.waited_seconds > 0) |
	{key: .function, value: (.waited_seconds * 1e9 | round)}] | from_entries' calls.json |
	diff expected - >difference || fail "waits: $(cat difference)"
[ "$(jq 'length == 4 and all(.[]; . > 0)' expected)" = true ] || fail "too few waits: $(cat expected)"
[ "$(jq '([.call_waits[].waited_seconds] | add * 1e9 | round) == ([.call_functions[].waited_seconds // 0] | add * 1e9 | round)' calls.json)" = true ] ||
	fail "what was waited for is not all of it"

# Paths: up the frames of each call by hand.
jq -S '
def path($frames): if . == 0 then [] else $frames[. - 1] as $f |
	["solver+0x" + ($f.offset | [recurse(. / 16 | floor; . > 0) % 16] | reverse |
		map("0123456789abcdef"[.:. + 1]) | join(""))] + ($f.caller | path($frames)) end;
(map(select(.table == "stack")) | group_by(.part)) as $stacks |
[.[] | select(.table == "call" and (.flags | index("inner") | not)) |
	{key: "\(.name) \(.stack as $s | $stacks[.part] as $f | $s | path($f))", ns: .duration_ns}] |
group_by(.key) | map({key: .[0].key, value: {count: length, ns: (map(.ns) | add)}}) | from_entries' rows.json >expected
jq -S '[.call_paths[] | {key: "\(.function) \([.frames[].function])", value: {count: .calls, ns: (.seconds * 1e9 | round)}}] |
	from_entries' calls.json | diff expected - >difference || fail "stacks: $(head -20 difference)"
[ "$(jq length expected)" -gt 100 ] || fail "too few paths"

# The tree and folded stacks are these paths.
ctpost calls --folded api-random.ctrace 2>err | sed 's/ [0-9]*$//' | sort >folded
jq -r '.call_paths[] | if .frames == [] then ["[unknown]"] else [.frames[].function] | reverse end + [.function] | join(";")' calls.json |
	sort | diff - folded >difference || fail "folded stacks: $(head difference)"

# SPDX-License-Identifier: Apache-2.0
# values: of a trace made by hand (tests/unit/trace/trace_values.h), whose figures follow from what
# each launch does, the same for any number of threads and bound of memory.
. "$CT_CLI/shared/ctpost.sh"
make_trace values
make_trace base

ctpost values --json values.ctrace >out 2>err || fail "$(cat err)"
golden json out

# site LINE OPERATION: accesses, redundant and how
site() {
	jq -r --argjson line "$1" --arg operation "$2" '.value_lines[] |
		select(.line == $line and .operation == $operation) |
		"\(.accesses) \(.redundant): \(.temporal) \(.own) \(.known) \(.agreed) \(.unknown)"' out
}

# is LINE OPERATION ACCESSES REDUNDANT: TEMPORAL OWN KNOWN AGREED UNKNOWN
is() {
	line=$1 operation=$2
	shift 2
	[ "$(site "$line" "$operation")" = "$*" ] || fail "line $line: $(site "$line" "$operation"), not $*"
}
is 4 load 320 288: 288 288 0 0 0
is 9 load 320 0: 0 0 0 0 0
is 9 store 320 0: 0 0 0 0 0
is 14 store 320 288: 288 288 0 0 32
is 19 store 320 0: 0 0 0 0 0
is 23 store 32 32: 0 32 0 0 0
is 27 store 64 63: 0 0 32 31 1
is 31 store 32 0: 0 0 0 0 32
is 35 store 64 0: 0 0 0 0 64
jq -e '.value_sums[1].spatial == 279 + 319 + 318 + 0 + 62 + 0 + 62 and .value_sums[0].spatial == 288 + 279 and
	(.value_totals[0] | .equal_stores == 288 + 31 + 31 and .candidate_stores == 32 and .surprises == 0)' out >log ||
	fail "not as worked out: $(jq -c '.value_sums, .value_totals' out)"
jq -e '[.value_objects[] | {(.object): (.patterns // "" | split(", "))}] | add | (.z | index("single zero") and (index("single value") | not)) and
	(.q | index("single value") and index("frequent value")) and (.p | index("structured"))' out >log ||
	fail "patterns: $(jq -c .value_objects out)"

for how in --threads=1 --threads=2 --threads=8 '--threads=3 --memory=4M'; do
	# shellcheck disable=SC2086
	ctpost values --json $how values.ctrace >other 2>err || fail "$how: $(cat err)"
	cmp -s out other || fail "otherwise with $how"
done

ctpost values --rows=3 values.ctrace >text || fail "text"
golden text text
ctpost values --json --kernels=same values.ctrace >out || fail "one kernel"
is 14 store 320 288: 288 288 0 0 32
[ "$(jq '.value_lines | length' out)" = 1 ] || fail "kernels that were not chosen: $(jq -c .value_lines out)"
# Stores of launches that are not chosen still count as what memory holds.
ctpost values --json --launches=7 values.ctrace >out || fail "one launch"
is 27 store 32 32: 0 0 32 0 0
# For 128 bytes it is a fact of the table, and no finding.
ctpost findings values.ctrace >out || fail "findings"
! grep -q 'store what was there' out || fail "$(cat out)"
ctpost values values.ctrace >out || fail "values"
grep -q 'of truths.cu:14.s accesses to q store what was there: 288 of 320' out || fail "$(cat out)"

ctpost values --json base.ctrace >out 2>err || fail "$(cat err)"
grep -q 'base.ctrace: no values, so only when objects live and are used is reported' err || fail "$(cat err)"
jq -e '.value_lines == [] and .value_sets == [] and (.value_lifetimes | length > 0)' out >log || fail "$(cat out)"

# Where some have no values, these are counted, and what memory holds behind them is not known.
make_trace values-mixed
ctpost values --json values-mixed.ctrace >out 2>err || fail "$(cat err)"
is 14 store 352 288: 288 288 0 0 32
jq -e '.value_lines[] | select(.line == 14) | .without_value == 32' out >log || fail "without values: $(jq -c .value_lines out)"
ctpost values values-mixed.ctrace >text 2>err || fail "$(cat err)"
grep -q '^Of 32 of 1 856 accesses the trace has no value: ' text || fail "$(head -8 text)"

# Records that are cut or damaged may hide any access: what threads do alone is reported for the
# rest, of memory nothing, and nothing is said to read nothing.
doubts() {
	ctpost values --json "$1.ctrace" >out 2>err || fail "$(cat err)"
	grep -q "$2" err || fail "no word of it: $(cat err)"
	jq -e '(.value_totals[0] | .opaque_launches == 10 and .launches == 10) and (.value_lines | map(.known) | add // 0) == 0 and
		([.value_objects[].patterns // "" | split(", ")[] | select(. == "unused" or . == "dead write" or . == "early allocation" or
			. == "late free" or . == "redundant allocation")] == [])' out >log ||
		fail "$1 has no doubts: $(jq -c '.value_totals, .value_lines, .value_objects' out)"
}
for trace in torn damaged; do
	cp -r values.ctrace $trace.ctrace
done
bytes=$(wc -c <torn.ctrace/device-0-0.ct)
head -c $((bytes * 2 / 3)) values.ctrace/device-0-0.ct >torn.ctrace/device-0-0.ct
doubts torn 'are missing\|ends inside a chunk'
printf 'damaged!' | dd of=damaged.ctrace/device-0-0.ct bs=1 seek=$((bytes * 2 / 3)) conv=notrunc 2>log
doubts damaged 'checksum does not match'

# Values of a fetch come before those of any access; sectors of copies are those of their bytes.
make_trace copies
ctpost values --json copies.ctrace >out 2>err || fail "fetches: $(cat err)"
jq -c '.value_lines | sort_by(.line)[] | [.line, .bytes, .accesses, .redundant, .sectors, .redundant_sectors]' out >found
printf '%s\n' '[6,1024,256,128,32,16]' '[7,256,64,32,8,4]' '[8,512,128,64,32,16]' '[9,640,160,80,64,32]' \
	'[10,96,24,12,4,2]' | cmp -s - found || fail "copies: $(cat found)"

# Tier values: sites of a line are one; nothing is missing that is shown.
make_trace summaries
ctpost values --json summaries.ctrace >out 2>err || fail "$(cat err)"
[ ! -s err ] || fail "$(cat err)"
jq -c '.value_summaries[] | [.line, .operation, .object, .launches, .executions, .accesses, .zeros, .found,
	.as_lowest_lane, .least, .greatest, .distinct_values]' out >found
printf '%s\n' '[14,"store","q",2,3,96,0,64,null,"7","7",1]' '[4,"load","p",1,1,32,16,null,16,"0","1",2]' |
	cmp -s - found || fail "summaries: $(cat found)"
jq -e '.value_lines | map([.line, .accesses, .redundant]) == [[14, 96, 64], [4, 32, 0]]' out >log ||
	fail "lines of summaries: $(jq -c .value_lines out)"
ctpost comm summaries.ctrace 2>err && fail "communication without addresses"
grep -q 'see ctpost info and ctpost values, and ctpost export --tables=trace,values' err || fail "$(cat err)"
status 2 ctpost values --precision=6 values.ctrace
one_line "a level from 0 to 5"

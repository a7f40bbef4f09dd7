# SPDX-License-Identifier: Apache-2.0
# values: when objects live and are used, of a trace made by hand (tests/unit/trace/trace_values.h):
# three products of matrices, as values.md of seed 002 works them out, and buffers.
. "$CT_CLI/shared/ctpost.sh"
make_trace lives

ctpost values --json lives.ctrace >out 2>err || fail "$(cat err)"
one_line 'lives.ctrace: no values, so only when objects live and are used is reported'

# has PATTERN NAME...: exactly these objects have it
has() {
	pattern=$1
	shift
	found=$(jq -r --arg pattern "$pattern" '[.value_objects[] | select(.patterns // "" | split(", ") | index($pattern)) | .object] |
		sort | join(" ")' out)
	[ "$found" = "$*" ] || fail "$pattern: '$found', not '$*'"
}
has "early allocation" c d f g
has "late free" a b c d
has "temporary idleness" e
has "redundant allocation" c d f g halves lost there
has "dead write" over
has "unused" never
has "leak" lost
# Memory of the host is listed, too; it takes none of the device's.
jq -e '[.value_lifetimes[] | select(.kind == "host") | [.name, .bytes, .first_use, .last_use]] == [["staging", 1048576, 3, 13]]' out >log ||
	fail "the host's: $(jq -c '.value_lifetimes[] | select(.kind == "host")' out)"
jq -e '.value_totals[0] | .peak_bytes == 7 * 1048576 and .needed_peak_bytes == 4 * 1048576' out >log ||
	fail "peaks: $(jq -c .value_totals out)"
jq -e '[.findings[] | select(.finding == "early-allocation" and .objects[0].name == "g")] |
	length == 1 and (.[0].evidence | test("at mm.cu:26")) and
	.[0].worth == 1048576 and .[0].worth_unit == "bytes"' out >log || fail "no finding about g: $(jq -c .findings out)"
for threads in 2 8; do
	ctpost values --json --threads=$threads lives.ctrace >other 2>err || fail "$(cat err)"
	cmp -s out other || fail "otherwise with $threads threads"
done
ctpost values --rows=2 lives.ctrace >text 2>err || fail "$(cat err)"
golden lives text
ctpost findings --facts lives.ctrace >out 2>err || fail "$(cat err)"
grep -q 'c is allocated 1 launch before its first use' out || fail "no finding: $(cat out)"

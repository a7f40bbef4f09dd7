#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-value-objects.sh BIN PROGRAM WORK SOURCE
# How ctpost values says that objects are used, beside what SOURCE says behind their allocations:
# "// has PATTERN: CONDITION" or "// not PATTERN: CONDITION", of the lifetime in the JSON.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 SOURCE=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

traced_well traced env CUDATRACE_CONTENTS=on "$PROGRAM"
"$BIN/ctpost" values --json "$WORK/traced.ctrace" >"$WORK/values" || fail "ctpost values fails"
sed -n 's/.*cudaMalloc(&\([a-z]*\),.*\/\/ \(has\|not\) \([^:]*\): \(.*\)/\1|\2|\3|\4/p' "$SOURCE" >"$WORK/expected"
[ "$(wc -l <"$WORK/expected")" -ge 20 ] || fail "$SOURCE says little"
while IFS='|' read -r object word pattern condition; do
	jq --arg object "$object" '.value_lifetimes[] | select(.name == $object)' "$WORK/values" >"$WORK/life"
	jq -e --arg pattern "$pattern" "(.patterns // \"\" | split(\", \") | index(\$pattern) != null) == $([ "$word" = has ] && echo true || echo false)" \
		"$WORK/life" >"$WORK/log" || fail "$object $word '$pattern': $(jq -c . "$WORK/life")"
	jq -e "$condition" "$WORK/life" >"$WORK/log" || fail "$object: not $condition: $(jq -c . "$WORK/life")"
done <"$WORK/expected"

# Who wrote what others read: copies in, then launches; of half, 400 bytes of the memset.
jq -e '.value_nodes as $n | [.value_flows[] | select(.object == "half" and .read_bytes > 0) |
	"\($n[.from_node].kind) \(.read_bytes)"] | sort == ["copy in 400", "memset 400"]' "$WORK/values" >"$WORK/log" ||
	fail "half: $(jq -c '.value_flows[] | select(.object == "half")' "$WORK/values")"
# As a graph: a node of each, and the allocation; an edge of each flow.
"$BIN/ctpost" values --dot "$WORK/traced.ctrace" >"$WORK/dot" || fail "ctpost values --dot fails"
jq -r '"\(.value_nodes | length) \(.value_flows | length)"' "$WORK/values" >"$WORK/counts"
[ "$(grep -c '^	n[0-9]* \[label=' "$WORK/dot") $(grep -c ' -> ' "$WORK/dot")" = "$(cat "$WORK/counts")" ] ||
	fail "a graph of other than $(cat "$WORK/counts") nodes and flows: $(cat "$WORK/dot")"
grep -q '^	alloc \[' "$WORK/dot" && [ "$(tail -n 1 "$WORK/dot")" = "}" ] || fail "$(cat "$WORK/dot")"

# The largest object, alone at the peak, does not use so much, and no more than that.
jq -e '.value_totals[0].peak_bytes == 20000 and ([.findings[] | select(.objects[0].name == "wide" and (.finding | endswith("allocation"))) |
	"\(.finding) \(.worth) \(.worth_unit)"] == ["overallocation 16000 bytes"])' "$WORK/values" >"$WORK/log" ||
	fail "the peak: $(jq -c '.value_totals[0].peak_bytes, (.findings[] | select(.objects[0].name == "wide"))' "$WORK/values")"

# A first copy to an object finds nothing there, whatever chance has left.
jq -e '[.value_transfers[] | select(.object == "tenth" or .object == "left") | [.same_bytes, .unknown_bytes]] ==
	[[0, 4000], [0, 3600]]' "$WORK/values" >"$WORK/log" || fail "new memory: $(jq -c .value_transfers "$WORK/values")"

# Gains in seconds: some, none beyond what the kernel takes, as sectors have it.
run_well times "$BIN/ctrun" --calls=only --output="$WORK/times.ctrace" "$PROGRAM"
"$BIN/ctpost" calls --json "$WORK/times.ctrace" >"$WORK/calls" || fail "ctpost calls fails"
"$BIN/ctpost" values --json --times="$WORK/times.ctrace" "$WORK/traced.ctrace" >"$WORK/timed" || fail "ctpost values --times fails"
jq -e --slurpfile calls "$WORK/calls" '[.findings[] | select(.worth_unit == "seconds")] as $timed |
	($timed | length > 0) and all($timed[]; .kernels[0].kernel as $kernel | .worth > 0 and
		.worth <= 1.001 * ([$calls[0].kernel_times[] | select(.kernel | startswith($kernel)) | .seconds] | add))' \
	"$WORK/timed" >"$WORK/log" || fail "seconds: $(jq -c '.findings[] | [.kernels, .worth, .worth_unit]' "$WORK/timed") of $(jq -c .kernel_times "$WORK/calls")"
! "$BIN/ctpost" values --times="$WORK/traced.ctrace" "$WORK/traced.ctrace" >"$WORK/log" 2>&1 || fail "times of a run that has none"
grep -q 'it has no times of kernels' "$WORK/log" || fail "$(cat "$WORK/log")"
rm -rf "$WORK/traced.ctrace" "$WORK/times.ctrace"

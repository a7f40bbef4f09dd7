#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-values.sh BIN PROGRAM WORK [TRACE]
# A program with recorded values, the same in every run: two traces hold the same
# accesses and values, thread by thread. TRACE, of another target, as well.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well first "$PROGRAM"
same_output native first
is_complete first
traced_well second "$PROGRAM"
for other in "$WORK/second.ctrace" ${4:+"$4"}; do
	same_accesses "$other" "$WORK/first.ctrace" --values
done

# Half of the CTAs give: fewer accesses, an estimate with its error of what threads find by
# themselves, which is not far off, and nothing of objects that others may use.
"$BIN/ctpost" values --json "$WORK/first.ctrace" >"$WORK/full" || fail "ctpost values fails"
traced_well half env CUDATRACE_SAMPLE_BLOCKS=2 "$PROGRAM"
"$BIN/ctpost" values "$WORK/half.ctrace" >"$WORK/text" 2>"$WORK/log" || fail "ctpost values fails: $(cat "$WORK/log")"
grep -q 'launches some thread blocks alone are recorded' "$WORK/text" ||
	fail "not said: $(cat "$WORK/text")"
"$BIN/ctpost" values --json "$WORK/half.ctrace" >"$WORK/half" 2>"$WORK/log" || fail "ctpost values fails: $(cat "$WORK/log")"
jq -e --slurpfile full "$WORK/full" 'def stores: .value_sums[] | select(.operation == "store"); ($full[0] | stores) as $all |
	.value_totals[0].sampled_launches > 0 and $full[0].value_totals[0].sampled_launches == 0 and
	stores.accesses < $all.accesses and stores.accesses > 0 and stores.share_error > 0 and
	(stores.estimated_share - $all.own / $all.accesses | fabs) < 5 * stores.share_error and
	([.value_lifetimes[] | select(.is_sure)] == []) and ([$full[0].value_lifetimes[] | select(.is_sure)] != [])' \
	"$WORK/half" >"$WORK/log" || fail "half of the CTAs: $(jq -c '.value_totals, .value_sums' "$WORK/half")"
rm -rf "$WORK/first.ctrace" "$WORK/second.ctrace" "$WORK/half.ctrace"

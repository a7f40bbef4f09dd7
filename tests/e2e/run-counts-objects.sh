#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-counts-objects.sh BIN PROGRAM WORK
# The second of three launches finds more objects than tier counts keeps maps for
# (counts/objects.cu): its sites are counted, what it touches is not known, and that is said; the
# others are complete. BIN: where ctpost is.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"
command -v jq >/dev/null || {
	echo "jq not found: skipped" >&2
	exit 77
}

CUDATRACE_TIER=counts traced_well objects "$PROGRAM"
for launch in 1 2 3; do
	"$BIN/ctpost" info --json --launch=$launch "$WORK/objects.ctrace" >"$WORK/$launch.json" ||
		fail "ctpost info failed"
	# jq's answer for what this launch did
	found=$(jq -c '[.trace_totals[0].complete, (.counted_sites | map(.executions, .accesses, .sectors)),
		(.counted_objects | map([.object_number, .read_bytes, .written_bytes]))]' "$WORK/$launch.json")
	case $launch in
	1) expected='[true,[1,32,4],[[1,0,128]]]' ;;
	2) expected='[true,[1,32,4],[[null,null,null]]]' ;;
	3) expected='[true,[1,32,4],[[501,0,128]]]' ;;
	esac
	[ "$found" = "$expected" ] || fail "launch $launch: $found, not $expected"
done
run info "$BIN/ctpost" info --launch=2 "$WORK/objects.ctrace" || fail "ctpost info failed"
grep -q 'not known' "$WORK/info.out" || fail "ctpost info does not say what is not known"
rm -rf "$WORK/objects.ctrace"

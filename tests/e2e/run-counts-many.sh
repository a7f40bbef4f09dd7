#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-counts-many.sh BIN PROGRAM WORK [ROUNDS]
# Tier counts of launches that run at the same time (counts/many.cu): each is counted for
# itself, none is lost. BIN: where ctpost is.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3 ROUNDS=${4:-100}
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"
command -v jq >/dev/null || {
	echo "jq not found: skipped" >&2
	exit 77
}

CUDATRACE_TIER=counts traced_well many "$PROGRAM" "$ROUNDS"
"$BIN/ctpost" info --json "$WORK/many.ctrace" >"$WORK/many.json" || fail "ctpost info failed"

# says FILTER EXPECTED
says() {
	found=$(jq -c "$1" "$WORK/many.json") || fail "jq $1"
	[ "$found" = "$2" ] || fail "$1 is $found, not $2"
}

launches=$((8 * ROUNDS))
says .complete true
says '.totals.launches, .totals.traced | tostring' "\"$launches\"
\"$launches\""
says '[.launches[] | select(.accesses.load == 1000 and .accesses.store == 1000)] | length' "$launches"
says '.counts.sites | map([.launches, .executions, .accesses, .sectors, .bytes]) | unique' \
	"[[$launches,$((32 * launches)),$((1000 * launches)),$((125 * launches)),$((4000 * launches))]]"
says '.counts.touched | map(.most_read, .most_written) | unique' '[4000]'
says '.counts.touched | map(.bytes_read) | add' $((4000 * launches))
says '.counts.touched | map(.bytes_written) | add' $((4000 * launches))
# Every launch touches two objects
says '.counts.touched | map(.launches) | add' $((2 * launches))
rm -rf "$WORK/many.ctrace"

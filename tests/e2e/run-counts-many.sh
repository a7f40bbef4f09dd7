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
says '.trace_totals[0] | [.complete, .launches, .traced_launches]' "[true,$launches,$launches]"
says '[.launch_counts[] | [.class, .threads]] | group_by(.) | map([length] + .[0])' \
	"[[$launches,\"load\",1000],[$launches,\"store\",1000]]"
says '.counted_sites | map([.launches, .executions, .accesses, .sectors, .bytes]) | unique' \
	"[[$launches,$((32 * launches)),$((1000 * launches)),$((125 * launches)),$((4000 * launches))]]"
says '.counted_objects | map(.most_read_bytes, .most_written_bytes) | unique' '[4000]'
says '.counted_objects | map(.read_bytes) | add' $((4000 * launches))
says '.counted_objects | map(.written_bytes) | add' $((4000 * launches))
# Every launch touches two objects
says '.counted_objects | map(.launches) | add' $((2 * launches))
rm -rf "$WORK/many.ctrace"

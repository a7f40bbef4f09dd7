#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-counts.sh BIN PROGRAM WORK [ARGUMENT...]
# A program in tier counts prints what it prints in a full trace, and every
# figure is what the full trace's addresses add up to. BIN: where counts-check
# and ctpost are. With TIER=blocks in the environment, of that tier; with
# COMPARE=lanes only executions by threads.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
TIER=${TIER:-counts}
shift 3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

traced_well full "$PROGRAM" "$@"
CUDATRACE_TIER=$TIER traced_well counts "$PROGRAM" "$@"
same_output full counts
run check "$BIN/counts-check" "$WORK/full.ctrace" "$WORK/counts.ctrace" ${COMPARE:-} || {
	cat "$WORK/check.out" "$WORK/check.err" >&2
	fail "tier $TIER and the full trace differ"
}
cat "$WORK/check.out"
run info "$BIN/ctpost" info "$WORK/counts.ctrace" || fail "ctpost info cannot read tier $TIER"
grep -q "^tier $TIER: " "$WORK/info.out" || fail "ctpost info does not name the tier"
run comm "$BIN/ctpost" comm "$WORK/counts.ctrace" && fail "ctpost comm shows what it cannot know"
grep -q 'tier=full' "$WORK/comm.err" || fail "ctpost comm does not say what to do"
rm -rf "$WORK/full.ctrace" "$WORK/counts.ctrace"

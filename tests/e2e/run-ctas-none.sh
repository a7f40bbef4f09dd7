#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-ctas-none.sh BIN PROGRAM WORK
# Tier clock of a program without the CTA clock: launches run pristine, and the trace says why.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
CUDATRACE_TIER=clock traced_well none "$PROGRAM"
same_output native none
"$BIN/ctpost" info "$WORK/none.ctrace" >"$WORK/none.info" || fail "ctpost info failed"
grep -q 'no: compiled without the clock of thread blocks (--ct-events=cta)' "$WORK/none.info" ||
	fail "the trace does not say why"
[ "$("$BIN/ctpost" dump --tables=cta "$WORK/none.ctrace" | wc -l)" = 0 ] || fail "there are times"
rm -rf "$WORK/none.ctrace"

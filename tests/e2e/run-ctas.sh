#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-ctas.sh BIN PROGRAM WORK
# The CTA clock of a program that was compiled with --ct-events=cta: times of every CTA of every
# launch, beside accesses (tier full) and alone (tier clock); what the program prints stays.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
for tier in full clock; do
	CUDATRACE_TIER=$tier traced_well $tier "$PROGRAM"
	same_output native $tier
	"$BIN/ctpost" verify "$WORK/$tier.ctrace" >"$WORK/$tier.verify" || fail "$tier: not sound"
	"$BIN/ctas-check" "$WORK/$tier.ctrace" ordered >"$WORK/$tier.ctas" ||
		fail "$tier: CTAs are not as they should be"
done
diff "$WORK/full.ctas" "$WORK/clock.ctas" >&2 || fail "tier clock has other CTAs than tier full"
expectation="$HERE/expect/$(basename "$PROGRAM").ctas"
[ ! -e "$expectation" ] || diff "$expectation" "$WORK/clock.ctas" >&2 ||
	fail "other launches than $expectation says (< expected)"
[ "$("$BIN/ctpost" dump "$WORK/clock.ctrace" | wc -l)" = 0 ] || fail "tier clock has records"
rm -rf "$WORK/full.ctrace" "$WORK/clock.ctrace"

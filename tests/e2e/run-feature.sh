#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-feature.sh BIN PROGRAM WORK
# A program that checks one language or library feature itself: it must succeed
# traced and untraced with the same output, and its trace must be complete. If
# there is an expectation of its name, its launches must be as that says; NAME.events
# says what host-events shows of the trace, NAME.sites what it says of objects and launches.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
expectation="$HERE/expect/$(basename "$PROGRAM").expect"
if [ -e "$expectation" ]; then
	launches_are traced "$expectation"
else
	is_complete traced
fi
for kind in events sites; do
	expectation="$HERE/expect/$(basename "$PROGRAM").$kind"
	[ -e "$expectation" ] || continue
	"$BIN/host-events" --$kind "$WORK/traced.ctrace" >"$WORK/traced.$kind" || fail "host-events failed"
	diff "$expectation" "$WORK/traced.$kind" >&2 ||
		fail "what the host asked for differs from $expectation (< expected, > traced)"
done
rm -rf "$WORK/traced.ctrace"

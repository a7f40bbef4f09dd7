#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-feature.sh BIN PROGRAM WORK
# A program that checks one language or library feature itself: it must succeed
# traced and untraced with the same output, its trace must be complete and its
# launches as the expectation of its name says: a program built at another level
# of optimisation or with all that can be recorded (NAME-O0, feature-all-NAME) has
# that of NAME if it has none of its own. NAME.events says what host-events shows of
# the trace, NAME.sites what it says of objects and launches.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
program=$(basename "$PROGRAM")
expectation="$HERE/expect/$program.expect"
[ -e "$expectation" ] || expectation="$HERE/expect/$(echo "$program" |
	sed -E 's/^feature-all-/feature-/; s/-(O[0-3]|ffast-math|g|ptds)$//').expect"
[ -e "$expectation" ] || fail "nothing says what $program accesses: write ${expectation#"$HERE/"}"
launches_are traced "$expectation"
for kind in events sites; do
	expectation="$HERE/expect/$program.$kind"
	[ -e "$expectation" ] || continue
	"$BIN/host-events" --$kind "$WORK/traced.ctrace" >"$WORK/traced.$kind" || fail "host-events failed"
	diff "$expectation" "$WORK/traced.$kind" >&2 ||
		fail "what the host asked for differs from $expectation (< expected, > traced)"
done
rm -rf "$WORK/traced.ctrace"

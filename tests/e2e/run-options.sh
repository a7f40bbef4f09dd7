#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-options.sh BIN PROGRAMS CASE WORK
# Launches that the run-time options select are traced completely, and nothing else; the program's
# result never changes.
set -eu
BIN=$1 PROGRAMS=$2 CASE=$3 WORK=$4
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"
NBODY="$PROGRAMS/nbody"

# only REGEX OPTION...: ctrun with these options traces just the lines that match
only() {
	regex=$1
	shift
	rm -rf "$WORK/run.ctrace"
	run_well run "$BIN/ctrun" -o "$WORK/run.ctrace" "$@" -- "$NBODY" 200
	native_well native "$NBODY" 200
	same_output native run
	info run
	"$BIN/launch-counts" <"$WORK/run.json" | cat -n >"$WORK/run.counts"
	expected "$HERE/expect/nbody.expect" 200 | cat -n |
		sed -E "/$regex/!s/ load .*/ load 0 0 store 0 0 atomic 0 0/" >"$WORK/run.expected"
	diff "$WORK/run.expected" "$WORK/run.counts" >&2 ||
		fail "$*: other launches than those that match $regex are traced"
}

case $CASE in
kernels)
	only integrate --kernels='^integ'
	;;
launches)
	only '^ *[23]	' --launches=2-3
	;;
small-ring)
	only . --ring=8K
	;;
uncompressed)
	only . --level=0
	;;
off)
	rm -rf "$WORK/run.ctrace"
	run_well run "$BIN/ctrun" -o "$WORK/run.ctrace" --trace=off -- "$NBODY" 200
	[ ! -e "$WORK/run.ctrace" ] || fail "there is a trace although tracing was off"
	;;
limit)
	rm -rf "$WORK/run.ctrace"
	run_well run "$BIN/ctrun" -o "$WORK/run.ctrace" --limit=64K --level=0 -- \
		"$PROGRAMS/stencil2d" 512
	grep -q 'stencil2d: ok' "$WORK/run.out" || fail "the limit changed the program's result"
	info run
	[ "$(du -sb "$WORK/run.ctrace" | cut -f 1)" -lt 1000000 ] || fail "the trace is far over its limit"
	! "$BIN/launch-counts" --complete <"$WORK/run.json" >"$WORK/run.counts" 2>&1 ||
		fail "a trace that met its limit says that it is complete"
	;;
default-name)
	(cd "$WORK" && rm -rf -- *.ctrace && run_well run "$NBODY" 33)
	set +f
	set -- "$WORK"/nbody.*.ctrace
	[ -d "$1" ] && [ $# -eq 1 ] || fail "there is no nbody.<pid>.ctrace in the working directory"
	;;
*)
	fail "no case $CASE"
	;;
esac

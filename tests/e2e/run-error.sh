#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-error.sh BIN PROGRAMS CASE WORK
# Checks what must hold when things go wrong: no hang, no crash of ours, a message that names what
# failed, and a readable trace of what was collected. Exit 77: skipped.
set -eu
BIN=$1 PROGRAMS=$2 CASE=$3 WORK=$4
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"
ENDINGS="$PROGRAMS/endings"

# An orderly end loses nothing.
orderly() {
	traced_well run "$ENDINGS" "$1"
	counts_are run "$HERE/expect/endings.expect" 0
}

# fill_is_complete NAME COUNT: its first COUNT launches are all there
fill_is_complete() {
	info "$1"
	fill_is_there "$1" "$2" >&2 || fail "the launches before the end are not complete"
}

# fill_is_there NAME COUNT: of NAME.json, or how it differs
fill_is_there() {
	"$BIN/launch-counts" <"$WORK/$1.json" >"$WORK/$1.counts" || fail "$1.json has no launches"
	expected "$HERE/expect/endings.expect" 0 | head -n "$2" >"$WORK/$1.expected"
	head -n "$2" "$WORK/$1.counts" | diff "$WORK/$1.expected" -
}

# A program that calls nothing more is killed once its trace holds all.
killed() {
	rm -rf "$WORK/run.ctrace"
	CUDATRACE=on CUDATRACE_OUTPUT="$WORK/run.ctrace" "$ENDINGS" kill >"$WORK/run.out" 2>"$WORK/run.err" &
	program=$!
	waited=0
	until "$BIN/ctpost" info --json "$WORK/run.ctrace" >"$WORK/run.json" 2>"$WORK/info.err" &&
		fill_is_there run 3 >"$WORK/differences"; do
		waited=$((waited + 1))
		[ $waited -lt $((5 * LIMIT)) ] || break
		sleep 0.2
	done
	kill -KILL $program
	wait $program && fail "the program survived SIGKILL"
	fill_is_complete run 3
}

# A kernel fails: the program learns it as without us; earlier launches are kept.
broken_kernel() {
	kind=$1
	shift
	native native "$ENDINGS" "$kind" || true
	grep -Eq "^endings: cudaError($*)\$" "$WORK/native.out" || {
		cat "$WORK/native.out" "$WORK/native.err" >&2
		fail "untraced, the program did not get the $kind"
	}
	traced run "$ENDINGS" "$kind" && fail "the program succeeded in spite of the $kind"
	[ $status -eq 3 ] || fail "exit status $status instead of 3 after a $kind"
	same_output native run
	fill_is_complete run 3
}

# full_disk DIR: runs with the trace in DIR, which is too small for it
full_disk() {
	status=0
	run full env CUDATRACE_OUTPUT="$1/run.ctrace" CUDATRACE_LEVEL=0 \
		 "$PROGRAMS/stencil2d" 512 || status=$?
	cat "$WORK/full.err"
	[ $status -eq 0 ] || fail "exit status $status with a full disk"
	grep -q 'stencil2d: ok' "$WORK/full.out" || fail "a full disk changed the program's result"
	grep -q 'No space left on device' "$WORK/full.err" || fail "no message says that the disk is full"
	timeout "$LIMIT" "$BIN/ctpost" info "$1/run.ctrace" || fail "the trace is not readable"
}

case $CASE in
return | async-return | exit | async-exit | reset)
	orderly "$CASE"
	;;
trap)
	broken_kernel trap 'LaunchFailure|IllegalInstruction'
	;;
assert)
	broken_kernel assert Assert
	grep -q "Assertion.*threadIdx.x != 5.*failed" "$WORK/run.err" || fail "the assertion's text is missing"
	;;
fault)
	broken_kernel fault IllegalAddress
	;;
kill)
	killed
	timeout "$LIMIT" "$BIN/ctpost" dump --limit 5 "$WORK/run.ctrace" | grep -q fill ||
		fail "the dump shows no record"
	;;
unwritable)
	: >"$WORK/file"
	run_well run env CUDATRACE_OUTPUT="$WORK/file/run.ctrace" "$ENDINGS" return
	cat "$WORK/run.err"
	grep -q "file/run.ctrace" "$WORK/run.err" || fail "no message names the directory"
	[ "$(wc -l <"$WORK/run.err")" -eq 1 ] || fail "more than one line of message"
	;;
disk-full)
	mkdir -p "$WORK/small"
	[ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=128k tmpfs "$WORK/small" 2>"$WORK/mount.err" || {
		echo "skipped: cannot mount a small file system here"
		exit 77
	}
	trap 'umount "$WORK/small"' EXIT
	full_disk "$WORK/small"
	;;
overlap)
	native_well native "$PROGRAMS/overlap"
	traced_well run "$PROGRAMS/overlap"
	same_output native run
	;;
*)
	fail "no case $CASE"
	;;
esac

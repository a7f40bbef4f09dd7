#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-hang.sh BIN E2E PROGRAM LAUNCHES RING WORK [HOW]
# A program of hang/, untraced and then traced with a ring of so many bytes: it
# ends in time with the same output, nothing is lost, and every launch stores what
# the program says. With HOW (failing): it learns of the failure as untraced, and
# its trace can be read and says that something is missing. With HOW drop: slow
# consumers and --on-full=drop; the trace says that something is missing.
# Says how long both took: "native SECONDS traced SECONDS".
set -eu
BIN=$1 HERE=$2 PROGRAM=$3 LAUNCHES=$4 RING=$5 WORK=$6 HOW=${7:-}
. "$HERE/lib.sh"
mkdir -p "$WORK"

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# seconds FROM TO: of two times in ms
seconds() {
	printf '%d.%03d' $((($2 - $1) / 1000)) $((($2 - $1) % 1000))
}

# stores_are_right NAME: each launch stored one of the numbers that the program gives for its kernel
stores_are_right() {
	sed -n 's/^count //p' "$WORK/$1.out" >"$WORK/$1.stores"
	[ -s "$WORK/$1.stores" ] || fail "$PROGRAM says nothing of what its launches store"
	awk 'NR == FNR { right[$1 " " $3] = 1; next }
	     { launches++ }
	     !(($1 " " $6) in right) { print "launch " FNR ": " $0; wrong++ }
	     END { exit wrong || launches < least }' least="$LAUNCHES" \
		"$WORK/$1.stores" "$WORK/$1.counts" >"$WORK/$1.wrong" && return
	head -n 5 "$WORK/$1.wrong" >&2
	fail "stores are missing in $1.ctrace, or launches"
}

ends_well() {
	native_well native "$PROGRAM" "$LAUNCHES"
	between=$(now_ms)
	traced_well traced "$PROGRAM" "$LAUNCHES"
	end=$(now_ms)
	same_output native traced
	is_complete traced
	stores_are_right traced
}

ends_with_error() {
	native native "$PROGRAM" "$LAUNCHES" "$HOW" || true
	between=$(now_ms)
	traced traced "$PROGRAM" "$LAUNCHES" "$HOW" && fail "the program succeeded in spite of the $HOW"
	end=$(now_ms)
	[ $status -eq 3 ] || fail "exit status $status instead of 3 after a $HOW"
	same_output native traced
	says_incomplete "of a kernel that failed"
}

says_incomplete() {
	info traced
	! "$BIN/launch-counts" --complete <"$WORK/traced.json" >"$WORK/traced.counts" 2>&1 ||
		fail "the trace says that it is complete, $1"
}

drops() {
	native_well native "$PROGRAM" "$LAUNCHES"
	between=$(now_ms)
	traced_well traced env CUDATRACE_ON_FULL=drop CUDATRACE_TEST_CONSUMER_DELAY_NS=500000 \
		"$PROGRAM" "$LAUNCHES"
	end=$(now_ms)
	same_output native traced
	says_incomplete "though the ring was full"
	grep -q 'the ring was full' "$WORK/traced.json" || fail "no loss says that the ring was full"
}

export CUDATRACE_RING="$RING"
start=$(now_ms)
case $HOW in
'') ends_well ;;
drop) drops ;;
*) ends_with_error ;;
esac
echo "native $(seconds "$start" "$between") traced $(seconds "$between" "$end")"
rm -rf "$WORK/traced.ctrace" "$WORK/traced.json" "$WORK/traced.counts"

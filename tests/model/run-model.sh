#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-model.sh MODEL WORK CASE
# Checks the model with spin: all interleavings of a small configuration, or that
# everybody ends, or that what is broken on purpose is found. Exit 77: no spin.
set -eu
MODEL=$1 WORK=$2/$3 CASE=$3
command -v spin >/dev/null || {
	echo "skipped: spin is not installed"
	exit 77
}
mkdir -p "$WORK"
cd "$WORK"

# explore NAME SPIN-OPTIONS COMPILER-OPTIONS SEARCH-OPTIONS: to NAME.log
explore() {
	rm -f pan.*
	spin $2 -a "$MODEL" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
	${CC:-cc} -w -O1 -DCOLLAPSE $3 -o "$1" pan.c
	timeout 200 "./$1" -m2000000 -w22 -n $4 >>"$1.log" 2>&1 || { tail -n 20 "$1.log"; exit 1; }
	! grep -q 'max search depth too small\|out of memory' "$1.log" || { cat "$1.log"; exit 1; }
	states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$1.log")
}

holds() {
	explore "$@"
	grep -q 'errors: 0' "$1.log" || { cat "$1.log"; echo "FAILED: $1 does not hold"; exit 1; }
	echo "$1: holds, $states states"
}

breaks() {
	explore "$@"
	! grep -q 'errors: 0' "$1.log" || { echo "FAILED: $1 is broken and was not found"; exit 1; }
	echo "$1: found"
}

mode=${CASE##*-}
case $CASE in
safe-*) holds "$CASE" "-DMODE=$mode" -DSAFETY "" ;;
run-of-two-*) holds "$CASE" "-DMODE=$mode -DRUN=2 -DRECORDS=2" -DSAFETY "" ;;
three-warps-*) holds "$CASE" "-DMODE=$mode -DWARPS=3 -DRECORDS=1 -DSLOTS=3" -DSAFETY "" ;;
ends-*) holds "$CASE" "-DMODE=$mode -DRECORDS=2 -DLIVE" -DNFAIR=4 "-a -f" ;;
broken-exchange) breaks "$CASE" "-DBREAK_EXCHANGE -DSLOTS=1" -DSAFETY "" ;;
broken-room) breaks "$CASE" -DBREAK_ROOM -DSAFETY "" ;;
broken-progress) breaks "$CASE" -DBREAK_PROGRESS -DSAFETY "" ;;
broken-abort) breaks "$CASE" "-DBREAK_ABORT -DMODE=ABORT -DLIVE" -DNFAIR=4 "-a -f" ;;
broken-near) breaks "$CASE" "-DBREAK_NEAR -DRECORDS=2 -DLIVE" -DNFAIR=4 "-a -f" ;;
*)
	echo "no case $CASE" >&2
	exit 2
	;;
esac

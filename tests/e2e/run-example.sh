#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-example.sh BIN PROGRAM EXPECTATION SIZE WORK [TRACE]
# One example: the same output traced, untraced and again; counts and bytes as
# the closed formulas say; two traces with the same accesses; places in the dump.
# TRACE, of another target, must have the same accesses as well.
set -eu
BIN=$1 PROGRAM=$2 EXPECTATION=$3 SIZE=$4 WORK=$5
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM" "$SIZE"
grep -q ': ok, ' "$WORK/native.out" || fail "the program does not say ok"
traced_well first "$PROGRAM" "$SIZE"
same_output native first
counts_are first "$EXPECTATION" "$SIZE"
traced_well second "$PROGRAM" "$SIZE"
same_accesses "$WORK/first.ctrace" "$WORK/second.ctrace"
[ $# -lt 6 ] || same_accesses "$6" "$WORK/first.ctrace"

timeout "$LIMIT" "$BIN/ctpost" dump "$WORK/first.ctrace" >"$WORK/dump.txt" ||
	fail "ctpost dump cannot read the trace"
grep -Eq '\.(cu|h):[0-9]+:[0-9]+' "$WORK/dump.txt" || fail "the dump names no file:line:column"
rm -rf "$WORK/first.ctrace" "$WORK/second.ctrace" "$WORK/dump.txt"

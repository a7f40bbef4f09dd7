#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-values.sh BIN PROGRAM WORK [TRACE]
# A program with recorded values, the same in every run: two traces hold the same
# accesses and values, thread by thread. TRACE, of another target, as well.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well first "$PROGRAM"
same_output native first
is_complete first
traced_well second "$PROGRAM"
for other in "$WORK/second.ctrace" ${4:+"$4"}; do
	same_accesses "$other" "$WORK/first.ctrace" --values
done
rm -rf "$WORK/first.ctrace" "$WORK/second.ctrace"

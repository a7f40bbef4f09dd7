#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-same.sh BIN PROGRAM PROGRAM WORK [--values]
# Two builds of one program: the same output, and by every thread the same
# accesses in the same order; with their values.
# construct: option --ct-groups
# construct: option --ct-loops
set -eu
BIN=$1 FIRST=$2 SECOND=$3 WORK=$4
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

traced_well first "$FIRST"
traced_well second "$SECOND"
same_output first second
is_complete first
is_complete second
same_accesses "$WORK/first.ctrace" "$WORK/second.ctrace" ${5:+"$5"}
rm -rf "$WORK/first.ctrace" "$WORK/second.ctrace"

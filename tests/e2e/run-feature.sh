#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-feature.sh BIN PROGRAM WORK
# A program that checks one language or library feature itself: it must succeed
# traced and untraced with the same output, and its trace must be complete.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
mkdir -p "$WORK"

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
is_complete traced
rm -rf "$WORK/traced.ctrace"

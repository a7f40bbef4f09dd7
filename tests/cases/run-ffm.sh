#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-ffm.sh BIN SOURCE WORK
# `ctrun ffm` of a program whose needless calls are marked in its source, each in the line behind its
# mark (tests/cli/ffm/marks.sh): they are found as often as the mark says, and nothing else is; `// reported:
# WORDS` are in what is said. Each run of the program prints the same and ends well.
set -eu
BIN=$1 SOURCE=$2 WORK=$3
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

. "$(dirname "$0")/../cli/ffm/marks.sh"
name=$(basename "$SOURCE" .cu)
# Late work must be late also where others use the processor: work of the host takes longer.
slow=
! grep -q '// problem: misplaced' "$SOURCE" || slow=-DMS=40000L
"$BIN/cuda-trace-clang++" --ct-target=cpu --ct-host -O2 -g $slow "$SOURCE" -o "$name" 2>log || fail "$(cat log)"
CUDATRACE=off "./$name" >plain 2>log || fail "it does not run: $(cat log)"
"$BIN/ctrun" ffm -o study -- "./$name" >out 2>log || fail "ctrun ffm: $(cat log)"
sort -u plain >once # each stage runs it
sort -u out | diff once - >&2 || fail "another output"
"$BIN/ctpost" ffm --json --far=$far study >json 2>log || fail "ctpost ffm: $(cat log)"
as_marked "$SOURCE" json
sed -n 's|.*// reported: ||p' "$SOURCE" | while read -r words; do
	grep -qF -- "$words" json || fail "it is not reported: $words"
done

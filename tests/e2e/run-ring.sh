#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-ring.sh BIN PROGRAM WORK
# However many consumers, however small the ring, whatever the codec: the same accesses.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"

CUDATRACE_CONSUMERS=1 traced_well reference "$PROGRAM"
is_complete reference

# same NAME VARIABLE=VALUE...
same() {
	name=$1
	shift
	rm -rf "$WORK/$name.ctrace"
	run_well "$name" env CUDATRACE_OUTPUT="$WORK/$name.ctrace" "$@" "$PROGRAM"
	same_output reference "$name"
	is_complete "$name"
	same_accesses "$WORK/reference.ctrace" "$WORK/$name.ctrace"
}

for codec in none delta zstd delta-zstd auto; do
	same codec-$codec CUDATRACE_CODEC=$codec CUDATRACE_CONSUMERS=3
done
same level-0 CUDATRACE_LEVEL=0
for consumers in 1 2 14 64; do
	same tiny-$consumers CUDATRACE_RING=8K CUDATRACE_CONSUMERS=$consumers
done
# 20 ms for each chunk: whoever needs a third one waits; on a busy machine, that takes longer to fill
# two of them, with more.
for milliseconds in 20 200 2000; do
	same slow CUDATRACE_RING=8K CUDATRACE_CONSUMERS=1 CUDATRACE_TEST_CONSUMER_DELAY_NS=${milliseconds}000000
	! grep -q '"ring_waits": [1-9]' "$WORK"/slow.ctrace/manifest*.json || break
done
grep -q '"ring_waits": [1-9]' "$WORK"/slow.ctrace/manifest*.json ||
	fail "nothing waited for a ring of two chunks with a slow consumer"
# All chunks have room in the usual ring.
grep -q '"ring_waits": 0,' "$WORK"/level-0.ctrace/manifest*.json ||
	fail "somebody waited for the usual ring"

# Sizes on the disk are in the order that codecs promise.
bytes() {
	cat "$WORK/codec-$1.ctrace"/device-*.ct | wc -c
}
[ "$(bytes delta-zstd)" -lt "$(bytes zstd)" ] || fail "delta-zstd is no smaller than zstd"
[ "$(bytes delta)" -lt "$(bytes none)" ] || fail "delta is no smaller than none"

# Impossible values are reported, and the default is taken.
run bad env CUDATRACE_OUTPUT="$WORK/bad.ctrace" CUDATRACE_CONSUMERS=65 CUDATRACE_CODEC=lz4 "$PROGRAM" ||
	fail "bad options end the program"
grep -q 'CUDATRACE_CONSUMERS=65' "$WORK/bad.err" || fail "65 consumers are taken"
grep -q 'CUDATRACE_CODEC=lz4' "$WORK/bad.err" || fail "an unknown codec is taken"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-trace-cost.sh BIN PROGRAM WORK
# bench/trace-cost in small: the traces of all shapes hold what the formulas say,
# with a comfortable ring and with one of two chunks, slow consumers and four
# streams; and what is lost, or is not as expected, is found.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"
SHAPES=$("$PROGRAM" --list | wc -l)

# cost NAME OPTION...
cost() {
	name=$1
	shift
	run "$name" "$PROGRAM" --log-elements=12 --repeats=1 --burst=3 --keep \
		--output="$WORK/$name.traces" --json="$WORK/$name.json" --verify="$BIN/ctpost" "$@"
}
# all_sound NAME: every shape has a sound trace
all_sound() {
	[ "$(grep -c '^sound: ' "$WORK/$1.err")" = "$SHAPES" ] ||
		fail "$1: not all traces are sound: $(cat "$WORK/$1.err")"
	if command -v jq >/dev/null; then
		jq -e ".shapes | length == $SHAPES" "$WORK/$1.json" >"$WORK/jq" ||
			fail "$1: the JSON is not sound"
	fi
	[ "$(grep -o '"verified": true' "$WORK/$1.json" | wc -l)" = "$SHAPES" ] ||
		fail "$1: the JSON does not say so"
}

cost roomy || fail "trace-cost failed: $(cat "$WORK/roomy.err")"
all_sound roomy
export CUDATRACE_RING=8K CUDATRACE_CONSUMERS=3 CUDATRACE_TEST_CONSUMER_DELAY_NS=20000
cost narrow --streams=4 || fail "trace-cost failed: $(cat "$WORK/narrow.err")"
all_sound narrow
# Now records are lost, and that is found.
export CUDATRACE_ON_FULL=drop CUDATRACE_TEST_CONSUMER_DELAY_NS=20000000
! cost drops --shapes=gather || fail "lost records were not found"
grep -q 'chunks of records are lost' "$WORK/drops.err" || fail "the loss is not reported"
grep -q ' accesses instead of ' "$WORK/drops.err" || fail "missing accesses are not reported"
unset CUDATRACE_RING CUDATRACE_CONSUMERS CUDATRACE_TEST_CONSUMER_DELAY_NS CUDATRACE_ON_FULL

# Each shape's expectation can fail, in each of its figures.
for shape in $("$PROGRAM" --list); do
	expect="$WORK/roomy.traces/$shape.expect"
	for edit in 's/"hash": "0x\(.\)/"hash": "0x1\1/' 's/"sum": "0x\(.\)/"sum": "0x1\1/g' \
		's/"squares": "0x\(.\)/"squares": "0x1\1/g' 's/"count": /"count": 1/g'; do
		sed "$edit" "$expect" >"$WORK/wrong"
		! "$BIN/ctpost" verify --expect="$WORK/wrong" "$WORK/roomy.traces/$shape.proof.ctrace" \
			>"$WORK/out" || fail "$shape: '$edit' is not found"
	done
done
# The order is reported from another with the same accesses: that of other lines.
sed 's/"by": "warp"/"by": "lane"/' "$WORK/roomy.traces/stream.expect" >"$WORK/lane"
"$BIN/ctpost" verify --expect="$WORK/lane" "$WORK/roomy.traces/stream.proof.ctrace" >"$WORK/out" ||
	fail "warps that stay together have another order by lane"
run thesis "$PROGRAM" --log-elements=10 --repeats=1 --burst=1 --thesis=10 --shapes=stream,hist \
	--output="$WORK/thesis.traces" || fail "the protocol of seed 001: $(cat "$WORK/thesis.err")"
[ "$(grep -c ' 0$' "$WORK/thesis.out")" = 2 ] || fail "the protocol of seed 001 lost records"

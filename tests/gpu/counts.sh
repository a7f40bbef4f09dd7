#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# counts.sh BUNDLE RESULTS
# Tiers counts, blocks and values on this machine's GPU against full traces of the same programs,
# figure by figure. Writes RESULTS/counts.md and a log per test.
# Exit 0: all equal; 1: some differ; 77: no device.
set -eu
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
BIN="$BUNDLE/bin" PROGRAMS="$BUNDLE/programs" E2E="$BUNDLE/e2e"
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LIMIT="${LIMIT:-60}"
passed=0 failed=0

device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || {
	echo "counts.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	echo "$(date -u +%F), $device"
	echo
	echo "| program | figures compared | result |"
	echo "|---|---|---|"
} >"$RESULTS/counts.md"

# check NAME PROGRAM [ARGUMENT...]
script=run-counts.sh
check() {
	what=$1 program=$2
	shift 2
	log="$RESULTS/counts-$what.log"
	if "$E2E/$script" "$BIN" "$program" "$work/$what" "$@" >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1)) result=equal
	else
		failed=$((failed + 1)) result="**differs**: $(grep -m 1 '^launch\|FAILED' "$log" || tail -n 1 "$log")"
	fi
	figures=$(sed -n 's/^\([0-9]*\) figures.*/\1/p' "$log")
	echo "| $what | ${figures:-none} | $result |" | tee -a "$RESULTS/counts.md"
}

grep -v '^#' "$E2E/programs.txt" >"$work/programs"
while read -r name sizes sources; do
	for size in $(echo "$sizes" | tr , ' '); do
		check "$name-$size" "$PROGRAMS/$name" "$size"
	done
done <"$work/programs"
# Not those whose masks or accesses differ from run to run: they poll, draw lots or race (atomics).
for feature in asm_memory async async_copies calls clusters divergence graph-launches loads matrices \
	memory objects pointers rdc regular series shared simd specialise statements transfers transfers-ptds \
	variables wide_atomics; do
	[ ! -x "$PROGRAMS/feature-$feature" ] || check "$feature" "$PROGRAMS/feature-$feature"
done
[ ! -x "$PROGRAMS/counts-hundreds" ] || check hundreds "$PROGRAMS/counts-hundreds"
# Tier blocks, of programs that were compiled for it
export TIER=blocks
for feature in regular loads blocks; do
	[ ! -x "$PROGRAMS/blocks-$feature" ] || check "blocks-$feature" "$PROGRAMS/blocks-$feature"
done
# Tier values, of programs without races
unset TIER
script=run-summary.sh
[ ! -x "$PROGRAMS/values-summary" ] ||
	check values-summary "$PROGRAMS/values-summary" "$E2E/summary/summary.cu"
[ ! -x "$PROGRAMS/values-regular" ] || check values-regular "$PROGRAMS/values-regular"
echo "$passed equal, $failed differ" | tee -a "$RESULTS/counts.md"
[ $failed -eq 0 ]

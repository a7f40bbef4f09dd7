#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUNDLE RESULTS
# Runs every program of a bundle (bundle.sh) on this machine's GPU, native and
# traced: outputs, counts and bytes against the formulas, accesses and values against
# the CPU target's traces, figures of values by hand, features, errors. Writes RESULTS/gpu.md and a log per test.
# Exit 0: all passed; 1: some failed; 77: no device.
set -eu
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
BIN="$BUNDLE/bin" PROGRAMS="$BUNDLE/programs" E2E="$BUNDLE/e2e"
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$BIN:$PATH" # what they need lies there
export LIMIT="${LIMIT:-60}"
export CUDATRACE_KEEP_FREE=off # full disks are tested as such
passed=0 failed=0 skipped=0

device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || {
	echo "run.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
{
	echo "$(date -u +%F), $device"
	echo
	echo "| test | result |"
	echo "|---|---|"
} >"$RESULTS/gpu.md"

# check NAME COMMAND...
check() {
	test=$1
	shift
	status=0
	"$@" >"$RESULTS/$test.log" 2>&1 </dev/null || status=$?
	case $status in
	0) passed=$((passed + 1)) result=passed ;;
	77) skipped=$((skipped + 1)) result="skipped: $(tail -n 1 "$RESULTS/$test.log")" ;;
	*) failed=$((failed + 1)) result="**failed**: $(grep -m 1 FAILED "$RESULTS/$test.log" || tail -n 1 "$RESULTS/$test.log")" ;;
	esac
	echo "| $test | $result |" | tee -a "$RESULTS/gpu.md"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep -v '^#' "$E2E/programs.txt" >"$work/programs"
while read -r name sizes sources; do
	first=${sizes%%,*}
	check "$name-$first" "$E2E/run-example.sh" "$BIN" "$PROGRAMS/$name" \
		"$E2E/expect/$name.expect" "$first" "$work/$name" "$BUNDLE/cpu/$name.ctrace"
	for size in $(echo "${sizes#*,}" | tr , ' '); do
		check "$name-$size" "$E2E/run-example.sh" "$BIN" "$PROGRAMS/$name" \
			"$E2E/expect/$name.expect" "$size" "$work/$name-$size"
	done
done <"$work/programs"
check saxpy "$E2E/run-example.sh" "$BIN" "$PROGRAMS/saxpy" "$E2E/expect/saxpy.expect" 1000 "$work/saxpy"
check values-regular "$E2E/run-values.sh" "$BIN" "$PROGRAMS/values-regular" "$work/values-regular" \
	"$BUNDLE/cpu/values-regular.ctrace"
check value-truths "$E2E/run-value-truths.sh" "$BIN" "$PROGRAMS/value-truths" "$work/value-truths" "$E2E/values/truths.cu"
check value-contents "$E2E/run-value-contents.sh" "$BIN" "$PROGRAMS/value-contents" "$work/value-contents"
check value-fetches "$E2E/run-value-contents.sh" "$BIN" "$PROGRAMS/value-fetches" "$work/value-fetches"
check value-objects "$E2E/run-value-objects.sh" "$BIN" "$PROGRAMS/value-objects" "$work/value-objects" "$E2E/values/objects.cu"
for program in "$PROGRAMS"/feature-*; do
	[ -e "$program" ] || continue
	name=$(basename "$program")
	check "$name" "$E2E/run-feature.sh" "$BIN" "$program" "$work/$name"
done
for feature in regular series; do
	check "same-$feature" "$E2E/run-same.sh" "$BIN" "$PROGRAMS/feature-$feature" \
		"$PROGRAMS/single-$feature" "$work/same-$feature"
done
for case in return async-return exit async-exit reset trap assert fault kill unwritable disk-full overlap; do
	check "error-$case" "$E2E/run-error.sh" "$BIN" "$PROGRAMS" $case "$work/error-$case"
done
echo "$passed passed, $failed failed, $skipped skipped" | tee -a "$RESULTS/gpu.md"
[ $failed -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh BUNDLE RESULTS [PROGRAM...]
# ctpost compare on a GPU: the programs of profile.sh (or those named) are profiled, again, and with
# each planted problem fixed. Of each fix: what became of the problem, what was predicted of it,
# and what the kernel, the calls and the run say; of the two profiles of one program: nothing is gone
# and nothing is new. Writes RESULTS/compare.md, and each comparison as text and JSON.
# Exit 0: each problem that was fixed is gone or worth less, and nothing changes by itself; 1: not;
# 77: no device.
set -eu
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- heat particles spmv filter matrix steps ahead rows spill
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
export PATH="$BUNDLE/bin:$PATH"
nvidia-smi >/dev/null 2>&1 || {
	echo "compare.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# profiled STUDY PROGRAM ARGUMENT...
profiled() {
	study=$1 binary=$BUNDLE/programs/$2
	shift 2
	timeout 120 ctrun profile -o "$work/$study" -- "$binary" "$@" >"$RESULTS/$study.list" 2>"$RESULTS/$study.log" || {
		cat "$RESULTS/$study.log"
		failed=1
	}
}

# compared BEFORE AFTER
compared() {
	ctpost compare --json "$work/$1" "$work/$2" >"$RESULTS/$2.json" 2>>"$RESULTS/$2.log" || failed=1
	ctpost compare "$work/$1" "$work/$2" >"$RESULTS/$2.txt" 2>>"$RESULTS/$2.log" || failed=1
}

# fix PROGRAM FIX JQ ARGUMENT...: the planted problems that JQ chooses
fix() {
	program=$1 name=$2 choice=$3
	shift 3
	profiled "$program-$name" "$program-$name-all" "$@"
	compared "$program" "$program-$name"
	jq -r --arg name "$program $name" '.compared_runs[0] as $run |
		def ms: if . == null then "" else . * 1e5 | round / 100 | tostring end;
		def row: "| \($name) | \(.state) | \(.worth_seconds_before | ms) | \(.worth_seconds_after | ms) | \(.measured // "") | \(.measured_seconds_before | ms) | \(.measured_saved_seconds | ms) | \($run.saved_seconds | ms) | \($run.gone) | \($run.new) |";
		[.compared_problems[] | select(.problem_before) | select('"$choice"')] |
			if . == [] then "| \($name) | **not found** | | | | | | | | |" else .[] | row end' "$RESULTS/$program-$name.json"
	jq -e '[.compared_problems[] | select(.problem_before) | select('"$choice"')] | . != [] and
		all(.[]; .state == "gone" or (.state == "remains" and .worth_seconds_after < .worth_seconds_before))' \
		"$RESULTS/$program-$name.json" >"$work/log" || failed=1
}

# same PROGRAM ARGUMENT...: profiled, and once more
same() {
	program=$1
	profiled "$program" "$@"
	shift
	profiled "$program-again" "$program" "$@"
	compared "$program" "$program-again"
	jq -r --arg name "$program again" '.compared_runs[0] | "| \($name) | \(.remaining) remain | | | | | | \(.saved_seconds * 1e5 | round / 100) | \(.gone) | \(.new) |"' \
		"$RESULTS/$program-again.json"
	jq -e '.compared_runs[0] | .gone == 0 and .new == 0 and .unknown == 0' "$RESULTS/$program-again.json" >"$work/log" || failed=1
}

heat() {
	same heat 2048 200
	fix heat FIX_MEANS '.finding == "strided-accesses"' 2048 200
	fix heat FIX_COPY '.finding == "unnecessary-transfer"' 2048 200
	fix heat FIX_WAIT '.finding == "unnecessary-synchronization" and (.text | test("DeviceSynchronize"))' 2048 200
}

particles() {
	same particles 4000000 200
	fix particles FIX_LAYOUT '.finding == "array-of-structures"' 4000000 200
	fix particles FIX_BANKS '.finding == "bank-conflicts"' 4000000 200
	fix particles FIX_ALLOCATION '.finding | test("alloc")' 4000000 200
}

spmv() {
	same spmv 200000 200
	fix spmv FIX_ROWS '.analysis == "access" and (.kernel // "" | test("multiply"))' 200000 200
	fix spmv FIX_COUNTS '.finding == "contended-atomics"' 200000 200
	fix spmv FIX_WAIT '.finding == "unnecessary-synchronization"' 200000 200
}

filter() {
	same filter 4000000 50
	# One problem with two remedies, of which either may save more.
	grep -q 'Put taps into constant memory' "$RESULTS/filter.list" || failed=1
	fix filter FIX_CONSTANT '.analysis == "memories"' 4000000 50
}

matrix() {
	same matrix 1024 20
	fix matrix FIX_TILES '.finding == "shared-memory"' 1024 20
}

steps() {
	same steps 4096 2000
	fix steps FIX_GRAPH '.finding == "launch-bound"' 4096 2000
}

ahead() {
	same ahead 200 500
	fix ahead FIX_AHEAD '.finding == "host-bound"' 200 500
}

rows() {
	same rows 1024 50
	fix rows FIX_GRID '.finding == "idle-sms"' 1024 50
	fix rows FIX_REGISTER '.finding | test("redundant-loads|overwritten-stores")' 1024 50
}

spill() {
	same spill 8192 400
	fix spill FIX_BOUNDS '.finding == "spills"' 8192 400
}

{
	echo "| fix | problem | predicted, ms | now | measured by | before, ms | saved | run saved | gone | new |"
	echo "|---|---|---:|---:|---|---:|---:|---:|---:|---:|"
	for program; do
		"$program"
	done
} >"$RESULTS/compare.md"
cat "$RESULTS/compare.md"
exit $failed

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# profile.sh BUNDLE RESULTS [ROUNDS]
# ctrun profile on a GPU: the problems that were planted in examples/heat, particles and spmv, and in
# tests/gpu/fixes, what their list says that fixing each saves, beside what it saves (medians of
# ROUNDS runs, 7), and what all runs of a profile cost. Writes RESULTS/profile.md and the lists.
# Exit 0: each is found, and none is wrong in sign; 1: not; 77: no device.
set -eu
[ $# -ge 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
rounds=${3:-7}
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
export PATH="$BUNDLE/bin:$PATH"
nvidia-smi >/dev/null 2>&1 || {
	echo "profile.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# seconds WHAT PROGRAM ARGUMENT...: the median of what its kernels take, or of what the run takes from
# its first launch to the end of its last copy; devices are begun before, for whatever that takes.
# itself: what it says that it took, without ctrun: recording a launch takes as long as others do.
seconds() {
	what=$1
	shift
	for _ in $(seq "$rounds"); do
		[ "$what" != itself ] || {
			CUDATRACE=off timeout 60 "$@" 2>&1 >"$work/out" | sed -n 's/^took \(.*\) s$/\1/p'
			continue
		}
		rm -rf "$work/run"
		timeout 60 ctrun --calls=only -o "$work/run" -- "$@" >"$work/out" 2>&1 || continue
		case $what in
		kernels) ctpost calls --json "$work/run" | jq '[.kernel_times[].seconds] | add' ;;
		run) ctpost dump --tables=call --format=jsonl "$work/run" |
			jq -s '([.[] | select(.name // "" | test("Launch")) | .begin_ns] | min) as $begin |
				(([.[] | select(.name // "" | test("Memcpy")) | .begin_ns + .duration_ns] | max) - $begin) / 1e9' ;;
		esac
	done | sort -g | sed -n "$(((rounds + 1) / 2))p"
}

# fix PROGRAM FIX WHAT JQ ARGUMENT...: the problems that JQ chooses, beside the program with FIX
fix() {
	program=$1 name=$2 what=$3 choice=$4
	shift 4
	predicted=$(jq -r "[.problems[] | select($choice) | .worth_seconds // 0] | add // \"none\"" "$work/$program.json")
	[ "$predicted" != none ] || {
		echo "| $program $name | **not found** | | | |"
		failed=1
		return
	}
	bound=$(jq -r "[.problems[] | select($choice) | .bound_seconds // 0] | add" "$work/$program.json")
	before=$(seconds "$what" "$BUNDLE/programs/$program-plain" "$@")
	after=$(seconds "$what" "$BUNDLE/programs/$program-$name" "$@")
	echo "$predicted $bound $before $after" | awk -v name="$program $name" '{
		saved = $3 - $4
		printf "| %s | %.3f | %.3f | %.3f | %.3f | %s |\n", name, 1e3 * $3, 1e3 * $1, 1e3 * $2, 1e3 * saved,
			saved ? sprintf("%+.0f %%", 100 * ($1 - saved) / saved) : "" }'
}

# profiled PROGRAM ARGUMENT...
profiled() {
	program=$1
	shift
	began=$(date +%s%N)
	timeout 120 ctrun profile -o "$work/$program.study" -- "$BUNDLE/programs/$program" "$@" >"$RESULTS/$program.list" \
		2>"$RESULTS/$program.log" || { cat "$RESULTS/$program.log"; failed=1; }
	took=$((($(date +%s%N) - began) / 1000000))
	ctpost findings --all --json "$work/$program.study" >"$work/$program.json" 2>>"$RESULTS/$program.log"
	cp "$work/$program.json" "$RESULTS/$program.json"
	began=$(date +%s%N)
	CUDATRACE=off "$BUNDLE/programs/$program" "$@" >"$work/out"
	plain=$((($(date +%s%N) - began) / 1000000))
	echo "$program: all of it $took ms, the program $plain ms, $(du -sk "$work/$program.study" | cut -f1) kB" >>"$RESULTS/cost"
}

: >"$RESULTS/cost"
{
	echo "| fix | before, ms | predicted | at most | saved | off |"
	echo "|---|---:|---:|---:|---:|---:|"
	profiled heat 2048 200
	fix heat FIX_MEANS kernels '.finding == "strided-accesses"' 2048 200
	fix heat FIX_COPY run '.finding == "unnecessary-transfer"' 2048 200
	fix heat FIX_WAIT run '.finding == "unnecessary-synchronization" and (.text | test("DeviceSynchronize"))' 2048 200
	profiled particles 4000000 200
	fix particles FIX_LAYOUT kernels '.finding == "array-of-structures"' 4000000 200
	fix particles FIX_BANKS kernels '.finding == "bank-conflicts"' 4000000 200
	fix particles FIX_ALLOCATION run '.finding | test("alloc")' 4000000 200
	profiled spmv 200000 200
	fix spmv FIX_ROWS kernels '.kernel // "" | test("multiply")' 200000 200
	fix spmv FIX_COUNTS kernels '.finding == "contended-atomics"' 200000 200
	fix spmv FIX_WAIT run '.finding == "unnecessary-synchronization"' 200000 200
	profiled filter 4000000 50
	# One problem with two remedies, of which either may save more.
	grep -q 'Put taps into constant memory' "$RESULTS/filter.list" || failed=1
	fix filter FIX_CONSTANT kernels '.analysis == "memories"' 4000000 50
	profiled matrix 1024 20
	fix matrix FIX_TILES kernels '.finding == "shared-memory"' 1024 20
	profiled steps 4096 2000
	fix steps FIX_GRAPH itself '.finding == "launch-bound"' 4096 2000
	profiled ahead 200 500
	fix ahead FIX_AHEAD itself '.finding == "host-bound"' 200 500
	profiled rows 1024 50
	fix rows FIX_GRID kernels '.finding == "idle-sms"' 1024 50
	fix rows FIX_REGISTER kernels '.finding | test("redundant-loads|overwritten-stores")' 1024 50
	profiled spill 8192 400
	fix spill FIX_BOUNDS kernels '.finding == "spills"' 8192 400
} >"$RESULTS/profile.md"
cat "$RESULTS/profile.md" "$RESULTS/cost"
exit $failed

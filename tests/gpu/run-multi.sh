#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-multi.sh BIN E2E PROGRAMS RING WORK CASE...
# Programs of several devices and of several processes, untraced and traced: the
# results are the same, nothing is lost, and each process, device and kernel did
# what the program says. CASEs: devices, devices-ptds, processes, ranks.
set -eu
BIN=$1 HERE=$2 PROGRAMS=$3 RING=$4 WORK=$5
shift 5
. "$HERE/lib.sh"
command -v jq >/dev/null || {
	echo "jq not found: skipped" >&2
	exit 77
}
rm -rf "$WORK"
mkdir -p "$WORK"
unset CUDATRACE_OUTPUT CUDATRACE_RUN
export CUDATRACE_RING="$RING"

# ctrun NAME OPTION... -- COMMAND...
ctrun() {
	name=$1
	shift
	run_well "$name" "$BIN/ctrun" -o "$WORK/$name.ctrace" "$@"
	is_complete "$name"
}

# says NAME FILTER EXPECTED: what jq makes of NAME's ctpost info --json
says() {
	got=$(jq -c "$2" "$WORK/$1.json")
	[ "$got" = "$3" ] || fail "$1: $2 is $got instead of $3"
}

# All launches of a kernel together, as "count KERNEL LAUNCHES loads N stores N".
kernels='.launch_counts as $counts |
	[.launches[] | {k: (.kernel | split("(")[0] | split(" ")[-1]), of: [.part, .launch]}] | group_by(.k)[] | map(.of) as $of |
	[$counts[] | select([.part, .launch] | IN($of[]))] as $c |
	"count \(.[0].k) \(length) loads \([$c[] | select(.class == "load").threads] | add // 0) stores \([$c[] | select(.class == "store").threads] | add // 0)"'

# orders NAME: what the second gather reads was written by the step before it, on the other device
orders() {
	"$BIN/ctpost" comm --json "$WORK/$1.ctrace" >"$WORK/$1.comm" || fail "ctpost comm cannot read $1.ctrace"
	got=$(jq -c '[.kernel_pairs[] | select([.source_kernel, .target_kernel] == ["step", "gather"]) | .bytes] | add' \
		"$WORK/$1.comm")
	[ "$got" = "$2" ] || fail "$1: gather reads $got bytes of step instead of $2"
}

devices() {
	run native env CUDATRACE=off "$PROGRAMS/$1" 12 4 || {
		[ $status -ne 77 ] || {
			cat "$WORK/native.out" >&2
			exit 77
		}
		cat "$WORK/native.out" "$WORK/native.err" >&2
		fail "$1: exit status $status untraced"
	}
	ctrun "$1" -- "$PROGRAMS/$1" 12 4
	same_output native "$1"
	jq -r "$kernels" "$WORK/$1.json" | sort >"$WORK/$1.counted"
	grep '^count' "$WORK/$1.out" | grep -v ' 0 loads' | sort | diff - "$WORK/$1.counted" >&2 ||
		fail "$1: launches, loads or stores differ"
	# 12 rounds of 4 host threads for each device; one step more on each, and one elsewhere.
	says "$1" '[.launches[] | select(.kernel | test("add")) | .device] | group_by(.) | map(length)' '[48,48]'
	# Half of those threads have no stream of their own, but the default one.
	default=48
	[ "$1" = devices ] || default=0
	says "$1" '[.launches[] | select((.kernel | test("add")) and .stream == 0)] | length' $default
	says "$1" '[.launches[] | select(.kernel | test("step")) | .device] | group_by(.) | map(length)' '[13,14]'
	says "$1" '[.devices[].device] | sort | unique' '[0,1]'
	# A wait for a stream of another device than the current one orders what the other reads.
	! grep -q gather "$WORK/$1.counted" || orders "$1" $((2 * 1920 * 4))
}

for case; do
	case $case in
	devices | devices-ptds)
		devices "$case"
		;;
	processes)
		ctrun processes -- "$PROGRAMS/many" exec 1000 100 200 300
		says processes '[.launch_counts[] | select(.class == "store").threads] | sort' '[100,200,300,1000]'
		says processes '[.processes[].part]' '[0,1,2,3]'
		;;
	ranks)
		# As a launcher would, with a ctrun for each: 3 ranks, then 2 into the same directory.
		for ranks in 3 2; do
			children=
			for rank in $(seq 0 $((ranks - 1))); do
				CUDATRACE_RANK=$rank CUDATRACE_RANKS=$ranks CUDATRACE_JOB=job-$ranks \
					"$BIN/ctrun" -o "$WORK/ranks.ctrace" -- "$PROGRAMS/many" exec \
					$((100 + rank)) $((200 + rank)) >>"$WORK/ranks.out" 2>&1 &
				children="$children $!"
			done
			for child in $children; do
				wait "$child" || fail "a rank failed: $(cat "$WORK/ranks.out")"
			done
		done
		is_complete ranks
		says ranks '[.processes[].rank] | sort' '[0,0,1,1]'
		says ranks '[.launch_counts[] | select(.class == "store").threads] | sort' '[100,101,200,201]'
		;;
	*)
		fail "no such case: $case"
		;;
	esac
	echo "$case with a ring of $RING: passed"
done
rm -rf "$WORK"

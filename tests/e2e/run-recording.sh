#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-recording.sh BIN CASE WORK
# What the compiler's options select is recorded, and nothing else.
# construct: option --ct-kinds
# construct: option --ct-kernels
# construct: option --ct-files
# construct: option --ct-list
# construct: option --ct-spaces
# construct: option --ct-values
# construct: option --ct-events
# construct: option --ct-report
# construct: call path of functions that are not inlined
# construct: call path of inlined functions
# construct: call of a function that does not return
set -eu
BIN=$1 CASE=$2 WORK=$3
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"

# compiled OPTION...: the program with these options, and its trace run.ctrace
compiled() {
	run_well compile "$HERE/build.sh" "$BIN/cuda-trace-clang++" "$WORK/program" --ct-target=cpu \
		"$@" "$HERE/recording.cu"
	native_well native "$WORK/program"
	traced_well run "$WORK/program"
	same_output native run
	info run
	"$BIN/launch-counts" --reasons <"$WORK/run.json" >"$WORK/counts"
}

# is LINE...: the launches' counts
is() {
	printf '%s\n' "$@" >"$WORK/expected"
	diff "$WORK/expected" "$WORK/counts" >&2 || fail "$CASE: other counts (< expected, > traced)"
}

# dumped NUMBER REGEX OPTION...: so many lines of the dump match
dumped() {
	number=$1 regex=$2
	shift 2
	timeout "$LIMIT" "$BIN/ctpost" dump "$@" "$WORK/run.ctrace" >"$WORK/dump"
	found=$(grep -cE -e "$regex" "$WORK/dump") || :
	[ "$found" -eq "$number" ] && return
	cat "$WORK/dump" >&2
	fail "$CASE: $found lines match $regex, not $number"
}

mixed='mixed load 64 256 store 64 256 atomic 32 128'
nested='nested load 64 256 store 96 384 atomic 0 0'

case $CASE in
kinds)
	compiled --ct-kinds=store,atomic
	is 'mixed load 0 0 store 64 256 atomic 32 128' 'nested load 0 0 store 96 384 atomic 0 0'
	compiled --ct-kinds=load
	is 'mixed load 64 256 store 0 0 atomic 0 0' 'nested load 64 256 store 0 0 atomic 0 0'
	;;
kernels)
	compiled --ct-kernels='^mix'
	is "$mixed" 'nested: kernel not selected (--ct-kernels)'
	;;
files)
	compiled --ct-files='*/recording.cu'
	is "$mixed" "$nested"
	compiled --ct-files='other.cu'
	is 'mixed load 0 0 store 0 0 atomic 0 0' 'nested load 0 0 store 0 0 atomic 0 0'
	;;
list)
	printf '%s\n' 'deny kernel ^mixed$' 'deny function ^stop' >"$WORK/rules"
	compiled --ct-list="$WORK/rules"
	is "mixed: kernel not selected (--ct-list, $WORK/rules:1)" \
		'nested load 64 256 store 64 256 atomic 0 0'
	;;
spaces)
	compiled --ct-spaces=shared,constant --ct-kernels=mixed
	is 'mixed load 0 0 store 0 0 atomic 0 0' 'nested: kernel not selected (--ct-kernels)'
	dumped 2 'load' --space=constant
	dumped 2 'load' --space=shared --operation=load
	dumped 2 'store' --space=shared --operation=store
	dumped 0 . --space=global
	;;
values)
	compiled --ct-values
	is "$mixed" "$nested"
	# loads of 3 * thread, and one atomic that returned nothing but zeros
	dumped 32 '"thread":(([0-9])|([0-9]{2})).*' --format=jsonl --threads --values --operation=atomic
	timeout "$LIMIT" "$BIN/ctpost" dump --format=jsonl --threads --values --kernel=mixed \
		--operation=load "$WORK/run.ctrace" >"$WORK/dump"
	cat "$WORK/dump"
	;;
events)
	compiled --ct-events=barrier,block
	is "$mixed" "$nested"
	dumped 2 ' barrier ' --events --kernel=mixed
	# entry, after the barrier, the branch of the first warp, what follows
	dumped 1 ' block .*' --events --kernel=mixed --operation=block
	;;
report)
	compiled --ct-report
	is "$mixed" "$nested"
	grep -q '^kernel mixed at .*recording.cu:' "$WORK/compile.err" || fail "no report of mixed"
	grep -Eq '^  \+ device function called\(' "$WORK/compile.err" || fail "no report of called"
	grep -Eq '^  load +global +1 +0 +0 +0 +0' "$WORK/compile.err" || fail "no load in the report"
	;;
paths)
	compiled
	is "$mixed" "$nested"
	dumped 2 'load' --paths --kernel=nested --operation=load
	cat "$WORK/dump"
	dumped 1 'stop' --paths --kernel=nested --operation=store
	cat "$WORK/dump"
	;;
*)
	fail "no case $CASE"
	;;
esac

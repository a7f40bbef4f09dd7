#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-recording.sh BIN CASE WORK
# Accesses that the compiler's options select are recorded, and nothing else.
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
nested='nested load 192 768 store 96 384 atomic 0 0'

case $CASE in
kinds)
	compiled --ct-kinds=store,atomic
	is 'mixed load 0 0 store 64 256 atomic 32 128' 'nested load 0 0 store 96 384 atomic 0 0'
	compiled --ct-kinds=load
	is 'mixed load 64 256 store 0 0 atomic 0 0' 'nested load 192 768 store 0 0 atomic 0 0'
	;;
kernels)
	compiled --ct-kernels='^mix'
	is "$mixed" 'nested: kernel not selected (--ct-kernels)'
	;;
files)
	compiled --ct-files='*/recording*'
	is "$mixed" "$nested"
	compiled --ct-files='*/other*'
	is 'mixed load 0 0 store 0 0 atomic 0 0' 'nested load 0 0 store 0 0 atomic 0 0'
	;;
list)
	printf '%s\n' 'deny kernel ^mixed$' 'deny function ^stop' >"$WORK/rules"
	compiled --ct-list="$WORK/rules"
	is "mixed: kernel not selected (--ct-list, $WORK/rules:1)" \
		'nested load 192 768 store 64 256 atomic 0 0'
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
	# the first warp's values of in, its atomics, and what the last warp stores
	dumped 1 'load .* value 0,3,6,9,.*,87,90,93$' --values --kernel=mixed
	dumped 1 'atomic_add .* value 7 x32 returned 0 x32$' --values --kernel=mixed
	dumped 1 'store .* value 93,90,87,.*,6,3,0$' --values --kernel=mixed
	;;
events)
	compiled --ct-events=barrier,block
	is "$mixed" "$nested"
	dumped 2 ' barrier ' --events --kernel=mixed
	# both warps enter and go on after the branch, which only the first takes
	dumped 5 ' block mask ffffffff ' --events --kernel=mixed
	;;
report)
	rm -f "$WORK"/program.*.o # which a second run would keep, and a compile is what reports
	compiled --ct-report
	is "$mixed" "$nested"
	grep -q '^kernel mixed at .*recording.cu:' "$WORK/compile.err" || fail "no report of mixed"
	grep -Eq '^  \+ device function called\(' "$WORK/compile.err" || fail "no report of called"
	grep -Eq '^  load +global +1 +0 +0 +0 +0' "$WORK/compile.err" || fail "no load in the report"
	;;
paths)
	compiled
	is "$mixed" "$nested"
	# three levels of recursion, in each an inlined load, by two warps
	dumped 6 'load .* path host main > launch > nested[^>]*:39:[^>]*( > [^>]*called[^>]*){1,3} > [^>]*:9:9$' --paths --kernel=nested
	dumped 2 'path host main > launch > nested[^>]*( > [^>]*called[^>]*){3} > [^>]*$' --paths --kernel=nested
	dumped 1 'store .* path host main > launch > nested[^>]* > [^>]*stop[^>]*$' --paths --kernel=nested
	;;
*)
	fail "no case $CASE"
	;;
esac

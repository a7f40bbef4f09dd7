#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-manners.sh BIN PROGRAM CASE WORK
# Compares what a program does with its descriptors, or how it ends, plain and traced: the same
# output, files and exit status, and the trace has all launches with all that they did.
set -eu
BIN=$1 PROGRAM=$2 CASE=$3 WORK=$4
HERE=$(cd "$(dirname "$0")/../e2e" && pwd)
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK/plain" "$WORK/traced"
# A fork without handlers leaves memory whose owners are not there.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:handle_segv=0:handle_abort=0"

# both HOW [SHELL]: SHELL runs "$0 HOW" in other surroundings
both() {
	how=$1 launches=6
	[ "${how%-often}" = "$how" ] || launches=3000
	shell=${2:-'exec "$0" "$1"'}
	(cd "$WORK/plain" && native plain sh -c "$shell" "$PROGRAM" "$how" "$BIN") && plain=0 || plain=$?
	(cd "$WORK/traced" && traced "$how" sh -c "$shell" "$PROGRAM" "$how" "$BIN") && got=0 || got=$?
	[ $got = $plain ] || fail "$how: exit status $got, $plain without tracing: $(cat "$WORK/$how.err")"
	same_output plain "$how"
	[ "$(ls "$WORK/plain")" = "$(ls "$WORK/traced")" ] || fail "$how: other files: $(ls "$WORK/traced")"
	info "$how"
	# 64 loads and 64 stores each, none lost, all known to be there
	jq -e --argjson n $launches '(.launches | length) == $n and ([.launches[] | select(.is_stored and
		.lost_chunks == 0 and (.error_code // 0) == 0)] | length) == $n and
		[.total_counts[] | select(.class == "load" or .class == "store").threads] == [64 * $n, 64 * $n]' \
		"$WORK/$how.json" >/dev/null || fail "$how: not all launches are there: $(cat "$WORK/$how.err")"
}

case $CASE in
descriptors)
	for how in twice all range listed over moved select; do
		both $how
	done
	both bare 'exec "$0" "$1" <&- >&- 2>&-'
	for how in twice all over numbers; do
		both $how 'ulimit -Sn 16; exec "$0" "$1"'
	done
	both twice 'ulimit -n 16; exec "$0" "$1"'
	both all 'ulimit -n 16; exec "$0" "$1"'
	# ctrun without 0 to 2, and what it runs
	status=0
	(cd "$WORK/traced" && "$BIN/ctrun" -o "$WORK/ctrun.ctrace" "$PROGRAM" bare <&- >&- 2>&-) || status=$?
	[ $status = 0 ] || fail "ctrun without 0 to 2 ended with $status"
	info ctrun
	# In another root directory nothing of ours appears, and both say why there is no trace.
	(cd "$WORK/plain" && native_well plain "$PROGRAM" root)
	(cd "$WORK/traced" && run_well root "$BIN/ctrun" -o "$WORK/root.ctrace" "$PROGRAM" root)
	same_output plain root
	grep -q "cuda-trace: the program has changed its root directory (chroot), so $WORK/root.ctrace cannot be written" "$WORK/root.err" ||
		fail "the runtime does not say why: $(cat "$WORK/root.err")"
	grep -q 'no trace: .* changed its root directory .* says above' "$WORK/root.err" || fail "ctrun does not say why"
	;;
ends)
	# AddressSanitizer has an _exit of its own, which a program that is linked with it calls.
	nm "$PROGRAM" | grep -q __asan_init && often= || often=_exit-often
	for how in _exit _Exit quick abort throw segv term kill exec thread raw $often _Exit-often \
		quick-often abort-often throw-often; do
		both $how
	done
	# under ctrun a child writes to the same directory
	both child 'exec "$2/ctrun" "$0" "$1"'
	# a run for times, whose waits write nothing: all its calls are there
	traced calls env CUDATRACE_CALLS=only "$PROGRAM" _Exit-often || [ $status = 3 ] ||
		fail "_Exit-often with calls only: exit status $status"
	"$BIN/ctpost" export --format=csv --tables=calls -o "$WORK/calls" "$WORK/calls.ctrace" || fail "no calls"
	[ "$(grep -c ,cudaDeviceSynchronize, "$WORK/calls/calls.csv")" = 2996 ] || fail "calls of the end are lost"
	;;
limits)
	# AddressSanitizer reserves more addresses than any limit leaves.
	nm "$PROGRAM" | grep -q __asan_init || both _exit 'ulimit -v 1000000; exec "$0" "$1"'
	# A program that runs for another user takes no file from whoever starts it.
	mkdir "$WORK/other"
	chmod 1777 "$WORK/other"
	cp "$PROGRAM" "$WORK/other/own"
	if [ "$(id -u)" = 0 ] && setpriv --reuid=65533 --clear-groups test -x "$WORK/other/own"; then
		cp "$PROGRAM" "$WORK/other/suid"
		chmod 4755 "$WORK/other/suid"
		for program in own suid; do
			status=0
			(cd "$WORK/other" && setpriv --reuid=65533 --clear-groups env CUDATRACE_OUTPUT="$WORK/other/$program.ctrace" \
				"./$program" _exit >"$WORK/$program.out" 2>"$WORK/$program.err") || status=$?
			[ $status = 0 ] || fail "$program: exit status $status: $(cat "$WORK/$program.err")"
		done
		[ -d "$WORK/other/own.ctrace" ] || fail "no trace without the bit: $(ls "$WORK/other")"
		[ ! -e "$WORK/other/suid.ctrace" ] || fail "the environment says where a setuid program writes"
	fi
	;;
*)
	fail "no case $CASE"
	;;
esac

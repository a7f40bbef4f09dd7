#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-fault.sh BIN PROGRAM TOOLS CASE WORK
# One way for the host side to fail while a program is traced. The program ends in
# time and computes what it should; the trace opens, and what it lacks it says.
# TOOLS: fault-check, fault-kill and libct-fault-io.so.
set -eu
BIN=$1 PROGRAM=$2 TOOLS=$3 CASE=$4 WORK=$5
HERE=$(cd "$(dirname "$0")/../e2e" && pwd)
. "$HERE/lib.sh"
LAUNCHES=200
rm -rf "$WORK"
mkdir -p "$WORK"

# full ENDING: what a run says that nothing disturbs
full() {
	traced_well full "$PROGRAM" $LAUNCHES "$1"
	info full
}

# opens NAME [--complete|--incomplete|--shorter [MORE]]: it can be read and says nothing wrong
opens() {
	info "$1"
	timeout "$LIMIT" "$BIN/ctpost" dump "$WORK/$1.ctrace" >"$WORK/$1.dump" || fail "ctpost dump cannot read $1.ctrace"
	status=0
	"$TOOLS/fault-check" "$WORK/full.json" "$WORK/$1.json" ${2:-} ${3:-} >"$WORK/verdict" || status=$?
	cat "$WORK/verdict"
	[ $status -eq 0 ] || fail "$CASE: the trace says what is not so"
	# how many the program was given are complete, when recording stopped
	reported=$(sed -n 's/.*; \([0-9]*\) launches are complete.*/\1/p' "$WORK/$1.err")
	whole=$(sed -n 's/.* launches, \([0-9]*\) whole.*/\1/p' "$WORK/verdict")
	[ "${reported:-0}" -le "$whole" ] || fail "$CASE: $reported launches were said to be complete, but $whole are"
}

# disk FAULT OPTION...: a traced run on a disk that misbehaves; OPTIONs are settings
disk() {
	fault=$1
	shift
	traced_well run env LD_PRELOAD="$TOOLS/libct-fault-io.so" CT_FAULT="$fault" "$@" \
		"$PROGRAM" $LAUNCHES ${ending:-}
	cat "$WORK/run.err"
}

says() {
	grep -q "$1" "$WORK/run.err" || fail "no message says: $1"
	[ "$(grep -c "$1" "$WORK/run.err")" -eq 1 ] || fail "said more than once: $1"
}

# ends HOW STATUS [WHOLE [OPTION]]: a run that ends so while a kernel is running
ends() {
	full ${3:-exit}
	traced run env ${4:-} "$PROGRAM" $LAUNCHES "$1" || true
	[ $status -eq "$2" ] || fail "exit status $status instead of $2 after $1"
}

case $CASE in
full-disk)
	full return
	for bytes in 0 1000 10000 50000 300000; do
		disk full:$bytes CUDATRACE_CODEC=none CUDATRACE_LEVEL=0
		says 'No space left on device'
		[ $bytes -eq 0 ] || opens run --incomplete
	done
	;;
nearly-full)
	full return
	# what is kept of 64 GB: 5 %; of 10 GB: 2 GiB; as was said. 50 kB more are free, or none.
	for case in auto:3200050000/64000000000 auto:2147533648/10000000000 auto:1/10000000000 \
		1G:1073791824/10000000000 50%:5000050000/10000000000; do
		disk "space:${case#*:}" CUDATRACE_KEEP_FREE="${case%%:*}" CUDATRACE_CODEC=none CUDATRACE_LEVEL=0
		says 'file system is nearly full after .* (--keep-free); tracing stopped, the program goes on'
		opens run --incomplete
		[ "$(du -sb "$WORK/run.ctrace" | cut -f 1)" -lt 800000 ] || fail "$case: more was written than was free"
		"$BIN/ctpost" dump --host-events "$WORK/run.ctrace" | grep -q ' stopped .*space' || fail "$case: no event tells of it"
		"$BIN/ctpost" info "$WORK/run.ctrace" | grep -q 'Recording stopped after' || fail "$case: info does not tell of it"
	done
	# of a small file system, which is empty: 2 GiB would be all of it
	disk space:900000000/1000000000 CUDATRACE_KEEP_FREE=auto
	opens run --complete
	for free in off:1 99K:200000000 auto:1:CUDATRACE_LIMIT=1G; do
		setting=${free#*:}
		limit=CT_NO=
		[ "$setting" = 1 ] || [ "${free##*:}" = "$setting" ] || limit=${free##*:}
		disk "space:${setting%%:*}/10000000000" CUDATRACE_KEEP_FREE="${free%%:*}" $limit
		opens run --complete
	done
	;;
size-limit)
	full return
	for bytes in 20K 100K 300K; do
		# the program goes on while records are written
		disk slow:20000 CUDATRACE_LIMIT=$bytes CUDATRACE_CODEC=none CUDATRACE_LEVEL=0
		says 'size limit reached after .* (--limit); tracing stopped, the program goes on'
		opens run --incomplete
	done
	;;
file-limit)
	full return
	# in units of 512 bytes; SIGXFSZ is ignored, as in programs that expect a limit
	traced_well run env CUDATRACE_CODEC=none CUDATRACE_LEVEL=0 sh -c "trap '' XFSZ; ulimit -f 40; exec \"\$0\" $LAUNCHES" "$PROGRAM"
	says 'File too large'
	opens run --incomplete
	# and where the signal is not ignored
	traced_well run env CUDATRACE_CODEC=none CUDATRACE_LEVEL=0 sh -c "ulimit -f 40; exec \"\$0\" $LAUNCHES" "$PROGRAM"
	says 'File too large'
	opens run --incomplete
	;;
short-writes)
	full return
	disk short CUDATRACE_RING=8K
	opens run --complete
	;;
interrupted-writes)
	full return
	disk interrupted CUDATRACE_RING=8K
	opens run --complete
	;;
slow-disk)
	full return
	disk slow:5000 CUDATRACE_RING=8K CUDATRACE_LEVEL=0
	opens run --complete
	;;
slow-disk-drop)
	full return
	disk slow:20000 CUDATRACE_RING=8K CUDATRACE_CODEC=none CUDATRACE_LEVEL=0 CUDATRACE_ON_FULL=drop
	opens run --incomplete
	;;
stall)
	# Recording goes on afterwards, and each of the thousands of launches that lost records is marked.
	# Whether the host knows by waits that launches have ended, or the runtime must ask.
	full burst
	for ending in burst burst-on; do
		disk stall:20000 CUDATRACE_RING=8K CUDATRACE_PATIENCE=1 CUDATRACE_CODEC=none CUDATRACE_LEVEL=0
		says "nothing was written for"
		info run
		jq -e 'def of($at): .launches[$at].launch as $launch | [.launch_counts[] | select(.launch == $launch) | [.class, .threads]];
			([.launches[] | select(.lost_chunks != 0)] | length) > 4096 and
			.launches[-1].lost_chunks == 0 and of(-1) == of(-4) and
			([.losses[] | select(.last_launch)] | length) > 0' "$WORK/run.json" >/dev/null ||
			fail "$ending: nothing was recorded after the stall, or losses are not marked"
	done
	opens run --incomplete
	"$BIN/ctpost" findings "$WORK/run.ctrace" 2>/dev/null | grep -q 'ctrun --patience' || fail "the advice is not about the disk"
	[ "$("$BIN/ctpost" info "$WORK/run.ctrace" | grep -c '^lost')" -le 2 ] || fail "losses of a kind are not reported together"
	;;
stuck-disk)
	full return
	disk stuck:10000 CUDATRACE_RING=8K CUDATRACE_PATIENCE=1 CUDATRACE_CONSUMERS=2
	says "nothing was written for"
	opens run --incomplete
	;;
dead-consumer)
	full return
	disk dies:10000 CUDATRACE_RING=8K CUDATRACE_PATIENCE=1 CUDATRACE_CONSUMERS=2
	says "nothing was written for"
	opens run --incomplete
	;;
exit)
	ends exit 0
	opens run --complete
	;;
_exit)
	ends _exit 0
	opens run --incomplete
	;;
abort)
	ends abort 134
	opens run --incomplete
	;;
handler)
	ends handler 0
	opens run --complete
	;;
allocator)
	# LeakSanitizer would begin a process, whose heap grows, too.
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
	# Memory that the tracer frees waits for the allocator's lock, so the trace may stay open.
	ends allocator 0 exit CUDATRACE_PATIENCE=1
	opens run --shorter
	;;
endless)
	ends endless 0 return CUDATRACE_PATIENCE=1
	opens run --incomplete 1
	;;
anywhere)
	# LeakSanitizer locks the allocator at exit, which the handler may have interrupted.
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
	full return
	for us in 2000 5000 9000 14000 20000 30000; do
		traced run env CUDATRACE_PATIENCE=1 "$PROGRAM" $LAUNCHES anywhere $us || true
		[ $status -eq 0 ] || fail "exit status $status after exit() in a signal handler"
		[ ! -e "$WORK/run.ctrace/manifest-0.json" ] || opens run --shorter
	done
	;;
fork)
	# The child has none of the threads that own what its memory holds.
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
	full return
	native_well native "$PROGRAM" $LAUNCHES fork
	traced_well run "$PROGRAM" $LAUNCHES fork
	same_output native run
	opens run --complete
	;;
trap)
	full return
	native native "$PROGRAM" $LAUNCHES trap || true
	for ring in 8K 64M; do
		traced run env CUDATRACE_RING=$ring "$PROGRAM" $LAUNCHES trap || true
		[ $status -eq 3 ] || fail "exit status $status instead of 3 after a trap"
		same_output native run
		opens run --incomplete 1
	done
	;;
*)
	fail "no case $CASE"
	;;
esac

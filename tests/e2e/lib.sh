# SPDX-License-Identifier: Apache-2.0
# Steps that the end-to-end tests and tests/gpu share. Needs BIN (where ctpost
# and launch-counts are), HERE (this folder) and WORK (scratch). Every program
# runs under a time limit.
LIMIT=${LIMIT:-120}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# No clock that somebody may set
seconds_up() {
	cut -d . -f 1 /proc/uptime
}

# run NAME COMMAND...: keeps NAME.out and NAME.err; the exit status is the command's
run() {
	name=$1
	shift
	status=0
	started=$(seconds_up)
	timeout -k 5 "$LIMIT" "$@" >"$WORK/$name.out" 2>"$WORK/$name.err" || status=$?
	[ $(($(seconds_up) - started)) -lt "$LIMIT" ] || fail "$* did not end within $LIMIT s"
	return $status
}

run_well() {
	run "$@" && return
	cat "$WORK/$1.out" "$WORK/$1.err" >&2
	fail "$*: exit status $status"
}

# native NAME COMMAND...: tracing is off
native() {
	name=$1
	shift
	run "$name" env CUDATRACE=off "$@"
}

native_well() {
	name=$1
	shift
	run_well "$name" env CUDATRACE=off "$@"
}

# traced NAME COMMAND...: the trace is NAME.ctrace
traced() {
	name=$1
	shift
	rm -rf "$WORK/$name.ctrace"
	run "$name" env CUDATRACE=on CUDATRACE_OUTPUT="$WORK/$name.ctrace" "$@"
}

# A disk that others keep busy for some seconds is no fault.
traced_well() {
	name=$1
	shift
	traced "$name" env CUDATRACE_PATIENCE=60 "$@" && return
	cat "$WORK/$name.out" "$WORK/$name.err" >&2
	fail "$*: exit status $status when traced"
}

same_output() {
	diff "$WORK/$1.out" "$WORK/$2.out" >&2 || fail "$1 and $2 print different results"
}

# info NAME: `ctpost info --json` of NAME.ctrace in NAME.json
info() {
	timeout "$LIMIT" "$BIN/ctpost" info --json "$WORK/$1.ctrace" >"$WORK/$1.json" ||
		fail "ctpost info cannot read $1.ctrace"
}

# is_complete NAME: every launch was traced and nothing lost; NAME.counts says what
is_complete() {
	info "$1"
	"$BIN/launch-counts" --complete <"$WORK/$1.json" >"$WORK/$1.counts" ||
		fail "$1.ctrace is not complete"
}

# expected EXPECTATION SIZE: the lines that the formulas give
expected() {
	N=$2 sh -eu -c '. "$0"; . "$1"' "$HERE/expect.sh" "$1"
}

# counts_match NAME: NAME.counts is what NAME.expected says, bounds and open numbers included
counts_match() {
	awk -v expected="$WORK/$1.expected" '
		FILENAME == expected { line[FNR] = $0; lines = FNR; next }
		{
			traced = FNR
			words = split(line[FNR], want)
			same = words == NF
			for (i = 1; i <= words && same; i++) {
				if (want[i] == "any")
					same = $i > 0
				else if (want[i] ~ /^[0-9]+[+]$/)
					same = $i >= want[i] + 0
				else
					same = $i == want[i]
			}
			if (!same) {
				print "launch " FNR ": expected " line[FNR] "\n        traced   " $0
				bad = 1
			}
		}
		END {
			if (traced != lines)
				print "launches: expected " lines + 0 ", traced " traced + 0
			exit bad || traced != lines || !lines
		}' "$WORK/$1.expected" "$WORK/$1.counts" >&2
}

# counts_are NAME EXPECTATION SIZE: what was traced is what the formulas say
counts_are() {
	is_complete "$1"
	expected "$2" "$3" >"$WORK/$1.expected"
	counts_match "$1" || fail "$1: counts differ from $2 with N=$3"
}

# launches_are NAME EXPECTATION: as counts_are, where some launches may have to be pristine
launches_are() {
	info "$1"
	"$BIN/launch-counts" --complete --reasons <"$WORK/$1.json" >"$WORK/$1.counts" ||
		fail "$1.ctrace is not complete"
	expected "$2" 0 >"$WORK/$1.expected"
	counts_match "$1" || fail "$1: launches differ from $2"
}

# same_accesses TRACE TRACE [OPTION of diff]: by every thread, in order
same_accesses() {
	timeout "$LIMIT" "$BIN/ctpost" diff ${3:-} "$1" "$2" >"$WORK/diff.txt" 2>&1 && return
	cat "$WORK/diff.txt" >&2
	fail "$1 and $2 differ"
}

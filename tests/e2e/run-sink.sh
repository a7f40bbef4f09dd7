#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-sink.sh BIN PROGRAM SINK WORK
# A sink counts while the program runs what ctpost finds in the file of the same run.
set -eu
BIN=$1 PROGRAM=$2 SINK=$3 WORK=$4
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
command -v jq >/dev/null || exit 77
mkdir -p "$WORK"

# counted NAME OPTION...: the sink's counts are in NAME.counts
counted() {
	name=$1
	shift
	rm -rf "$WORK/$name.ctrace"
	SINK_COUNTS="$WORK/$name.counts" run_well "$name" \
		"$BIN/ctrun" --sink="$SINK" -o "$WORK/$name.ctrace" "$@" "$PROGRAM"
	grep -q 'something is missing' "$WORK/$name.err" && fail "$name: the sink misses something"
	[ -s "$WORK/$name.counts" ] || fail "$name: the sink counted nothing"
}

for consumers in 1 3; do
	name=sink-$consumers
	counted "$name" --consumers=$consumers --ring=64K
	timeout "$LIMIT" "$BIN/ctpost" info --json --sites "$WORK/$name.ctrace" >"$WORK/$name.json"
	jq -r '[.launch_counts[] | select(.class != "reduction")] | group_by(.launch)[] | "\(.[0].launch) \(map(.threads) | add)"' \
		"$WORK/$name.json" >"$WORK/$name.by-launch"
	awk '{ sum[$1] += $3 } END { for (i in sum) print i, sum[i] }' "$WORK/$name.counts" |
		sort -n | diff "$WORK/$name.by-launch" - >&2 || fail "$name: counts per launch differ"
	jq -r '.site_counts[] | "\(.site) \(.threads)"' "$WORK/$name.json" | sort -n >"$WORK/$name.by-site"
	awk '{ sum[$2] += $3 } END { for (i in sum) print i, sum[i] }' "$WORK/$name.counts" |
		sort -n | diff "$WORK/$name.by-site" - >&2 || fail "$name: counts per site differ"
done

# Without the file the sink has the same, and the trace says that it has no records.
counted alone --trace-file=off
grep -q 'lost' "$WORK/alone.err" && fail "what was not to be stored is reported as lost"
diff "$WORK/sink-1.counts" "$WORK/alone.counts" >&2 || fail "without the file the sink counts others"
timeout "$LIMIT" "$BIN/ctpost" info "$WORK/alone.ctrace" >"$WORK/alone.info"
grep -q -- '--trace-file=off' "$WORK/alone.info" || fail "the trace does not say that records are missing"

# A sink that is not there: said, and the program runs.
run absent "$BIN/ctrun" --sink="$WORK/absent.so" -o "$WORK/absent.ctrace" "$PROGRAM" ||
	fail "a missing sink ends the program"
grep -q 'absent.so' "$WORK/absent.err" || fail "a missing sink is not named"
diff "$WORK/absent.out" "$WORK/alone.out" >&2 || fail "without its sink the program prints something else"

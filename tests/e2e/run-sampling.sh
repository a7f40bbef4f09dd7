#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-sampling.sh BIN PROGRAMS CASE WORK
# Sampling and regions: what is chosen is traced completely, the rest not at all, the
# trace tells which is which, and the program's result never changes.
# construct: option --ct-sample-sites
# construct: CTAs that block sampling leaves out
set -eu
BIN=$1 PROGRAMS=$2 CASE=$3 WORK=$4
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/lib.sh"
mkdir -p "$WORK"

# sampled NAME PROGRAM OPTION...: NAME.ctrace and NAME.marks
sampled() {
	trace=$1 program=$PROGRAMS/$2
	shift 2
	rm -rf "$WORK/$trace.ctrace"
	run_well "$trace" "$BIN/ctrun" -o "$WORK/$trace.ctrace" "$@" -- "$program"
	native_well native "$program"
	same_output native "$trace"
	"$BIN/launch-marks" "$WORK/$trace.ctrace" >"$WORK/$trace.marks"
}

# dump NAME: "launch kernel cta" of each record, in NAME.ctas; once per launch and CTA
dump() {
	timeout "$LIMIT" "$BIN/ctpost" dump "$WORK/$1.ctrace" >"$WORK/$1.dump" 2>"$WORK/$1.dump-err" ||
		fail "ctpost dump cannot read $1.ctrace"
	sed -E 's/^([0-9]+) ([^ ]+) \(([0-9]+),([0-9]+),([0-9]+)\).*/\1 \2 \3 \4 \5/' "$WORK/$1.dump" |
		sort -u >"$WORK/$1.ctas"
}

# expected_ctas NAME: the same, from what the LAUNCH events say of traced launches
expected_ctas() {
	awk '$1 == "launch" && /traced$/ {
		for (z = 0; z < $9; z++)
			for (y = 0; y < $8; y++)
				for (x = 0; x < $7; x++)
					if ($15 < 2 || (x + $7 * (y + $8 * z) + $16) % $15 == 0)
						print $2, $3, x, y, z
	}' "$WORK/$1.marks" | sort -u >"$WORK/$1.expected-ctas"
}

# exactly_sampled NAME: the CTAs that the trace claims are those that have records
exactly_sampled() {
	dump "$1"
	expected_ctas "$1"
	[ -s "$WORK/$1.ctas" ] || fail "$1: nothing was recorded"
	diff "$WORK/$1.expected-ctas" "$WORK/$1.ctas" >&2 ||
		fail "$1: other CTAs have records than the trace says (< said, > recorded)"
}

# executed OPTION: site and number of records, of a program without sampling at run time
executed() {
	run_well compile "$BIN/cuda-trace-clang++" --ct-target=cpu -O2 $1 "$HERE/recording.cu" -o "$WORK/program"
	native_well native "$WORK/program"
	traced_well run "$WORK/program"
	same_output native run
	timeout "$LIMIT" "$BIN/ctpost" dump "$WORK/run.ctrace" |
		sed -E 's/.* site ([0-9]+) .*/\1/' | sort -n | uniq -c | awk '{ print $2, $1 }'
}

lines() {
	grep -c "$@" || true
}

case $CASE in
marks)
	sampled marks marks
	sed 's/ context .* \([0-9]* [0-9]*\) / /; s/ grid 1 1 1//' "$WORK/marks.marks" |
		diff "$HERE/sampling/marks.expected" - >&2 || fail "the marks differ"
	[ "$(lines 'ct_region_end outer: not the innermost' <"$WORK/marks.err")" = 1 ] &&
		[ "$(lines "^cuda-trace:" <"$WORK/marks.err")" = 1 ] ||
		fail "mistakes of the program are not reported once"
	;;
region)
	sampled region marks --region='^out|^other$'
	[ "$(sed -n 's/^launch \([0-9]*\) .* traced$/\1/p' "$WORK/region.marks" | tr '\n' ' ')" = "3 4 5 " ] ||
		fail "other launches than those in the regions are traced"
	[ "$(lines 'not in a selected region (--region)$' <"$WORK/region.marks")" = 3 ] || fail "reasons differ"
	;;
marks-off)
	rm -rf "$WORK/off.ctrace"
	run_well off env CUDATRACE=off CUDATRACE_OUTPUT="$WORK/off.ctrace" "$PROGRAMS/marks"
	[ ! -e "$WORK/off.ctrace" ] || fail "there is a trace"
	[ ! -s "$WORK/off.err" ] || fail "marks speak although tracing is off"
	;;
delay)
	sampled late sampled --delay=3600
	[ "$(lines ' too early (--delay)$' <"$WORK/late.marks")" = 20 ] || fail "launches before the delay are traced"
	sampled short sampled --delay=0 --duration=0.000000001
	[ "$(lines ' too late (--duration)$' <"$WORK/short.marks")" = 20 ] || fail "launches after the end are traced"
	sampled long sampled --duration=3600
	[ "$(lines ' traced$' <"$WORK/long.marks")" = 20 ] || fail "launches within the duration are not traced"
	;;
launches)
	sampled launches sampled --sample-launches=3
	# of seven and four launches through two callers, one, and four of a graph with two kernels
	[ "$(sed -n 's/^launch \([0-9]*\) .* traced$/\1/p' "$WORK/launches.marks" | tr '\n' ' ')" = "1 4 7 8 11 12 13 14 19 20 " ] ||
		fail "other launches are traced than the first of each context and then every third"
	[ "$(lines ' launches 3 .* not sampled (--sample-launches)$' <"$WORK/launches.marks")" = 10 ] || fail "reasons differ"
	[ "$(sed 's/.* context \([0-9]*\) .*/\1/' "$WORK/launches.marks" | uniq | tr '\n' ' ')" = "1 2 3 4 5 4 5 4 5 4 5 " ] ||
		fail "contexts differ"
	exactly_sampled launches
	sampled all sampled
	[ "$(sed 's/.* context \([0-9]*\) .*/\1/' "$WORK/all.marks" | uniq | tr '\n' ' ')" = "1 2 3 4 3 4 3 4 3 4 " ] ||
		fail "without sampling a context is a kernel and a line"
	;;
blocks)
	for period in 1 2 7; do
		sampled blocks sampled --sample-blocks=$period
		exactly_sampled blocks
		[ "$(lines ' traced$' <"$WORK/blocks.marks")" = 20 ] || fail "launches are left out"
	done
	[ "$(sed -n 's/.* blocks 7 \([0-9]\) .*/\1/p' "$WORK/blocks.marks" | sort -u | wc -l)" -ge 4 ] ||
		fail "launches have the same r"
	sampled again sampled --sample-blocks=7
	diff "$WORK/blocks.marks" "$WORK/again.marks" >&2 || fail "the same seed chooses other CTAs"
	sampled other sampled --sample-blocks=7 --seed=2
	! diff "$WORK/blocks.marks" "$WORK/other.marks" >/dev/null || fail "another seed chooses the same CTAs"
	exactly_sampled other
	;;
both)
	sampled both sampled --sample-blocks=5 --sample-launches=2
	exactly_sampled both
	;;
sites)
	executed "" >"$WORK/full"
	[ "$(wc -l <"$WORK/full")" -ge 3 ] || fail "the program has too few sites for this test"
	for offset in 0 1 2; do
		executed --ct-sample-sites=3,$offset >"$WORK/part.$offset"
		awk -v r=$offset '($1 + r) % 3 == 0' "$WORK/full" |
			diff - "$WORK/part.$offset" >&2 || fail "--ct-sample-sites=3,$offset: other records (< expected, > traced)"
	done
	sort -n "$WORK"/part.? | diff "$WORK/full" - >&2 || fail "the parts are not the whole"
	! "$BIN/cuda-trace-clang++" --ct-target=cpu --ct-sample-sites=0 -c "$HERE/sampling/sampled.cu" \
		-o "$WORK/bad.o" 2>"$WORK/bad.err" || fail "--ct-sample-sites=0 is taken"
	grep -q 'ct-sample-sites=0: expected P or P,R' "$WORK/bad.err" || fail "the error does not say what is wrong"
	;;
feature-*)
	# self-checking programs; not every CTA of theirs accesses memory
	sampled feature "$CASE" --sample-blocks=3 --sample-launches=2
	timeout "$LIMIT" "$BIN/ctpost" dump "$WORK/feature.ctrace" |
		sed -nE 's/^([0-9]+) .* \(([0-9]+),([0-9]+),([0-9]+)\) warp .*/\1 \2 \3 \4/p' | sort -u >"$WORK/feature.ctas"
	[ -s "$WORK/feature.ctas" ] || fail "nothing was recorded"
	"$BIN/launch-marks" "$WORK/feature.ctrace" | sed 's/^launch \([0-9]*\) .* of - grid/launch \1 x of - grid/' >"$WORK/feature.marks"
	expected_ctas feature
	cut -d ' ' -f 1,3- "$WORK/feature.expected-ctas" | sort -u | comm -13 - "$WORK/feature.ctas" >"$WORK/feature.more"
	[ ! -s "$WORK/feature.more" ] || {
		cat "$WORK/feature.more" >&2
		fail "CTAs have records that the trace says are left out"
	}
	;;
*)
	fail "no case $CASE"
	;;
esac

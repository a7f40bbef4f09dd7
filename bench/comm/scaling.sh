#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scaling.sh BUNDLE [RESULTS]: does `ctpost comm` get faster with more cores?
# For each shape of bench_comm_trace, a trace made here, and a Markdown table (into
# RESULTS/scaling.md, too): its accesses, and with 1, 4 and 16 threads seconds,
# accesses per second, and efficiency: time on one / time / threads. "-": not run.
# BUNDLE is of bundle.sh, or a build tree. Needs neither GPU nor compiler.
# With COPIES=1 a last column: so many analyses at once as the last number of threads, of one
# thread each, that share nothing. What the machine makes of those is what threads could reach.
# Environment: ACCESSES (of a trace, but of matmul and hist), THREADS (in place of
# "1 4 16"), SHAPES (names in place of all), MEMORY (--memory; of a copy COPY_MEMORY), LIMIT (seconds of one
# analysis), BUDGET (seconds of the whole: shapes after that are left out), SCRATCH (a
# directory).
set -eu
[ $# -ge 1 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
results=${2:-}
ACCESSES=${ACCESSES:-150000000} THREADS=${THREADS:-1 4 16} MEMORY=${MEMORY:-24G}
LIMIT=${LIMIT:-60} BUDGET=${BUDGET:-360} COPY_MEMORY=${COPY_MEMORY:-4G}
make=$BUNDLE/bench/bench_comm_trace measure=$BUNDLE/bench/bench_measure ctpost=$BUNDLE/bin/ctpost
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d "${SCRATCH:-/tmp}/bench-comm-XXXXXX")
trap 'rm -rf "$work"' EXIT
started=$(date +%s)
failures=0
[ -z "$results" ] || mkdir -p "$results"

# Traces whose sizes differ: the products of two matrices, and three launches of a
# histogram, are those that docs/validation.md speaks of.
accesses_of() {
	case $1 in
	matmul) echo 3200000000 ;;
	hist) echo 100000000 ;;
	*) echo "$ACCESSES" ;;
	esac
}

say() {
	echo "$1"
	[ -z "$results" ] || echo "$1" >>"$results/scaling.md"
}

# seconds THREADS: of one analysis, or a word why there are none.
seconds() {
	status=0
	timeout -k 5 "$LIMIT" "$measure" "$ctpost" comm --threads="$1" --memory="$MEMORY" \
		--temp="$work" "$work/trace" >"$work/out" 2>"$work/err" || status=$?
	case $status in
	0) tail -n 1 "$work/err" | awk '{ print $1 }' ;;
	124 | 137) echo ">$LIMIT" ;;
	*) echo "failed" && cat "$work/err" >&2 ;;
	esac
}

# cells ACCESSES ONE THREADS SECONDS: of the table
cells() {
	awk -v n="$1" -v one="$2" -v threads="$3" -v s="$4" 'BEGIN {
		if (s + 0 <= 0) {
			printf " %s | - | - |", s
			exit
		}
		printf " %.2f | %.1f |", s, n / s / 1e6
		if (one + 0 > 0)
			printf " %.2f |", one / s / threads
		else
			printf " - |"
	}'
}

# The efficiency of COUNT analyses of one thread at once, which takes SECONDS alone.
copies() {
	count=$1 one=$2 i=0
	while [ $i -lt "$count" ]; do
		i=$((i + 1))
		"$measure" timeout -k 5 $((4 * LIMIT)) "$ctpost" comm --threads=1 --memory="$COPY_MEMORY" \
			--temp="$work" "$work/trace" >/dev/null 2>"$work/copy.$i" &
	done
	wait
	tail -q -n 1 "$work"/copy.* | awk -v one="$one" '{ sum += $1; n++ } END { printf " %.2f |", one * n / sum }'
	rm -f "$work"/copy.*
}

row() {
	shape=$1 one=
	rm -rf "$work/trace"
	made=$(timeout -k 5 "$LIMIT" "$make" "$shape" "$(accesses_of "$shape")" "$work/trace") || {
		echo "scaling.sh: no trace of $shape" >&2
		failures=$((failures + 1))
		return
	}
	n=${made% *}
	line="| $shape | $(awk -v n="$n" 'BEGIN { printf "%.1f", n / 1e6 }') |"
	for threads in $THREADS; do
		took=$(seconds "$threads")
		[ "$threads" != 1 ] || one=$took
		line="$line$(cells "$n" "$one" "$threads" "$took")"
		last=$threads
		case $took in
		failed | '>'*) failures=$((failures + 1)) ;;
		esac
	done
	[ -z "${COPIES:-}" ] || line="$line$(copies "$last" "$one")"
	say "$line"
}

[ -z "$results" ] || : >"$results/scaling.md"
say "$(nproc) cores, --memory=$MEMORY; M/s: million accesses of threads per second"
say ""
head="| shape | M accesses |" rule="|---|---:|"
for threads in $THREADS; do
	head="$head $threads: s | M/s | efficiency |" rule="$rule---:|---:|---:|"
done
[ -z "${COPIES:-}" ] || head="$head copies: efficiency |" rule="$rule---:|"
say "$head"
say "$rule"
for shape in ${SHAPES:-$("$make")}; do
	if [ $(($(date +%s) - started)) -lt "$BUDGET" ]; then
		row "$shape"
	else
		say "| $shape | - |"
	fi
done
[ $failures -eq 0 ]

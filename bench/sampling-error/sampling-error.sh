#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How far off the ratios and totals of sampled traces are from those of whole traces.
set -eu

usage() {
	cat <<'TEXT'
usage: sampling-error.sh [OPTION]... PROGRAM...
Runs each PROGRAM (a command line, one word for the shell) once traced in full and once for each
seed with a sample, and prints for each ratio that ctpost info and comm report its value in full,
its mean over the samples, and the mean of the relative errors of the samples, in percent. Totals
are compared with what ctpost estimates; beside them stands how many of its standard errors the
error is (root mean square; about 1 if the standard errors are right). The program must do the
same in every run.

  --period=P      one CTA, or one launch of each context, in P [50]
  --by=WHAT       blocks or launches [blocks]
  --seeds=N       samples of blocks [5]
  --bin=DIR       where ctrun and ctpost are [PATH]
  --comm          the ratios of communication as well
  --keep=DIR      leave the traces in DIR
TEXT
}

period=50 by=blocks seeds=5 bin= comm= keep=
while [ $# -gt 0 ]; do
	case $1 in
	--period=*) period=${1#*=} ;;
	--by=blocks | --by=launches) by=${1#*=} ;;
	--seeds=*) seeds=${1#*=} ;;
	--bin=*) bin=${1#*=}/ ;;
	--comm) comm=1 ;;
	--keep=*) keep=${1#*=} ;;
	--help)
		usage
		exit 0
		;;
	-*)
		echo "sampling-error.sh: unknown option '$1' (--help lists them)" >&2
		exit 2
		;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || {
	usage >&2
	exit 2
}
case $period$seeds in
*[!0-9]*)
	echo "sampling-error.sh: --period and --seeds are numbers" >&2
	exit 2
	;;
esac
[ "$by" = blocks ] || seeds=1 # launches are not drawn
here=$(cd "$(dirname "$0")" && pwd)
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT

# trace OUTPUT OPTION...: run $program
trace() {
	output=$1
	shift
	"${bin}ctrun" "$@" --output="$work/$output.ctrace" sh -c "exec $program" \
		>"$work/$output.log" 2>&1 || {
		cat "$work/$output.log" >&2
		echo "sampling-error.sh: $program failed" >&2
		exit 1
	}
	"${bin}ctpost" info --json "$work/$output.ctrace" >"$work/$output.info"
	jq -e '(.warnings | length) == 0 and .trace_totals[0].lost_chunks == 0' "$work/$output.info" >/dev/null || {
		echo "sampling-error.sh: the trace of $program is damaged or lost records" >&2
		exit 1
	}
	jq -c -f "$here/info-ratios.jq" "$work/$output.info" >"$work/$output.json"
	[ -z "$comm" ] || "${bin}ctpost" comm --json "$work/$output.ctrace" 2>"$work/$output.log" |
		jq -c -f "$here/comm-ratios.jq" >>"$work/$output.json"
	[ -n "$keep" ] || rm -rf "$work/$output.ctrace"
}

for program; do
	rm -f "$work"/sample-*.json
	trace full
	seed=1
	while [ "$seed" -le "$seeds" ]; do
		if [ "$by" = blocks ]; then
			trace "sample-$seed" --sample-blocks="$period" --seed="$seed"
		else
			trace "sample-$seed" --sample-launches="$period"
		fi
		seed=$((seed + 1))
	done
	jq -r -n --arg program "$program" --slurpfile full "$work/full.json" -f "$here/compare.jq" \
		"$work"/sample-*.json
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sampling.sh BIN PERIOD SEEDS PROGRAM...: how far redundancy of traces of one CTA in PERIOD is off
# from that of whole ones. Each PROGRAM (a command line, one word for the shell) was compiled with
# --ct-values and does the same in every run. Of loads temporal redundancy, of stores such as the
# thread itself finds (own), both in per cent of the elements; error: the mean of the absolute
# differences over the samples, in per cent of the elements; and the root mean square of the
# differences in the standard errors that ctpost values tells.
set -eu
bin=$1 period=$2 seeds=$3
shift 3
work=$(mktemp -d "${SCRATCH:-/tmp}/sampling-values-XXXXXX")
trap 'rm -rf "$work"' EXIT

# trace OUTPUT OPTION...: run $program
trace() {
	output=$1
	shift
	"$bin/ctrun" "$@" --output="$work/trace.ctrace" sh -c "exec $program" >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		exit 1
	}
	"$bin/ctpost" values --json "$work/trace.ctrace" 2>"$work/log" |
		jq -c 'def own(count): .estimated_share // (count / ([.accesses, 1] | max));
			[.value_sums[:2][] | [.accesses, own(.own), .share_error]]' >"$output"
	rm -rf "$work/trace.ctrace"
}

echo "program          what         elements   in full   samples     error   in standard errors"
for program; do
	rm -f "$work"/sample-*
	trace "$work/full"
	seed=1
	while [ "$seed" -le "$seeds" ]; do
		trace "$work/sample-$seed" --sample-blocks="$period" --seed="$seed"
		seed=$((seed + 1))
	done
	name=${program##*/}
	jq -r -n --arg name "${name%% *}" --slurpfile full "$work/full" '
		def pad(n): . + (" " * ([n - length, 1] | max));
		def left(n): (" " * ([n - length, 0] | max)) + .;
		def two: (. * 100 | round / 100 | tostring);
		def mean: if length > 0 then add / length else null end;
		def abs: if . < 0 then -. else . end;
		[inputs] as $samples | range(2) as $i | $full[0][$i] as $f | select($f[0] > 0)
		| (100 * $f[1]) as $is
		| [$samples[] | .[$i] | select(.[0] > 0) | {share: (100 * .[1]), error: .[2]}] as $of
		| ([$of[] | select((.error // 0) > 0) | (.share - $is) / (100 * .error) | . * .] | mean) as $off
		| ($name | pad(17)) + (["loads", "stores"][$i] | pad(8)) + ($f[0] | tostring | left(13))
			+ ($is | two | left(10)) + ([$of[].share] | mean | two | left(10))
			+ ([$of[].share - $is | abs] | mean | two | left(10))
			+ (if $off then ($off | sqrt | two | left(10)) else "         -" end)' "$work"/sample-*
done

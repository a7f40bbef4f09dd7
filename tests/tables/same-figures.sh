#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same-figures.sh OLD NEW TRACE...
# Does one ctpost still tell what another reported? Of each command, as text, JSON and exported tables,
# every number that OLD writes is looked for among those that NEW writes; names of columns, order,
# and what is new do not count. Shares may have been per cent, times nanoseconds or milliseconds, and
# what was rounded is compared as far as it was. Prints a line for each trace, command and format:
# numbers of OLD, numbers of NEW, those of OLD that NEW lacks, the first few of these. Exit status 1
# if any is lacking.
set -u
[ $# -ge 3 ] || { sed -n '3,9s/^# //p' "$0" >&2; exit 2; }
old=$1 new=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=0

# numbers FILE: each once, a line each
numbers() {
	grep -oE '[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?' "$1" | sort -u
}

# compare TRACE WHAT: the outputs are in old.out and new.out
compare() {
	numbers "$work/old.out" >"$work/old.numbers"
	numbers "$work/new.out" >"$work/new.numbers"
	awk -v trace="$1" -v what="$2" '
		function key(x) { return sprintf("%.6g", x) }
		NR == FNR { has[key($1)] = 1; digits[sprintf("%.3g", $1)] = 1; news++; next }
		{
			olds++
			x = $1 + 0
			if ((key(x) in has) || (key(x / 100) in has) || (key(x / 1e9) in has) ||
			    (key(x / 1e3) in has) || (key(x / 1e6) in has))
				next
			# Rounded, or of another unit: three digits say it.
			if (length($1) < 5)
				for (scale = 1e-9; scale < 1e10; scale *= 10)
					if (sprintf("%.3g", x * scale) in digits)
						next
			if (lacking++ < 5)
				first = first " " $1
		}
		END { printf "%s\t%s\t%d\t%d\t%d\t%s\n", trace, what, olds, news, lacking, first; exit lacking > 0 }
	' "$work/new.numbers" "$work/old.numbers" || found=1
}

printf 'trace\twhat\reported\tnew\tlacking\tfirst\n'
for trace; do
	name=$(basename "$trace" .ctrace)
	for command in access blame calls comm ctas ffm findings info model samples values verify; do
		for format in text json; do
			option=
			[ $format = text ] || option=--json
			"$old" $command $option "$trace" >"$work/old.out" 2>"$work/old.err"
			was=$?
			[ $command != findings ] || [ $was -ne 2 ] ||
				"$old" $command --format=json "$trace" >"$work/old.out" 2>"$work/old.err"
			"$new" $command $option "$trace" >"$work/new.out" 2>"$work/new.err"
			is=$?
			if [ $was -ne $is ]; then
				printf '%s\t%s %s\texit %d, was %d\t%s\n' "$name" $command $format $is $was "$(head -1 "$work/new.err")"
				found=1
			elif [ $was -eq 0 ]; then
				compare "$name" "$command $format"
			fi
		done
	done
	for which in old new; do
		eval "ctpost=\$$which"
		"$ctpost" export --format=csv --tables=all,values,history --history=all -o "$work/$which.csv" "$trace" 2>/dev/null
		cat "$work/$which.csv"/*.csv >"$work/$which.out" 2>/dev/null
		rm -rf "$work/$which.csv"
	done
	compare "$name" "export csv"
done
exit $found

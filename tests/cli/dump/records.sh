# SPDX-License-Identifier: Apache-2.0
# Values, events, call paths, ranges, other spaces and units: info, dump, diff, export.
. "$CT_CLI/shared/ctpost.sh"
for variant in calls calls-value calls-path calls-less; do
	make_trace $variant
done

ctpost info --sites calls.ctrace | without_sizes >out
golden records-info out
ctpost info --json calls.ctrace | jq -c '.units[], .sites[], .total_counts[], .site_counts[]' >out
golden records-info-json out
for format in text csv jsonl; do
	ctpost dump --values --events --paths --format=$format calls.ctrace >out
	golden records-dump-$format out
	ctpost dump --values --events --paths --threads --warp 0 --format=$format calls.ctrace |
		grep -v 'barrier\|leaf' >out
	golden records-threads-$format out
done

# lines EXPECTED OPTION...
lines() {
	want=$1
	shift
	ctpost dump "$@" calls.ctrace >out
	[ "$(wc -l <out)" = "$want" ] || fail "$(wc -l <out) lines instead of $want: $*"
}
lines 15
lines 16 --paths
lines 26 --events
lines 15 --values
lines 2 --operation=atomic
lines 1 --operation=atomic_cas --values
lines 10 --operation=call --events
lines 11 --operation=event --events
lines 0 --operation=barrier
lines 1 --space=shared
lines 14 --space=global --values --events
status 2 ctpost dump --operation=lode calls.ctrace
one_line "--operation='lode': expected an operation"
status 2 ctpost dump --space=texture calls.ctrace

# Only what is asked for, and what both traces have, makes a difference.
status 0 ctpost diff calls.ctrace calls.ctrace
for option in --values --events --paths "--values --events --paths"; do
	# shellcheck disable=SC2086
	status 0 ctpost diff $option calls.ctrace calls.ctrace
	# shellcheck disable=SC2086
	status 0 ctpost diff $option calls.ctrace calls-less.ctrace
done
status 0 ctpost diff calls.ctrace calls-value.ctrace
status 1 ctpost diff --values calls.ctrace calls-value.ctrace
golden records-diff-value out
status 1 ctpost diff --values --json calls.ctrace calls-value.ctrace
golden records-diff-value-json out
status 0 ctpost diff --values calls.ctrace calls-path.ctrace
status 1 ctpost diff --paths calls.ctrace calls-path.ctrace
golden records-diff-path out
status 1 ctpost diff --events calls.ctrace calls-path.ctrace
golden records-diff-event out
make_trace base
status 2 ctpost diff --values base.ctrace base.ctrace
one_line "base.ctrace has no values; compile with --ct-values"

# The thesis' format knows global memory only.
ctpost export --format=memtrace -o pipes calls.ctrace 2>err
[ "$(wc -c <pipes/MemTrace-pipe-0)" = "$((2 + 11 + 24 * (1 + $(ctpost dump --threads --space=global calls.ctrace | wc -l))))" ] ||
	fail "MemTrace-pipe-0 has $(wc -c <pipes/MemTrace-pipe-0) bytes"

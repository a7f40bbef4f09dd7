# SPDX-License-Identifier: Apache-2.0
# ffm: what a study made by hand (tests/unit/trace/trace_ffm.c) shows, in every form; studies that
# lack runs, or whose runs differ.
. "$CT_CLI/shared/ctpost.sh"
for run in ffm ffm-calls ffm-uses ffm-first-uses ffm-branched ffm-ranks ffm-long; do
	make_trace $run
done
mkdir whole part other
cp -r ffm-calls.ctrace whole/calls.ctrace
cp -r ffm-uses.ctrace whole/uses.ctrace
cp -r ffm-first-uses.ctrace whole/first-uses.ctrace
cp -r ffm-calls.ctrace part/calls.ctrace
cp -r ffm-calls.ctrace other/calls.ctrace
cp -r ffm-branched.ctrace other/uses.ctrace

# shown NAME OPTION...: the output is NAME.expected
shown() {
	name=$1
	shift
	ctpost ffm "$@" >out 2>err || fail "$* $(cat err)"
	golden "$name" out
}
shown whole whole
one_line '/nowhere/solver: the file is not there'
shown function --group=function whole
shown sequence --group=sequence whole

# Remedies are not looked at here.
ctpost ffm --json whole 2>err >out || fail "$(cat err)"
jq 'del(.needless_calls[] | .fix, .condition, .skeleton, .related)' out >json || fail "$(cat out)"
golden json json
ctpost ffm --stacks whole 2>err >all || fail "$(cat err)"
grep -E '^(Problem|  (saves|calls |first use [0-9]|bytes|called)|    solver)' all >figures
golden stacks figures
ctpost ffm --problem=2 whole >out 2>err || fail "$(cat err)"
awk '/^Problem 2/, /^$/' all | sed '/^$/d' >two
diff two out || fail "problem 2 alone"
ctpost ffm --rows=1 whole >out 2>err || fail "$(cat err)"
grep -q 'and 3 more rows: --rows=all$' out || fail "one row of four: $(cat out)"

# Problems that are worth less than a thousandth of the run are not listed, but counted, and have
# their numbers.
ctpost ffm ffm-long.ctrace >out 2>err || fail "$(cat err)"
grep -q '^3 more with 6 calls are worth less than 0.1 % of the run each, the first 66 µs (--all)$' out || fail "$(cat out)"
[ "$(grep -c 'unnecessary-\|misplaced-' out)" = 1 ] || fail "more than a problem: $(cat out)"
ctpost ffm --all ffm-long.ctrace >out 2>err || fail "$(cat err)"
[ "$(grep -c 'unnecessary-\|misplaced-' out)" = 4 ] || fail "not all: $(cat out)"
! grep -q '(--all)' out || fail "more than all: $(cat out)"
ctpost ffm --problem=4 ffm-long.ctrace >out 2>err || fail "$(cat err)"
grep -q '^Problem 4' out || fail "$(cat out)"
ctpost findings --tables ffm-long.ctrace >out 2>err || fail "$(cat err)"
[ "$(grep -c '^ *[0-9].* unnecessary-\|^ *[0-9].* misplaced-' out)" = 1 ] || fail "not one in the section: $(cat out)"

# With next to no memory the same.
ctpost ffm --memory=1 whole >out 2>err || fail "$(cat err)"
golden whole out

# A sequence and its middle.
ctpost ffm --sequence=1 whole >out 2>err || fail "$(cat err)"
grep -q '^1\. cudaMemcpy' out || fail "$(cat out)"
ctpost ffm --sequence=1 --from=2 --to=2 whole >out 2>err || fail "$(cat err)"
grep -q '^Benefit of the subsequence: ' out || fail "$(cat out)"
grep -q '^2\. cudaDeviceSynchronize' out || fail "$(cat out)"
[ "$(grep -c '^[0-9]*\. ' out)" = 1 ] || fail "more than a problem: $(cat out)"

# A later use is far only if it comes no sooner than asked for.
far() {
	ctpost ffm --json "--far=$1" whole 2>err | jq -r '.needless_calls[] | select(.problem == "misplaced-synchronization") | .calls'
}
[ "$(far 80us)" = 1 ] || fail "80 us are not far"
[ -z "$(far 81us)" ] || fail "80 us are as far as 81"

# Missing stages, and calls that differ, are reported.
ctpost ffm part >out 2>err || fail "$(cat err)"
grep -qF 'part: the run of stage 3 (uses.ctrace) is missing' err || fail "$(cat err)"
grep -q '^No problems$' out || fail "problems without uses: $(cat out)"
ctpost ffm other >out 2>err || fail "$(cat err)"
grep -qF 'The run of uses made other calls: 21 of 23 are the same.' out || fail "$(cat out)"
ctpost ffm --json other 2>err | jq -e '.ffm_stages[1] | .calls == 23 and .matched_calls == 21' >log || fail "$(cat log)"
rm -r part/calls.ctrace
mkdir part/uses.ctrace
status 1 ctpost ffm part
one_line 'part: the run of stage 1 (calls.ctrace) is missing; run ctrun ffm -o part again'
status 1 ctpost ffm ffm-calls.ctrace
one_line 'neither uses nor contents are recorded'
status 1 ctpost ffm nowhere
one_line nowhere

# One run with everything on, and of two ranks.
ctpost ffm --json ffm.ctrace >one 2>err || fail "$(cat err)"
jq -e '[.needless_calls[].calls] == [3, 3, 1, 2] and [.needless_calls[].bound_seconds] == [156e-6, 78e-6, 38e-6, 8e-6]' one >log ||
	fail "$(jq -c '[.needless_calls[] | [.problem, .calls, .bound_seconds]]' one)"
ctpost ffm --json ffm-ranks.ctrace >two 2>err || fail "$(cat err)"
jq -e '.ffm_totals[0].processes == 2 and [.needless_calls[].processes] == [2, 2, 1, 2] and [.needless_calls[].calls] == [5, 5, 1, 3]' two >log ||
	fail "$(jq -c '[.needless_calls[] | [.problem, .calls, .processes]]' two)"

# Wrong options.
status 2 ctpost ffm --json --stacks whole
one_line '--format and --stacks are different outputs'
status 2 ctpost ffm --from=1 whole
one_line '--from and --to go with --sequence'
status 2 ctpost ffm --problem=0 whole
one_line 'a number of the list, from 1'
status 2 ctpost ffm --group=line whole
one_line 'site|function|sequence'
status 2 ctpost ffm --memory=2X whole
one_line "--memory='2X'"
status 2 ctpost ffm --far=soon whole
one_line 'a time, as 20us or 1ms'
status 1 ctpost ffm --problem=9 whole
grep -qF 'there is no problem 9, but 4' err || fail "$(cat err)"
status 1 ctpost ffm --sequence=9 whole
grep -qF 'there is no sequence 9' err || fail "$(cat err)"
status 1 ctpost ffm --sequence=1 --from=3 --to=2 whole
grep -qF 'none from 3 to 2' err || fail "$(cat err)"

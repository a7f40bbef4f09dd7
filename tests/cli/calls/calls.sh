# SPDX-License-Identifier: Apache-2.0
# calls: what a trace made by hand (tests/unit/trace/trace_api.c) shows, in every form.
. "$CT_CLI/shared/ctpost.sh"
make_trace api
make_trace api-plain
make_trace counts

# shown NAME OPTION...: the output is NAME.expected
shown() {
	name=$1
	shift
	ctpost calls "$@" >out 2>err || fail "$* $(cat err)"
	golden "$name" out
}

shown tables --inner api.ctrace
[ ! -s err ] || fail "tables need no names: $(cat err)"
shown plain api-plain.ctrace
shown stacks --stacks --least=0 api.ctrace
one_line '/nowhere/solver: the file is not there'
shown bottom-up --stacks --bottom-up --least=5 api.ctrace
shown folded --folded api.ctrace
COLUMNS=100
export COLUMNS
shown timeline --timeline api.ctrace
unset COLUMNS
shown json --json api.ctrace

jq -e '.schema == "cudatrace-calls-2" and ((.call_functions | map(.seconds) | add) - .call_totals[0].call_seconds | fabs) < 1e-12' out >log || fail "sums of $(cat log)"
ctpost calls --json --stacks api.ctrace >again 2>err || fail "$(cat err)"
diff out again >difference || fail "JSON has the stacks in any case"

ctpost calls --rows=2 api.ctrace >out
grep -q 'and 8 more rows: --rows=all$' out || fail "two rows of ten: $(cat out)"
ctpost calls --rows=all api.ctrace >out
grep -q ' more row' out && fail "all rows"

# No calls, wrong options.
status 1 ctpost calls counts.ctrace
one_line 'counts.ctrace: no calls are recorded; trace again with ctrun --calls=on'
status 1 ctpost calls nowhere.ctrace
one_line nowhere.ctrace
status 2 ctpost calls --stacks --folded api.ctrace
one_line '--stacks and --folded are different outputs'
status 2 ctpost calls --bottom-up api.ctrace
one_line '--bottom-up and --least go with --stacks'
status 2 ctpost calls --stacks --least=x api.ctrace
one_line 'a percentage from 0 to 100'
status 2 ctpost calls --rows=x api.ctrace
one_line 'a number of rows, or all'

# A trace that is cut has what stands before.
cp -r api.ctrace cut.ctrace
bytes=$(wc -c <api.ctrace/tables-0.ct)
head -c $((bytes - 10)) api.ctrace/tables-0.ct >cut.ctrace/tables-0.ct
ctpost calls cut.ctrace >out 2>err || fail "$(cat err)"
grep -q 'tables-0.ct' err || fail "nothing is said of the cut"
grep -q '^cudaDeviceSynchronize ' out || fail "what stands before the cut is lost"

# Rows that make no sense are shown as they are.
make_trace api-senseless
for form in --inner --stacks '--stacks --bottom-up' --folded --timeline --json; do
	# shellcheck disable=SC2086
	ctpost calls $form api-senseless.ctrace >out 2>err || fail "$form: $(cat err)"
	[ -s out ] || fail "$form shows nothing"
done
jq -e '[.call_parts[] | .calls + .inner_calls + .ranges] == [2000]' out >log || fail "$(cat log) rows"
ctpost export --format=json --tables=trace -o out api-senseless.ctrace 2>err || fail "$(cat err)"
ctpost export --format=perfetto -o out api-senseless.ctrace 2>err || fail "$(cat err)"

# SPDX-License-Identifier: Apache-2.0
# ctas: what a trace made by hand (tests/unit/trace/trace_ctas.h) shows, in every form.
. "$CT_CLI/shared/ctpost.sh"
make_trace ctas
make_trace counts

# shown NAME OPTION...: the output is NAME.expected
shown() {
	name=$1
	shift
	ctpost ctas "$@" >out 2>err || fail "$* $(cat err)"
	golden "$name" out
}

shown tables ctas.ctrace
shown json --json ctas.ctrace
jq -e '.schema == "cudatrace-ctas-2" and (.cta_launches[] | select(.launch == 1) |
	.seconds == 0.00004 and .tail_seconds == 0.00002 and .sm_imbalance == 1.5) and
	(.cta_course | map(.resident) | add) == 120' out >log || fail "not as drawn: $(cat log)"
shown one --kernels='^one' ctas.ctrace
ctpost ctas --rows=1 ctas.ctrace >out
[ "$(grep -c 'and 1 more row: --rows=all$' out)" = 2 ] || fail "one row of two: $(cat out)"
ctpost dump --tables=cta ctas.ctrace >out || fail "dump"
grep -q '^cta 2 cta=5 begin_ns=1020000 duration_ns=20000 launch=1 sm=1$' out || fail "$(cat out)"
ctpost findings --tables ctas.ctrace >out || fail "findings"
grep -q ' 40 µs  ██████▄▄▄▄▄▄▂▂▂▂▂▂▂▂▂▂▂▂  ' out || fail "no course: $(cat out)"
grep -q '50.0 % of the time of even is its tail' out || fail "no tail: $(cat out)"

status 1 ctpost ctas counts.ctrace
one_line 'counts.ctrace: no times of blocks; compile with --ct-events=cta and trace with ctrun --tier=clock'
status 2 ctpost ctas --ctas=1 ctas.ctrace
one_line '--objects, --ctas and --sites choose accesses'

# SPDX-License-Identifier: Apache-2.0
# info: the tables, one launch, sites, what is missing, a narrow screen, JSON.
. "$CT_CLI/shared/ctpost.sh"
make_trace base
make_trace damaged

ctpost info base.ctrace | without_sizes >out
golden info out
ctpost info --sites base.ctrace | without_sizes >out
golden sites out
ctpost info --launch 2 base.ctrace | without_sizes >out
golden launch out
ctpost info damaged.ctrace | without_sizes >out
golden damaged out
[ "$(ctpost info --json damaged.ctrace | jq -c '[.processes[].unfinished_launches]')" = '[1]' ] ||
	fail "the process does not say that a launch has no end"
COLUMNS=100 ctpost info --sites base.ctrace | without_sizes >out
golden narrow out
[ "$(wc -L <out)" -le 160 ] || fail "lines are not cut"
ctpost info --json base.ctrace | without_sizes >out
golden json out
# Without a manifest nobody can tell that the trace is whole.
rm base.ctrace/manifest-0.json
ctpost info base.ctrace >out
grep -q "unknown program, .*, incomplete" out || fail "complete without a manifest"
status 1 ctpost info --launch=9 base.ctrace
one_line "no launch is left by the selection"

make_trace transfers
ctpost info transfers.ctrace >out
grep -qx "transfers: 4 copies, 1 memset; 8.8 kB" out || fail "transfers are not counted"
ctpost info --json transfers.ctrace | tr -d ' \n' >out
grep -q '"transfers":{"copies":4,"sets":1,"bytes":8768}' out || fail "transfers in JSON"

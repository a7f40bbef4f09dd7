# SPDX-License-Identifier: Apache-2.0
# info: the tables, one launch or many, sites, what is missing, a narrow screen, JSON.
. "$CT_CLI/shared/comm.sh"
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
# Without a manifest it cannot be known that the trace is whole.
rm base.ctrace/manifest-0.json
ctpost info base.ctrace >out
grep -q "unknown program, .*, incomplete" out || fail "complete without a manifest"
status 1 ctpost info --launch=9 base.ctrace
one_line "no launch is left by the selection"

make_trace transfers
ctpost info transfers.ctrace >out
grep -qx "transfers: 4 copies, 1 memset; 8.8 kB" out || fail "transfers are not counted"
ctpost info --json transfers.ctrace >json
is '.trace_totals[0] | [.copies, .memsets, .transfer_bytes]' '[4,1,8768]'
is '[.transfers_host[].bytes] | [length, add]' '[5,8768]'

# Many launches are a table by kernel, which adds them up; one by one if they are asked for.
make_comm halo
ctpost info halo.ctrace >out
line='^pass *26  17 600   6 400  *0  70\.4 kB  25\.6 kB  *0 B  25 of 26; others not: kernel not selected$'
grep -q "$line" out || fail "pass's 26 launches are not one row"
[ "$(sed -n '/^kernel  *launches/,/^$/p' out | wc -l)" = 5 ] || fail "not a row for each kernel"
ctpost info --each-launch halo.ctrace >out
[ "$(grep -Ec '^ *[0-9]+  (fill|pass|total) ' out)" = 28 ] || fail "--each-launch does not list 28"
ctpost info --launches=2-21 halo.ctrace >out
[ "$(grep -Ec '^ *[0-9]+  pass ' out)" = 20 ] || fail "20 launches that were selected are not listed"
ctpost info --kernels=pass halo.ctrace >out
[ "$(grep -Ec '^ *[0-9]+  pass ' out)" = 0 ] || fail "kernels that were selected are listed by launch"
grep -q '^pass  *26  17 600' out || fail "kernels that were selected are no table"

# Accesses to another space have a row of their own.
make_trace calls
ctpost info calls.ctrace >out
grep -Eq '^1  walk    1     64          0  global    159      12       34 ' out || fail "global memory: $(cat out)"
grep -Eq '^ +shared     32       0        0    64 B ' out || fail "shared memory: $(cat out)"

# A part is a name, not a number of things: the same in both tables and in its files' names.
make_comm parts
for kind in events-1.ct device-1-0.ct manifest-1.json; do
	mv "parts.ctrace/$kind" "parts.ctrace/$(printf %s "$kind" | sed 's/-1/-1000000/')"
done
ctpost info parts.ctrace >out
[ "$(grep -Ec '^1000000  ' out)" = 3 ] || fail "part 1000000 is not in both tables: $(cat out)"

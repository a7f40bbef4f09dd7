# SPDX-License-Identifier: Apache-2.0
# comm: wrong options and traces in pieces.
. "$CT_CLI/shared/comm.sh"
make_comm shift

status 2 ctpost comm --kernels='(' shift.ctrace
one_line "--kernels='('"
status 2 ctpost comm --launches=5-2 shift.ctrace
one_line "--launches='5-2'"
status 2 ctpost comm --stream=main shift.ctrace
one_line "--stream='main'"
status 2 ctpost comm --memory=2X shift.ctrace
one_line "--memory='2X'"
status 2 ctpost comm --threads=0 shift.ctrace
one_line "--threads='0'"
status 2 ctpost comm --by=warp shift.ctrace
one_line "--by='warp' is not one of kernel|object|line|cta|sm|superstep"
status 2 ctpost comm --density=3 shift.ctrace
one_line "--density='3'"
status 2 ctpost comm --density-bins=0 shift.ctrace
one_line "--density-bins='0'"
status 2 ctpost comm --address=here shift.ctrace
one_line "--address='here'"
status 2 ctpost comm --scale=17 shift.ctrace
one_line "--scale='17'"
status 2 ctpost comm --scale=2 --bandwidth=fast shift.ctrace
one_line "--bandwidth='fast'"
status 2 ctpost comm --scale=2 --latency=-1 shift.ctrace
one_line "--latency='-1'"
status 2 ctpost comm --exchanged --self shift.ctrace
one_line "--exchanged and --self exclude each other"
status 2 ctpost comm --exchanged --by=sm shift.ctrace
one_line "--by=sm does not show"
status 1 ctpost comm --address=0x1000-0x7fffffff shift.ctrace
one_line "longer than 65536 bytes"
status 1 ctpost comm --address=0xffffffffffff shift.ctrace
one_line "no address of global memory"
status 1 ctpost comm --kernels=nothing shift.ctrace
one_line "no launch is left by the selection"
status 1 ctpost comm --launches=9 shift.ctrace
one_line "no launch is left by the selection"
status 1 ctpost comm --object=nothing shift.ctrace
one_line "there is no object 'nothing'"
status 1 ctpost comm nowhere.ctrace
one_line "nowhere.ctrace"

# A trace that cannot be opened is an error; of everything else, what is readable is analysed.
golden=$CT_CLI/../golden
for trace in bad-empty bad-version; do
	status 1 ctpost comm "$golden/$trace.ctrace"
	one_line "$trace.ctrace"
done
for trace in bad-header bad-payload bad-record bad-tag bad-torn bad-units; do
	figures "$golden/$trace.ctrace" || fail "$trace: $(cat err)"
	grep -q "warning: .*missing from all figures" err || fail "$trace: no warning"
	is '.losses.damaged_chunks > 0' true
	is '.warnings | length > 0' true
done
status 0 ctpost comm "$golden/v1-small.ctrace"
grep -q "7 chunks of records are lost and 0 damaged" err || fail "losses are not reported"
# The launches are known, but their records are cut off.
size=$(wc -c <shift.ctrace/device-0-0.ct)
head -c $((size - 8)) shift.ctrace/device-0-0.ct >cut
mv cut shift.ctrace/device-0-0.ct
status 0 ctpost comm --json shift.ctrace
grep -q "warning: .*device-0-0.ct" err || fail "a cut trace is not reported"
# A transfer that no memory can hold is damage; the rest counts.
make_comm shift
make_comm vast
status 0 ctpost comm --json shift.ctrace
jq ".comm_totals[0] | del(.damaged_chunks, .program)" out >expected
status 0 ctpost comm --json vast.ctrace
grep -q "0 chunks of records are lost and 1 damaged" err || fail "a vast transfer is not reported"
jq ".comm_totals[0] | del(.damaged_chunks, .program)" out | cmp - expected || fail "a vast transfer changes the volumes"

# SPDX-License-Identifier: Apache-2.0
# ctpost compare: of traces whose figures are known; the same one twice, what only one of both has
# recorded, other programs, all formats, wrong options. Programs that were fixed are in
# profile/profile.sh.
. "$CT_CLI/shared/ctpost.sh"
docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
for trace in access values ffm ffm-ranks ffm-calls; do
	make_trace $trace
done
for trace in shift halo; do
	"$CT_CLI_BUILD/ctpost-comm-trace" "$trace.ctrace" "$trace"
done

# The same trace: nothing is gone, nothing is new, nothing is doubtful, no line has changed.
for trace in access values ffm halo; do
	status 0 ctpost compare $trace.ctrace $trace.ctrace
	grep -qx 'No problem is gone, and none is new.' out || fail "$trace: $(cat out)"
	! grep -Eq '^(Gone|New|Lines|Doubtful)' out || [ $trace = halo ] || fail "$trace differs from itself: $(cat out)"
	status 0 ctpost compare --json $trace.ctrace $trace.ctrace
	jq -e '(.compared_runs[0] | .gone + .new + .unknown + .small_gone + .small_new == 0 and .is_other_program == false) and
		all(.compared_problems[]; .state == "remains" and .worth_seconds_before == .worth_seconds_after) and
		all(.compared_kernels[], .compared_lines[]; .state == "both" and .sectors_before == .sectors_after and
			.redundant_elements_before == .redundant_elements_after)' out >log || fail "$trace: $(jq -c . out)"
done

# The comparison names what was measured of a run: that of the trace, and of its calls.
status 0 ctpost compare --json ffm.ctrace ffm-ranks.ctrace
jq -e '.compared_runs[0].remaining == 4 and ([.compared_calls[] | select(.function == "cudaFree")][0] |
	.calls_before == 3 and .calls_after == 5 and (.seconds_before - 180e-6 | fabs) < 1e-9 and (.less_seconds + 120e-6 | fabs) < 1e-9)' out >log ||
	fail "calls: $(jq -c .compared_calls out)"
jq -e '[.compared_doubts[].text] | any(test("1 and 2 processes")) and any(test("10 kernels ran, now 16"))' out >log || fail "doubts: $(jq -c .compared_doubts out)"

# Kernels of which no launch is listed, for nothing was instrumented, have their times.
jq -e '[.compared_kernels[] | [.state, .launches_before, .launches_after]] == [["both", 10, 16]] and
	(.compared_kernels[0] | (.seconds_before - 670e-6 | fabs) < 1e-9 and (.seconds_after - 1090e-6 | fabs) < 1e-9) and
	(.compared_runs[0].kernel_saved_seconds + 420e-6 | fabs) < 1e-9' out >log || fail "kernels: $(jq -c .compared_kernels out)"

# Without uses it is not known what waits are needed: they are neither gone nor, the other way round, new.
status 0 ctpost compare ffm.ctrace ffm-calls.ctrace
grep -q 'ffm-calls.ctrace has not recorded what would show it' out || fail "$(cat out)"
for pair in 'ffm ffm-calls' 'ffm-calls ffm'; do
	status 0 ctpost compare --json "${pair% *}.ctrace" "${pair#* }.ctrace"
	jq -e '.compared_runs[0] | .gone == 0 and .new == 0 and .unknown == 4' out >log || fail "$pair: $(jq -c .compared_runs out)"
done

# The same figures as the command of each analysis has.
status 0 ctpost access --json access.ctrace
jq -c '[.access_kernels[] | [.kernel, .sectors, .ideal_sectors, .requests]] | sort' out >of-access
status 0 ctpost compare --json access.ctrace access.ctrace
jq -c '[.compared_kernels[] | select(.requests_before) | [.kernel, .sectors_before, .ideal_sectors_before, .requests_before]] | sort' out >of-compare
diff of-access of-compare || fail "other figures than ctpost access"
status 0 ctpost values --json values.ctrace
jq '[.value_lines[] | .accesses, .redundant] | add' out >of-values
status 0 ctpost compare --json values.ctrace values.ctrace
jq '[.compared_lines[] | .elements_after // 0, .redundant_elements_after // 0] | add' out >of-compare
diff of-values of-compare || fail "other figures than ctpost values"

# Other programs: said, and nothing else.
status 0 ctpost compare shift.ctrace access.ctrace
grep -q 'different programs, and nothing of them is compared' out || fail "$(cat out)"
! grep -Eq '^(Gone|New|No problem|Kernels)' out || fail "compared all the same: $(cat out)"
status 0 ctpost compare --json shift.ctrace access.ctrace
jq -e '.compared_runs[0].is_other_program and .compared_problems == []' out >log || fail "$(jq -c .compared_runs out)"

# Sources that neither trace has lines of: each side from a directory of its own, or both from one.
for side in before after; do
	mkdir $side
	seq -f "$side %g" 300 >$side/shapes.cu
done
status 0 ctpost report access.ctrace access.ctrace -o page.html --source-root=before,after
page_tables page.html | jq -e '[.page_sources[] | [.study, .is_found]] == [["before", true], ["after", true]] and
	([.page_sources[] | {(.file_number | tostring): .study}] | add) as $study |
	.page_lines | length > 100 and all(.text == "\($study[.file_number | tostring]) \(.line)")' >log || fail "sources of both: $(cat log)"
status 0 ctpost report access.ctrace access.ctrace -o page.html --source-root=after
page_tables page.html | jq -e '.page_lines | length > 100 and all(.text == "after \(.line)")' >log || fail "sources of one directory"
status 0 ctpost report access.ctrace access.ctrace -o page.html --source-root=before,after --sources=off
page_tables page.html | jq -e '.page_lines == []' >log || fail "--sources=off quotes"
status 0 ctpost compare --source-root=before,after access.ctrace access.ctrace
grep -qx 'No problem is gone, and none is new.' out || fail "other sources: $(cat out)"
status 1 ctpost compare --source-root=before,none access.ctrace access.ctrace
grep -q 'none: not a directory' err || fail "$(cat err)"
status 2 ctpost compare --source-root=before, access.ctrace access.ctrace
grep -q "expected a directory, or two with a comma" err || fail "$(cat err)"

# All formats; a page, which shows the same.
in_all_formats compare ffm.ctrace ffm-ranks.ctrace
status 0 ctpost report ffm.ctrace ffm-ranks.ctrace -o page.html
page_tables page.html >page.json
status 0 ctpost compare --json ffm.ctrace ffm-ranks.ctrace
same='{runs: .compared_runs[0] | [.study_before, .study_after, .gone, .new, .remaining, .unknown], doubts: .compared_doubts,
	problems: [.compared_problems[] | [.number, .state, .finding, .text, .fix]], calls: [.compared_calls[] | [.function, .calls_before, .calls_after]]}'
jq "$same" page.json >of-page
jq "$same" out >of-command
diff of-page of-command || fail "the page shows something else"
jq -e '(.run_time_before | any(.kind == "waiting")) and (.run_time_after | any(.kind == "waiting"))' page.json >log || fail "the time of both: $(cat page.json)"
jq -r '.page_compared_words[] | select(.compared_problem == null) | .sentence' page.json >of-page
status 0 ctpost compare ffm.ctrace ffm-ranks.ctrace
while read -r line; do
	tr '\n' ' ' <out | grep -qF "$line" || fail "the page says: $line"
done <of-page
[ -s of-page ] || fail "the page has no words"

# Lines lead to the files of their own study, though these are of one name.
status 0 ctpost report access.ctrace access.ctrace -o page.html
page_tables page.html | jq -e '.page_sources as $files | (.compared_line_figures | length > 0) and
	all(.compared_line_figures[]; $files[.before[0]].study == "before" and $files[.after[0]].study == "after" and .before[1] == .after[1])' >log ||
	fail "lines of both studies"

# Wrong options, and traces that are not there.
status 2 ctpost compare ffm.ctrace
one_line 'expected BEFORE AFTER'
status 2 ctpost compare ffm.ctrace ffm.ctrace ffm.ctrace
one_line 'expected BEFORE AFTER'
status 2 ctpost compare --format=sqlite ffm.ctrace ffm.ctrace
one_line 'the output is missing: -o FILE'
status 2 ctpost compare --rows=few ffm.ctrace ffm.ctrace
one_line 'a number of rows, or all'
for pair in 'none.ctrace access.ctrace' 'access.ctrace none.ctrace'; do
	status 1 ctpost compare ${pair}
	one_line 'none.ctrace: No such file or directory'
done
status 1 ctpost compare --kernels=none access.ctrace access.ctrace
one_line "no launch is left by the selection"

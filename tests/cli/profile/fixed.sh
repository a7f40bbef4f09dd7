# SPDX-License-Identifier: Apache-2.0
# ctrun profile: what is planted in the other examples; a limit that cuts the traced run short; studies before
# and after what was planted is fixed, compared.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost source=$CT_CLI/../../examples/heat/heat.cu

# line WORDS: of the source that has them
line() {
	grep -nF "$1" "$source" | head -n 1 | cut -d: -f1
}
"$cxx" --ct-target=cpu --ct-all -O1 "$source" -o heat 2>log || fail "$(cat log)"
status 0 "$ctrun" profile -o study --budget=0 -- ./heat 128 8
status 0 "$ctpost" findings --json --all study
cp out json

# A limit that cuts the first launch short: once more, with fewer blocks, of which whole launches are
# there. That recording stopped is a limit of the list, and no problem beside it.
status 0 "$ctrun" profile -o cut --budget=0 --limit=50k -- ./heat 256 4
has err 'that was more than fits: once more, with one thread block in 17'
! grep -q 'no manifest says' out || fail "the list says what has stopped it twice: $(cat out)"
"$ctpost" export --format=json --tables=launches -o launches.json cut
jq -e '[.launches[] | select(.block_period > 1)] | length > 0' launches.json >log ||
	fail "no launch with fewer blocks: $(jq -c '[.launches[].block_period]' launches.json)"
status 0 "$ctrun" profile -o whole --budget=0 --limit=50k --sample-blocks-least=8 -- ./heat 256 4
! grep -q 'once more' err || fail "options given by hand are not taken: $(cat err)"

# planted PROGRAM ARGUMENTS FINDING...: of accesses of the other examples, among the problems
planted() {
	program=$1 arguments=$2
	shift 2
	"$cxx" --ct-target=cpu --ct-all -O1 "$CT_CLI/../../examples/$program/$program.cu" -o "$program" 2>log || fail "$(cat log)"
	# shellcheck disable=SC2086
	status 0 "$ctrun" profile -o "$program.study" --budget=0 -- "./$program" $arguments
	status 0 "$ctpost" findings --json --all "$program.study"
	for finding; do
		jq -e --arg finding "$finding" '[.problems[] | select(.finding == $finding)] | length == 1' out >log ||
			fail "$program: not one $finding: $(jq -c '.problems | map([.finding, .line])' out)"
	done
}
planted particles '20000 3' array-of-structures bank-conflicts
planted spmv '2048 2' strided-accesses contended-atomics

# Fixed, and moved by an edit: what is gone, what that has brought, each line where it is now. The
# sum loads each element of 128 x 128 twice (two of eight steps), from a sector of its own before, and
# eight lanes from one after.
# compared BEFORE AFTER: the comparison in `out`
compared() {
	status 0 "$ctpost" compare --json "$1" "$2"
}
mkdir moved
sed 's/^#include <vector>$/&\n\n/' "$source" >moved/heat.cu
"$cxx" --ct-target=cpu --ct-all -O1 -DFIX_MEANS moved/heat.cu -o heat-means 2>log || fail "$(cat log)"
status 0 "$ctrun" profile -o means --budget=0 -- ./heat-means 128 8
compared study means
cp out comparison
jq -e --argjson line "$(line 'sum += u')" '[.compared_problems[] | select(.finding == "strided-accesses")] |
	length == 1 and (.[0] | .state == "gone" and .before_line == $line and .kernel == "row_means" and .measured == "kernel")' comparison >log ||
	fail "strided accesses are not gone: $(jq -c .compared_problems comparison)"
jq -e '.compared_runs[0] | .is_other_program == false and .gone >= 1' comparison >log || fail "runs: $(jq -c .compared_runs comparison)"
jq -e --argjson line "$(line 'sum += u')" '[.compared_lines[] | select(.before_line == $line)] |
	length == 1 and (.[0] | .state == "both" and .after_line > $line and .sectors_before == 32768 and .sectors_after == 4096 and
		.sectors_ratio == 0.125 and .efficiency_before == 0.125 and .efficiency_after == 1 and
		.elements_before == 32768 and .elements_after == 32768 and .moved_bytes_before == 1048576)' comparison >log ||
	fail "the line: $(jq -c .compared_lines comparison)"
jq -e '[.compared_lines[] | select(.kernel == "step")] | length >= 4 and all(.[]; .state == "both" and
	.after_line == .before_line + 2 and .sectors_before == .sectors_after and .requests_before == .requests_after)' comparison >log ||
	fail "lines that have only moved: $(jq -c .compared_lines comparison)"
# Predicted is what the list says, measured what the calls' tables say.
jq -s -e '.[0] as $study | .[1] as $compared | [$compared.compared_problems[] | select(.problem_before)] | length > 0 and
	all(.[]; . as $row | $study.problems[] | select(.problem_number == $row.problem_before) |
		.worth_seconds == $row.worth_seconds_before and .text == $row.text or $row.state == "remains")' json comparison >log ||
	fail "other problems than the list's"
"$ctpost" calls --json study/calls.ctrace >before.json
"$ctpost" calls --json means/calls.ctrace >after.json
jq -s -e '[.[:2][] | [.kernel_times[] | select(.kernel | test("row_means")) | .seconds] | add] as $seconds |
	[.[2].compared_problems[] | select(.finding == "strided-accesses") | .measured_seconds_before, .measured_seconds_after] |
	(.[0] - $seconds[0] | fabs) < 1e-9 and (.[1] - $seconds[1] | fabs) < 1e-9' before.json after.json comparison >log ||
	fail "measured otherwise: $(jq -c .compared_problems comparison)"
status 0 "$ctpost" compare study means
grep -q "^ 1  heat.cu:$(line 'sum += u'), row_means: Strided accesses: was worth" out || grep -q "heat.cu:$(line 'sum += u'), row_means: Strided" out ||
	fail "not reported: $(cat out)"
status 0 "$ctpost" report study means -o page.html
grep -q '","gone","' page.html || fail "nothing is gone on the page"

# The copy and the wait: those that the list had are gone, and nothing of kernels is. A trace without
# uses cannot tell.
"$cxx" --ct-target=cpu --ct-all -O1 -DFIX_COPY -DFIX_WAIT "$source" -o heat-calls 2>log || fail "$(cat log)"
status 0 "$ctrun" profile -o fewer --budget=0 -- ./heat-calls 128 8
# lines_of COLUMN: of these two, which of a table on the input have that column. Other calls, which the
# list has where their worth is enough of the run, come and go with the machine's load.
lines_of() {
	jq -c --argjson copy "$(line 'CHECK(cudaMemcpy(plate.conductivity_on_device')" --argjson wait "$(line 'CHECK(cudaDeviceSynchronize')" \
		"[.[] | select(.analysis == \"ffm\") | .$1 | select(. == \$copy or . == \$wait)] | sort"
}
jq .problems json | lines_of line >planted
compared study fewer
jq '[.compared_problems[] | select(.state == "gone")]' out | lines_of before_line >gone
diff planted gone || fail "calls that are gone: $(jq -c .compared_problems out)"
jq -e 'all(.compared_problems[] | select(.state == "gone"); .measured == "calls" and .measured_seconds_before > 0) and
	all(.compared_problems[] | select(.analysis == "access"); .state == "remains") and
	([.compared_calls[] | select(.function == "cudaDeviceSynchronize")][0] | .calls_before == 8 and .calls_after == 0) and
	([.compared_calls[] | select(.function == "cudaMemcpy")][0] | .calls_before - .calls_after == 7)' out >log ||
	fail "calls: $(jq -c '[.compared_problems, .compared_calls]' out)"
compared study study/accesses.ctrace
jq '[.compared_problems[] | select(.state == "unknown")]' out | lines_of before_line >unknown
diff planted unknown || fail "not unknown: $(jq -c .compared_problems out)"
jq -e '.compared_runs[0] | .gone == 0 and .new == 0' out >log || fail "a trace of the same program: $(jq -c .compared_runs out)"

# A kernel of which nothing was recorded: what is wrong with it is not known.
status 0 "$ctrun" --kernels='step.*' -o part.ctrace -- ./heat 128 8
for pair in 'study part.ctrace' 'part.ctrace study'; do
	compared ${pair}
	jq -e '(.compared_runs[0] | .gone == 0 and .new == 0) and
		([.compared_problems[] | select(.finding == "strided-accesses") | .state] == ["unknown"])' out >log ||
		fail "$pair: $(jq -c .compared_problems out)"
done

# Structures of 64 bytes, of which 4 are used, and columns of a matrix in shared memory. Lines have
# moved and access other objects now: they are the same by what they say.
sed 's/^#include <vector>$/&\n\n/' "$CT_CLI/../../examples/particles/particles.cu" >moved/particles.cu
"$cxx" --ct-target=cpu --ct-all -O1 -DFIX_LAYOUT -DFIX_BANKS moved/particles.cu -o particles-fixed 2>log || fail "$(cat log)"
status 0 "$ctrun" profile -o fixed --budget=0 -- ./particles-fixed 20000 3
compared particles.study fixed
jq -e '[.compared_problems[] | select(.finding == "array-of-structures" or .finding == "bank-conflicts") | .state] == ["gone", "gone"]' out >log ||
	fail "of particles: $(jq -c .compared_problems out)"
jq -e 'all(.compared_kernels[] | select(.kernel == "move"); .sectors_before == 8 * .sectors_after) and
	all(.compared_kernels[] | select(.kernel == "energy"); .wavefronts_before > 2 * .wavefronts_after)' out >log ||
	fail "kernels of particles: $(jq -c .compared_kernels out)"
jq -e '[.compared_lines[] | select(.kernel == "move" or .kernel == "begin")] | length >= 6 and
	all(.[]; .state == "both" and .after_line == .before_line + 2 and .sectors_before == 8 * .sectors_after)' out >log ||
	fail "lines of particles: $(jq -c '[.compared_lines[] | [.kernel, .state, .before_line, .after_line, .sectors_before, .sectors_after]]' out)"

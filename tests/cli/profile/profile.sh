# SPDX-License-Identifier: Apache-2.0
# ctrun profile: all runs of a program into one study; its problems, those that were planted
# (examples/heat), joined by line, with seconds that follow from other tables; one of them at length.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost source=$CT_CLI/../../examples/heat/heat.cu

# line WORDS: of the source that has them
line() {
	grep -nF "$1" "$source" | head -n 1 | cut -d: -f1
}
"$cxx" --ct-target=cpu --ct-all -O1 "$source" -o heat 2>log || fail "$(cat log)"
CUDATRACE=off ./heat 128 8 >plain || fail "the program"

status 0 "$ctrun" profile -o study --budget=0 -- ./heat 128 8
grep -c 'mean temperature' out >runs
[ "$(cat runs)" = "$(($(grep -c ' of 4: ' err) + 1))" ] || fail "$(cat runs) runs: $(cat err)"
[ "$(grep 'mean temperature' out | sort -u)" = "$(cat plain)" ] || fail "the program prints otherwise"
has out 'Problems, ranked by what fixing each saves of a run of '
has out 'Kernels ran on CPU threads'
has err "page: $PWD/study/report.html"
! grep -q 'records one ' err || fail "a budget: $(cat err)"
[ -s study/report.html ] || fail "no page"

# Checks what was planted, and how it is joined.
status 0 "$ctpost" findings --json --all study
cp out json
jq -r '.findings as $all | .problems[] | .line as $line | .parts[] | "\($all[.finding_number].finding) \($line)"' json | sort >found
grep -qx "strided-accesses $(line 'sum += u')" found || fail "no strided accesses: $(cat found)"
# Those of calls, which are problems if they are worth a thousandth of the run: that hangs on the run.
status 0 "$ctpost" ffm --json --all study
for planted in "unnecessary-transfer:CHECK(cudaMemcpy(plate.conductivity_on_device" "unnecessary-synchronization:CHECK(cudaDeviceSynchronize"; do
	jq -e --arg problem "${planted%%:*}" --argjson line "$(line "${planted#*:}")" \
		'any(.needless_calls[]; .problem == $problem and .line == $line)' out >log || fail "no ${planted%%:*}: $(jq -c .needless_calls out)"
done
jq -r '.ffm_totals[0].run_seconds as $run | .needless_calls[:10][] | select(.worth_seconds >= 0.001 * $run) | "\(.problem) \(.line)"' out | sort >worthwhile
[ -z "$(comm -13 found worthwhile)" ] || fail "not listed: $(comm -13 found worthwhile)"
[ "$(jq '[.problems[] | "\(.file):\(.line)"] | length - (unique | length)' json)" = 0 ] || fail "a line twice: $(cat found)"
jq -e '[.problems[].worth_seconds // 1e9] | . == (sort | reverse)' json >log || fail "the order: $(jq -c .problems json)"

# At most: the share of the kernel's sectors that are too many, of all launches of the pristine run.
status 0 "$ctpost" access --json study/accesses.ctrace
cp out access
status 0 "$ctpost" calls --json study/calls.ctrace
jq -s --argjson line "$(line 'sum += u')" -e '.[0] as $found | .[1] as $access | .[2] as $calls |
	([$access.accesses[] | select(.kernel | test("row_means"))]) as $rows |
	($rows | map(.sectors) | add) as $all | ([$rows[] | select(.line == $line) | .sectors - .ideal_sectors] | add) as $excess |
	([$calls.kernel_times[] | select(.kernel | test("row_means")) | .seconds] | add) as $seconds |
	([$found.problems[] | select(.line == $line) | .bound_seconds][0]) as $bound |
	($bound / ($seconds * $excess / $all) - 1 | fabs) < 1e-6' json access out >log ||
	fail "at most so many seconds: $(jq -c '.problems[0]' json) $(jq -c .kernel_times out)"

# Once more: nothing runs, and the list is the same.
status 0 "$ctrun" profile -o study --budget=0 -- ./heat 128 8
! grep -q 'mean temperature' out || fail "it ran again: $(cat err)"
has err 'the traced run: there already'

# One at length, with its line; no such one.
number=$(jq --argjson line "$(line 'sum += u')" '.problems[] | select(.line == $line) | .problem_number' json)
status 0 "$ctpost" explain "$number" study
grep -q "^> *$(line 'sum += u')  .*sum += u" out || fail "not its line: $(cat out)"
grep -q "at most .* of the kernel's time" out || fail "not what it rests on: $(cat out)"
has out 'How to verify'
status 1 "$ctpost" explain 99 study
has err 'study: there is no problem 99'
status 2 "$ctpost" explain x study
has err 'the number of a problem'

# The same for programs and other views: records of the traced run, times of the other.
status 0 "$ctpost" export --format=sqlite --tables=problems -o study.db study
jq '.problems | length' json >log
[ "$(sqlite3 study.db 'select count(*) from problems' 2>/dev/null || cat log)" = "$(cat log)" ] || fail "export has others"
status 0 "$ctpost" comm --json study
jq -e '.comm_totals[0].load_bytes > 0' out >log || fail "comm reads no accesses"

# Every command takes a study: the run that it is about. No kernel ran on a GPU: there is nothing to sample.
for command in access blame ctas model values; do
	status 0 "$ctpost" $command study
done
for command in dump info verify; do
	"$ctpost" $command study >of-study 2>err || fail "$command of a study: $(cat err)"
	"$ctpost" $command study/accesses.ctrace >of-trace 2>err
	sed 's,study/accesses.ctrace,study,' of-trace >expected
	sed 's,study/accesses.ctrace,study,' of-study | cmp -s - expected || fail "$command: a study is another than its traced run"
done
status 0 "$ctpost" calls study
grep -q '^Recorded by' out || fail "calls of a study"
status 0 "$ctpost" feed --stage=samples study
[ ! -s out ] || fail "samples of CPU threads: $(cat out)"
[ ! -e study/samples.ctrace ] || fail "CPU threads are sampled"
status 1 "$ctpost" samples study
has err 'no samples'

# The budget: the least period that is within it.
status 0 "$ctpost" feed --stage=accesses --times=0 study
[ "$(grep -v '^#' out | tr '\n' ' ')" = 'sample-launches=1 sample-blocks=1 sample-blocks-least=64 ' ] || fail "no bound: $(cat out)"
status 2 "$ctpost" feed --stage=accesses --times=1 study

# A run that fails is named; what was recorded is of use; a missing program, a missing directory.
printf '#!/bin/sh\n./heat 64 4\nexit 3\n' >fails
chmod +x fails
status 3 "$ctrun" profile -o failed -- ./fails
has err 'fails ended with status 3'
status 0 "$ctrun" profile --status=3 -o failed --sample-launches=2 -- ./fails
has out 'Problems, ranked'
"$ctpost" export --format=json --tables=launches -o launches.json failed/accesses.ctrace
jq -e '[.launches[].launch_period] | unique == [2]' launches.json >log || fail "--sample-launches is not handed on"
status 2 "$ctrun" profile -- ./heat
has err '-o DIR is missing'
status 127 "$ctrun" profile -o other -- ./nowhere

# SPDX-License-Identifier: Apache-2.0
# values, findings and report with --times: what redundant loads and stores are worth, worked out by hand for
# the kernels of tests/unit/trace/trace_values.h on a device of the default figures of compute
# capability 9.0 with one multiprocessor: 1.755 GHz, 64 bytes a cycle from the L1 and 40 from the
# L2, which answer in 33 and 270 cycles, and 1 us for an empty kernel.
. "$CT_CLI/shared/ctpost.sh"
make_trace values
make_trace values-times

# The kernel reads moves 40 sectors in 10 requests, of which the first finds its 4 in the L2 and the
# others 36 in the L1; these 36 are redundant. At most they are 0.9 of the mean of 5 us. It runs for
# 4 us, of which moving takes 36 l1 + 4 (l1 + l2); it waits for the rest, 9 x 33 of 9 x 33 + 270
# cycles for the L1.
# The kernel same stores 40 sectors to the L2, 36 of which are redundant, and waits for none of them:
# at most 0.9 of 9 us, and about what 36 (l1 + l2) take.
worth='def l1: 32 / 64 / 1.755e9; def l2: 32 / 40 / 1.755e9;
	def near(a; b): (a - b) / b | fabs < 1e-6;
	def every(items; condition): [items] | length > 0 and all(.[]; condition);
	def moving: 36 * l1 + 4 * (l1 + l2);
	def reads: 36 * l1 + (4e-6 - moving) * (9 * 33) / (9 * 33 + 270);
	def same: 36 * (l1 + l2);
	def reported(seconds; estimate): near(.saved_seconds; seconds) and near(.estimated_seconds; estimate);
	def found(seconds; estimate): near(.worth; seconds) and near(.estimate; estimate) and
		.worth_unit == "seconds" and .estimate_unit == "seconds";'

status 0 ctpost values --json --times=values-times.ctrace values.ctrace
jq -e "$worth"'
	def site(line): .value_lines[] | select(.line == line);
	every(site(4); .sectors == 40 and .redundant_sectors == 36 and reported(4.5e-6; reads)) and
	every(site(14); .sectors == 40 and .redundant_sectors == 36 and reported(8.1e-6; same)) and
	every(site(23); .saved_seconds == null and .estimated_seconds == null) and
	every(.findings[] | select(.finding == "redundant-loads"); found(4.5e-6; reads)) and
	every(.findings[] | select(.finding == "silent-stores" and .lines[0].line == 14); found(8.1e-6; same))' out >log ||
	fail "values: $(jq -c '.value_lines[] | [.line, .sectors, .redundant_sectors, .saved_seconds, .estimated_seconds]' out)"
status 0 ctpost values --times=values-times.ctrace values.ctrace
tr -s '\n ' '  ' <out | grep -q '1.2 kB of traffic at most; 36 sectors a launch).*(worth up to 4.5 ..s, about 2.1 ..s)\.' || fail "text: $(cat out)"

status 0 ctpost findings --json --times=values-times.ctrace values.ctrace
jq -e "$worth"'
	def line(line): .value_lines[] | select(.line == line);
	every(line(4); .sectors == 40 and .redundant_sectors == 36 and reported(4.5e-6; reads)) and
	every(line(14); .sectors == 40 and .redundant_sectors == 36 and reported(8.1e-6; same)) and
	every(line(23); .saved_seconds == null and .estimated_seconds == null)' out >log ||
	fail "findings: $(jq -c '.value_lines[]' out)"
status 0 ctpost findings --tables --times=values-times.ctrace values.ctrace
# 36 sectors are less than any SM would notice: a row of the table, and no finding.
! grep -q '4.5 ..s, about' out || fail "a finding of 36 sectors: $(cat out)"
tr -s '\n ' '  ' <out >joined
grep -q 'at most *about' joined || fail "no columns of seconds: $(cat out)"

# Without times there are neither, nor with those of other kernels.
make_trace api
for times in '' --times=api.ctrace; do
	# shellcheck disable=SC2086
	status 0 ctpost findings --json $times values.ctrace
	jq -e 'all(.value_lines[]; has("sectors") and .saved_seconds == null) and
		all(.findings[]; .estimate == null)' out >log || fail "seconds from nowhere: $(jq -c .findings out)"
done

status 0 ctpost report --times=values-times.ctrace -o page.html values.ctrace
grep -q '"key":"estimated_seconds"' page.html || fail "the page does not say what it is worth"
for command in values findings 'report -o page.html'; do
	# shellcheck disable=SC2086
	status 1 ctpost $command --times=values.ctrace values.ctrace
	one_line "values.ctrace: it has no times of kernels that are not traced"
done
status 2 ctpost report --times=values-times.ctrace -o page.html values.ctrace values.ctrace
one_line "report: --times belongs to the page of one trace"

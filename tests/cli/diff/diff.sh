# SPDX-License-Identifier: Apache-2.0
# diff: the same accesses grouped otherwise are equal; one thread's change is found.
. "$CT_CLI/shared/ctpost.sh"
make_trace base
make_trace regrouped
make_trace changed
make_trace object
make_trace site
make_trace shorter
make_trace damaged

status 0 ctpost diff base.ctrace base.ctrace
status 0 ctpost diff base.ctrace regrouped.ctrace
golden equal out
status 1 ctpost diff base.ctrace changed.ctrace
golden changed out
status 1 ctpost diff regrouped.ctrace changed.ctrace
grep -q "first thread block (1,0,0) thread 36 access 2;" out || fail "not found in the regrouped trace"
status 1 ctpost diff base.ctrace object.ctrace
golden object out
status 1 ctpost diff base.ctrace site.ctrace
golden site out
status 1 ctpost diff base.ctrace shorter.ctrace
golden shorter out
status 1 ctpost diff --json base.ctrace changed.ctrace
golden json out
status 1 ctpost diff --format=sqlite -o diff.db base.ctrace changed.ctrace
[ "$(sqlite3 diff.db "select count(*) from diff_launches l join diff_steps s using (part, launch) where l.outcome = 'accesses'")" -gt 0 ] || fail "no steps in the database"
status 0 ctpost diff base.ctrace damaged.ctrace
grep -q "damaged.ctrace: records were lost of launch 4" err || fail "no warning of the loss"
# Where nothing can be compared nothing is equal.
make_trace ffm
status 2 ctpost diff ffm.ctrace ffm.ctrace
one_line "nothing was compared"
grep -q "^nothing compared: 0 of " out || fail "nothing is said to be equal: $(cat out)"
status 2 ctpost diff --json ffm.ctrace ffm.ctrace
jq -e '.diff_totals[0].verdict == "nothing compared"' out >log || fail "nothing is equal in JSON: $(cat out)"
status 2 ctpost diff base.ctrace nowhere.ctrace
one_line "nowhere.ctrace"
status 2 ctpost diff base.ctrace
one_line "expected A B"

# SPDX-License-Identifier: Apache-2.0
# Problems of a study in its page: among the findings, in a section of their own, and on the time line;
# the studies are made by hand (tests/unit/trace/trace_ffm.c).
. "$CT_REPORT/lib.sh"
mkdir study
for run in calls uses first-uses; do
	"$CT_CLI_BUILD/ctpost-make-trace" "study/$run.ctrace" "ffm-$run"
done
"$CT_BIN/ctpost" report study -o study.html 2>err || fail "$(cat err)"
use study.html "$CT_REPORT/ffm.js" --window-size=1400,1000 --virtual-time-budget=20000
[ "$(grep -c '^PASS' results)" = 15 ] || fail "checks are missing"

# One run with everything on has the same; one without uses has none of it.
"$CT_CLI_BUILD/ctpost-make-trace" all.ctrace ffm
"$CT_BIN/ctpost" report all.ctrace -o all.html 2>err || fail "$(cat err)"
grep -q '"name":"needless_calls"' all.html || fail "no section of a single run"
"$CT_BIN/ctpost" report study/calls.ctrace -o none.html 2>err || fail "$(cat err)"
if grep -q '"name":"needless_calls"' none.html; then
	fail "a section without uses"
fi

# SPDX-License-Identifier: Apache-2.0
# Names that have their lambda's place, paths with detours, and launches that failed: what was
# recorded ahead for a loop or a group may not have happened.
. "$CT_CLI/shared/comm.sh"
make_trace lambda
make_trace lambda-shorter
lambda='(lambda at apply.cu:12:3)'
full='(lambda at /home/me/demo/src/apply.cu:12:3)'

# brief WHAT LINES: out has the brief name in so many lines, and no name or path is longer
brief() {
	[ "$(grep -cF "apply<$lambda>" out)" = "$2" ] || { cat out; fail "$1: names of lambdas"; }
	! grep -qF -e "at /home/me/demo/src/apply.cu:12:3)" -e "/.." out || fail "$1: paths"
}

ctpost info --each-site lambda.ctrace >out
brief info 8
grep -q ' at /home/me/demo/src/apply.cu:5$' out || fail "a kernel's place in the coverage"
grep -q '^  not instrumented: load at /home/me/demo/src/apply.cu:14: texture' out || fail "a site's place"
ctpost comm lambda.ctrace >out
brief comm 4
ctpost dump --limit=1 --paths lambda.ctrace >out
brief dump 1
ctpost diff lambda.ctrace lambda-shorter.ctrace >out || true
brief diff 4
ctpost verify lambda.ctrace >out || true
brief verify 1
ctpost report -o report.html lambda.ctrace >out
! grep -qF -e "at /home/me/demo/src/apply.cu:12:3)" -e "/tests/../" report.html || fail "report: paths"
grep -qF "$lambda" report.html || fail "report: names of lambdas"
ctpost info --json lambda.ctrace >json
is '[.launches[0].kernel, .kernels[0].name] | unique' "[\"apply<$full>($full)\"]"
is '.kernels[0].short_name' "\"apply<$lambda>\""

# Whole names, where they are asked for: in tables, in the words around them, and on the page.
for command in info comm; do
	ctpost $command --full-names lambda.ctrace >out
	grep -qF "apply<$full>($full)" out || fail "$command: no whole name"
done
ctpost report --full-names -o report.html lambda.ctrace >out
page_tables report.html | jq -e ".kernel_volumes[0].kernel == \"apply<$lambda>($lambda)\"" >out || fail "report: no whole name"
grep -q '"names":\[\]' report.html || fail "report: short names"

# Counts of a launch that ended well, or without loops and groups, are exact.
ctpost info lambda.ctrace >out
for traced in '1 .*  yes; CUDA error 700; accesses are upper bounds' '2 .*  yes' \
	'3 .*  yes; CUDA error 700' '4 .*  yes; no end; accesses are upper bounds'; do
	grep -qx "$traced" out || { cat out; fail "no launch '$traced'"; }
done
grep -q '^limit  *Up to 672 of the 736 accesses of 2 launches that failed or have no end may not' out ||
	fail "no finding says what may not have happened"
ctpost findings lambda.ctrace >out
grep -q '^limit  *Up to 672 of the 736 accesses' out || fail "findings does not say so"
ctpost info --launches=2-4 lambda.ctrace >out
grep -q '^limit  *Up to 32 of the 64 accesses of 1 launch that failed or has no end may not' out ||
	fail "the finding is not of the launches that were selected"
ctpost info --launches=2-3 lambda.ctrace >out
! grep -q 'may not have happened' out || fail "a finding where counts are exact"
is '[.launch_totals[].is_upper_bound]' '[true,false,false,true]'
is '.findings[] | select(.finding == "upper-bound") | .figure, (.launches | length)' '672
2'
ctpost info --threads=2 --json lambda.ctrace | jq -c '[.launch_totals[].is_upper_bound]' >out
grep -qx '\[true,false,false,true\]' out || fail "with two threads"
# No line of a table ends in blanks, also where a launch has rows for other spaces.
make_trace calls
ctpost info --each-site calls.ctrace >out
! grep -n ' $' out || fail "blanks at the end of lines"
grep -q '^ *shared .* 0 B$' out || fail "no row of another space"

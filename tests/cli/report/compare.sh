# SPDX-License-Identifier: Apache-2.0
# report of several traces: the same figures of each, as a page and as tables.
. "$CT_CLI/shared/ctpost.sh"
make_comm() {
	"$CT_CLI_BUILD/ctpost-comm-trace" "$1.ctrace" "$1"
}
make_comm shift
make_comm halo

status 0 ctpost report shift.ctrace halo.ctrace --format=text
cp out text
golden compare-text text
grep -q 'halo.ctrace: 1 of 28 launches were not traced' err || fail "no word of what halo lacks"
status 0 ctpost report shift.ctrace halo.ctrace --format=csv -o tables
cut -d, -f2- tables/compared_points.csv >csv
golden compare-csv csv

# The same rows in all formats, as of other commands; values of rows to nine digits.
rounded() {
	awk -F, -v OFS=, '{ $NF = sprintf("%.9g", $NF); print }'
}
status 0 ctpost report shift.ctrace halo.ctrace --json
jq -e '.schema == "cudatrace-report-2" and .trace == "shift.ctrace"' out >log || fail "its head"
jq -r '.compared_points[] | [.figure_name, .trace, .series, .x, .y, .figure_value] | map(. // "" | tostring) | join(",")' out | rounded >from-json
tail -n +2 csv | tr -d '\r' | rounded >from-csv
diff from-csv from-json || fail "CSV and JSON differ"
[ "$(wc -l <from-csv)" -gt 100 ] || fail "few points: $(wc -l <from-csv)"
docs=$CT_CLI/../../docs
. "$CT_CLI/json/exported.sh"
in_all_formats report shift.ctrace
[ "$(sqlite3 of.sqlite 'SELECT figure_value FROM compared_points WHERE figure_name = "volume" AND series = "load"')" = 512.0 ] || fail "no volume in the database"

# The figures are those of comm.
for trace in shift halo; do
	ctpost comm --json $trace.ctrace 2>/dev/null |
		jq -r '.comm_totals[0] | "\(.load_bytes) \(.store_bytes) \(.communicated_load_bytes) \(.communicated_store_bytes)"' >of-comm
	jq -r --arg trace $trace '.compared_traces[] | select(.trace == $trace) | "\(.load_bytes) \(.store_bytes) \(.communicated_load_bytes) \(.communicated_store_bytes)"' out >of-compare
	diff of-comm of-compare || fail "volumes of $trace"
done

# A page: for each of the figures a panel of each trace; nothing that would have to be loaded.
status 0 ctpost report shift.ctrace halo.ctrace shift.ctrace -o page.html --title='A <b> & C'
[ "$(grep -c '<figure.*<svg' page.html)" = 33 ] || fail "$(grep -c '<figure.*<svg' page.html) panels"
grep -q '<title>A &lt;b> &amp; C - compared</title>' page.html || fail "the title"
page_tables page.html | jq -e '.title == "A <b> & C" and (.compared_traces | length) == 3 and (has("compared_runs") | not)' >log || fail "its data"
grep -q '<figcaption>shift (shift.ctrace)</figcaption>' page.html || fail "two traces of one name"
! grep -Eq '<(script|link|img)[^>]*(src|href)=' page.html || fail "the page loads something"
! grep '<figure.*<svg' page.html | grep -Eq '["MLHV ]-?(nan|inf)' || fail "no numbers in the page"

# One trace has a page of its own, and figures like several.
status 0 ctpost report shift.ctrace --format=text
grep -q '^shift  transfers  128 B' out || fail "the figures of one trace"
status 2 ctpost report shift.ctrace halo.ctrace --format=text -o text
grep -q 'text goes to standard output' err || fail "text in a file"
status 2 ctpost report shift.ctrace halo.ctrace --format=sqlite
grep -q 'the output is missing: -o FILE' err || fail "no word of -o"
status 2 ctpost report shift.ctrace halo.ctrace
grep -q 'Name the file with -o FILE.html' err || fail "no word of -o"
for option in --source-root=. --sources=off; do
	status 2 ctpost report shift.ctrace halo.ctrace shift.ctrace -o page.html $option
	grep -q -- '--source-root and --sources belong to the page of one or two traces' err || fail "$option of several"
done
status 1 ctpost report shift.ctrace none.ctrace -o none.html
grep -q none.ctrace err || fail "which trace is not there?"
[ ! -e none.html ] || fail "a page of half the traces"

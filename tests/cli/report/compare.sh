# SPDX-License-Identifier: Apache-2.0
# report of several traces: the same figures of each, as text, CSV, JSON and a page.
. "$CT_CLI/shared/ctpost.sh"
make_comm() {
	"$CT_CLI_BUILD/ctpost-comm-trace" "$1.ctrace" "$1"
}
make_comm shift
make_comm halo

status 0 ctpost report shift.ctrace halo.ctrace --format=text
cp out text
golden compare-text text
status 0 ctpost report shift.ctrace halo.ctrace --format=csv
cp out csv
golden compare-csv csv
grep -q 'halo.ctrace: 1 of 28 launches were not traced' err || fail "no word of what halo lacks"

# Every point of the CSV is in the JSON, and no other: both are written as figure, trace, series.
status 0 ctpost report shift.ctrace halo.ctrace --format=json -o compare.json
[ ! -s out ] || fail "JSON on standard output beside the file"
jq -r '.traces as $traces | .figures | to_entries[] | .key as $figure | .value | to_entries[] |
	$traces[.key].label as $trace | .value | to_entries[] | .key as $series |
	if .value | type == "array" then .value[] | [$figure, $trace, $series, .[0], .[1:][]] else [$figure, $trace, $series, .value] end |
	map(tostring) | join(" ")' compare.json >from-json
tail -n +2 csv | tr -d '\r' | awk -F, '{
	gsub(/[ -]/, "_", $1); gsub(/[ -]/, "_", $3); line = $1 " " $2 " " $3
	for (i = 4; i <= NF; i++) if ($i != "") line = line " " sprintf(i < 6 ? "%s" : "%.6g", $i)
	print line }' | sort >from-csv
awk '{ $NF = sprintf("%.6g", $NF); print }' from-json | sort >rounded
diff from-csv rounded || fail "CSV and JSON differ"
[ "$(wc -l <from-csv)" -gt 100 ] || fail "few points: $(wc -l <from-csv)"

# The figures are those of comm.
for trace in shift halo; do
	ctpost comm --json --density=0-199 $trace.ctrace 2>/dev/null |
		jq -r '.comm_totals[0] | "\(.load_bytes) \(.store_bytes) \(.communicated_load_bytes) \(.communicated_store_bytes)"' >of-comm
	awk -F, -v trace=$trace '$1 == "volume" && $2 == trace { printf "%s%s", sep, $6; sep = " " } END { print "" }' csv >of-compare
	diff of-comm of-compare || fail "volumes of $trace"
done

# A page: for each of the figures a panel of each trace; nothing that would have to be loaded.
status 0 ctpost report shift.ctrace halo.ctrace shift.ctrace -o page.html --title='A <b> & C'
[ "$(grep -c '<svg' page.html)" = 33 ] || fail "$(grep -c '<svg' page.html) panels"
grep -q '<h1>A &lt;b> &amp; C</h1>' page.html || fail "the title"
grep -q '<figcaption>shift (shift.ctrace)</figcaption>' page.html || fail "two traces of one name"
! grep -Eq '<script|<link|src=' page.html || fail "the page loads something"
! grep '<svg' page.html | grep -Eq '["MLHV ]-?(nan|inf)' || fail "no numbers in the page"

# One trace has a page of its own, and figures like several.
status 0 ctpost report shift.ctrace --format=text
grep -q '^shift  transfers  128 B' out || fail "the figures of one trace"
status 2 ctpost report shift.ctrace halo.ctrace
grep -q 'Name the file with -o FILE.html' err || fail "no word of -o"
status 2 ctpost report shift.ctrace halo.ctrace -o page.html --source-root=.
grep -q -- '--source-root belongs to the page of one trace' err || fail "--source-root of several"
status 1 ctpost report shift.ctrace none.ctrace -o none.html
grep -q none.ctrace err || fail "which trace is not there?"
[ ! -e none.html ] || fail "a page of half the traces"

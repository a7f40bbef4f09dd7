# SPDX-License-Identifier: Apache-2.0
# schema.sh DOCS: what commands write as JSON has the fields that DOCS/json-schema.md names, no
# other ones, and of the types that its tables say. The same of the page of a report (report.md)
# and of `export --format=json` (export.md).
. "$CT_CLI/shared/ctpost.sh"
docs=$1
for variant in base calls counts counts-mixed transfers damaged changed; do
	make_trace $variant
done
for variant in shift halo parts; do
	"$CT_CLI_BUILD/ctpost-comm-trace" $variant.ctrace $variant
done

. "$CT_CLI/json/fields.sh"

# all NAME COMMAND: its output for each trace, one after the other
all() {
	name=$1
	shift
	for trace in base calls counts counts-mixed transfers damaged shift halo parts; do
		ctpost "$@" $trace.ctrace 2>err || [ $? = 1 ] || fail "$(cat err)"
	done >"$name.json"
}

schema=$docs/json-schema.md
make_trace api
. "$CT_CLI/json/exported.sh"
cp -r "$CT_CLI/../golden/v3-sampled.ctrace" sampled.ctrace
all info info --json
for trace in api sampled; do
	ctpost info --json --paths $trace.ctrace >>info.json 2>err || fail "$(cat err)"
done
tables_of info.json
for table in estimates regions counted_sites counted_objects launch_paths; do
	grep -qx $table seen || fail "info has no $table"
done
all comm comm --json --scale=2-4 --by=cta --transfers
for more in --exchanged --by=sm '--address=0x7f0000000000-0x7f0000000100'; do
	ctpost comm --json "$more" halo.ctrace 2>err >>comm.json || fail "$more: $(cat err)"
done
"$CT_BIN/ctpost" comm --json --paths api.ctrace >>comm.json 2>err || fail "$(cat err)"
tables_of comm.json
all findings findings --json
tables_of findings.json
grep -qx accesses seen && grep -qx findings seen || fail "no findings, or no tables"

all verify verify --json
echo '{"kernel": "expand(int const*)", "launch": 1, "sites": []}' >expect
ctpost verify --json --expect=expect base.ctrace >>verify.json 2>err || [ $? = 1 ] || fail "$(cat err)"
tables_of verify.json

ctpost diff --json base.ctrace changed.ctrace >diff.json && fail "base and changed are alike"
ctpost diff --json --values --events base.ctrace calls.ctrace >>diff.json && fail "base and calls are alike"
ctpost diff --json base.ctrace base.ctrace >>diff.json
tables_of diff.json

for trace in base calls api; do
	ctpost dump --format=jsonl --values --events --paths $trace.ctrace
	ctpost dump --format=jsonl --values --events --paths --threads $trace.ctrace
done >dump.json
section "$schema" 'dump --format=jsonl'
check dump

make_trace api-plain
for trace in api api-plain; do
	ctpost calls --json $trace.ctrace 2>err || fail "$(cat err)"
done >calls.json
tables_of calls.json

for trace in ffm ffm-ranks ffm-calls; do
	make_trace $trace
	ctpost ffm --json $trace.ctrace 2>err || [ $trace = ffm-calls ] || fail "$(cat err)"
done >ffm.json
tables_of ffm.json
for after in ffm ffm-ranks ffm-calls; do
	ctpost compare --json ffm.ctrace $after.ctrace 2>err || fail "$(cat err)"
done >compare.json
tables_of compare.json

make_trace ctas
ctpost ctas --json ctas.ctrace >ctas.json 2>err || fail "$(cat err)"
tables_of ctas.json

make_trace samples
ctpost samples --json samples.ctrace >samples.json 2>err || fail "$(cat err)"
tables_of samples.json

make_trace access
ctpost access --json --reuse --races access.ctrace >access.json 2>err || fail "$(cat err)"
tables_of access.json

make_trace values
make_trace summaries
for trace in values summaries; do
	ctpost values --json $trace.ctrace 2>err || fail "$(cat err)"
done >values.json
tables_of values.json
for trace in access api:calls ctas samples values ffm base:findings halo:comm base:verify sampled:info; do
	in_all_formats "${trace#*:}" "${trace%:*}.ctrace"
done

ctpost report --format=json shift.ctrace halo.ctrace parts.ctrace >compare.json 2>err || fail "$(cat err)"
tables_of compare.json

# The page: its tables are described, its columns those of the tables.
for trace in shift halo parts calls api ffm; do
	ctpost report -o page.html $trace.ctrace 2>err || fail "$(cat err)"
	sed -n 's/.*id="report-data">\(.*\)<\/script>.*/\1/p' page.html
done >page.json
[ "$(jq -s 'map(select(.schema == "cudatrace-page-1")) | length' page.json)" = 6 ] || fail "a page has no object"
jq -r --rawfile columns columns '($columns | split("\n") | map(select(. != "") | split(" ")) | map({key: "\(.[0]).\(.[1])", value: .[2]}) | from_entries) as $known |
	.tables[] | ({exchanged_totals: "comm_totals", exchanged_kernel_volumes: "kernel_volumes", page_problems: "needless_calls"}[.name] // .name) as $table | .columns[] |
	(if .type == "line" then (if .key == "line" then "line" else .key + "_line" end)
		elif .type == "place" then (if .key == "place" then "file" else .key + "_file" end) else .key end) as $column |
	select($known["\($table).\($column)"] == null) | "\($table).\($column)"' page.json >wrong || fail "a page is no JSON"
[ ! -s wrong ] || fail "columns of pages that no document has: $(sort -u wrong)"
[ "$(jq -r '.tables[].name' page.json | sort -u | wc -l)" -gt 50 ] || fail "tables are missing: $(jq -r '.tables[].name' page.json | sort -u)"

cp -r shift.ctrace torn.ctrace
printf torn >>torn.ctrace/device-0-0.ct
for trace in base transfers damaged calls api ctas samples shift parts torn; do
	exported $trace
done
exported halo --history=all --tables=all
make_trace values
exported values --tables=values
exported summaries --tables=values
make_trace valueless
exported valueless --tables=values
exported access
exported ffm
echo all >expected.txt
exported ffm --suppressions=expected.txt
# Models, branches, blame and waits of which nothing is known take a program that was compiled (cli.model, cli.ffm-truth), races and checks one that has them (cli.check).
sed -n 's/.*| of `\([a-z_]*\)`; in JSON alone.*/\1/p' "$docs/tables.md" >within
sed -n '/^## Tables of other/,$d; s/^### //p' "$docs/tables.md" | grep -vxFf within | grep -v '^model\|^branch\|^blame_\|^races\|^check\|^unknown_waits' >names
for table in $(cat names); do
	grep -qx "$table" seen || fail "no export has rows of the table $table"
done
echo "export: $(wc -l <columns) columns"

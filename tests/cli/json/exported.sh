# SPDX-License-Identifier: Apache-2.0
# Tables in JSON, held against tables.md; read with ".", by tests that have `docs` (its folder) and
# `fail`.
awk -f "$CT_CLI/json/tables.awk" "$docs/tables.md" >columns
# tables_of FILE: every column of each row as tables.md has it, those of rows within rows where they are there. Tables with
# rows are added to `seen`.
bad='def fits($words): (type == "null" and ($words | endswith("?"))) or
		type == {uint: "number", real: "number", bool: "boolean", text: "string", address: "string", rows: "array"}[$words | rtrimstr("?")];
	($columns | split("\n") | map(select(. != "") | split(" ")) | group_by(.[0]) |
		map({key: .[0][0], value: map({key: .[1], value: .[2]}) | from_entries}) | from_entries) as $known |
	to_entries[] | select(.value | type == "array") | .key as $table | $known[$table] as $types |
	[$types // {} | to_entries[] | select(.value == "rows") | .key] as $within |
	if $types == null then "no document has the table \($table)" else .value[] |
		if keys - $within != ($types | keys) - $within then "\($table) has the columns \(keys)"
		else to_entries[] | select($types[.key] as $words | .value | fits($words) | not) |
			"\($table).\(.key) is no \($types[.key]): \(.value | tojson | .[:80])" end end'
tables_of() {
	jq -r --rawfile columns columns "$bad" "$1" >wrong || fail "$1 is no JSON"
	[ ! -s wrong ] || fail "$1: $(head -3 wrong)"
	jq -r 'to_entries[] | select(.value | type == "array" and length > 0) | .key' "$1" >>seen
}

# exported NAME OPTION...: the same of an export of NAME.ctrace
exported() {
	trace=$1
	shift
	"$CT_BIN/ctpost" export --format=json -o exported.json "$@" $trace.ctrace 2>err || fail "$(cat err)"
	tables_of exported.json
	rm exported.json
}

# in_all_formats COMMAND TRACE...: its tables have as many rows in a database as in JSON, and there are files of CSV and HDF5
in_all_formats() {
	rm -rf of.csv
	for format in json csv sqlite hdf5; do
		"$CT_BIN/ctpost" "$@" --format=$format -o of.$format >log 2>err || fail "$1 --format=$format: $(cat log err)"
	done
	jq -r 'to_entries[] | select(.value | type == "array") | "\(.key) \(.value | length)"' of.json >lengths
	while read -r table rows; do
		[ "$(sqlite3 of.sqlite "SELECT count(*) FROM $table")" = "$rows" ] || fail "$1: $table has not $rows rows in the database"
		[ -s of.csv/$table.csv ] || fail "$1: no $table in CSV"
		h5dump -H of.hdf5 | grep -q "GROUP \"$table\"" || fail "$1: no $table in HDF5"
	done <lengths
	[ -s lengths ] || fail "$1 has no tables"
}

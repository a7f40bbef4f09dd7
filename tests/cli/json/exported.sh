# SPDX-License-Identifier: Apache-2.0
# What `export --format=json` writes, held against export.md; read with ".", by tests that have `docs`
# (its folder) and `fail`.
awk -f "$CT_CLI/json/tables.awk" "$docs/export.md" >columns
# exported NAME OPTION...: every column of each row of NAME.ctrace as export.md has it. Tables with
# rows are added to `seen`.
bad='def fits($words): (type == "null" and ($words | endswith("?"))) or
		type == {uint: "number", real: "number", bool: "boolean", text: "string", address: "string"}[$words | rtrimstr("?")];
	($columns | split("\n") | map(select(. != "") | split(" ")) | group_by(.[0]) |
		map({key: .[0][0], value: map({key: .[1], value: .[2]}) | from_entries}) | from_entries) as $known |
	to_entries[] | .key as $table | $known[$table] as $types |
	if $types == null then "no document has the table \($table)" else .value[] |
		if keys != ($types | keys) then "\($table) has the columns \(keys)"
		else to_entries[] | select($types[.key] as $words | .value | fits($words) | not) |
			"\($table).\(.key) is no \($types[.key]): \(.value | tojson | .[:80])" end end'
exported() {
	trace=$1
	shift
	"$CT_BIN/ctpost" export --format=json -o exported.json "$@" $trace.ctrace 2>err || fail "$(cat err)"
	jq -r --rawfile columns columns "$bad" exported.json >wrong || fail "the export of $trace is no JSON"
	[ ! -s wrong ] || fail "export of $trace: $(head -3 wrong)"
	jq -r 'to_entries[] | select(.value | length > 0) | .key' exported.json >>seen
	rm exported.json
}

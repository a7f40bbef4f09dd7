# SPDX-License-Identifier: Apache-2.0
# Documents against output: which fields there are, and of what types.

# section FILE HEADING...: words and fields of these sections of the document, the first one's fields
section() {
	file=$1
	shift
	first=true
	for heading; do
		awk -v heading="$heading" -f "$CT_CLI/json/fields.awk" "$file" >read
		[ -s read ] || fail "$file has no section $heading"
		grep '^word ' read | cut -d' ' -f2 >>words
		! $first || grep '^field ' read | cut -d' ' -f2- >fields
		first=false
	done
}

# Names of fields; what the traced program wrote (manifest) and numbers of histograms are none.
keys='walk(if type == "object" then del(.manifest) else . end) | .. | objects | keys_unsorted[] |
	select(test("^-?[0-9]+$") | not)'

# A type as the tables word it, as one of jq or several
types='def fits($words): type as $is |
	($words | test("^(pair|classes|object|address or)")) and $is == "object" or
	($words | test("string|address")) and $is == "string" or
	($words | test("integer|number|real")) and $is == "number" or
	($words | test("boolean")) and $is == "boolean" or
	($words | test("array|\\[")) and $is == "array" or
	($words | test("object")) and $is == "object" or
	($words | test("null")) and $is == "null" or
	$words == "";'

# Lists of the lines "NAME TABLE TYPE" what is in no document, and values that do not fit
wrong='. as $documents | $fields | split("\n")[] | select(. != "") | split(" ") |
	.[0] as $name | .[1] as $table | (.[2:] | join(" ")) as $type |
	select($table == "top" or $table == "launch" or $table == "site") |
	[$documents[] | if $table == "top" then . elif $table == "launch" then .launches[]? else .sites[]? end |
		select(has($name)) | .[$name]] |
	if length == 0 then "no output has the field \($name) of the table"
	else map(select(fits($type) | not))[:1][] | "\($name) is no \($type): \(tojson | .[:80])" end'

# check NAME: every field in NAME.json (one or more documents) is known, and those of tables are there
check() {
	jq -r "$keys" "$1.json" >raw || fail "$1.json is no JSON"
	sort -u raw >keys
	sort -u words >known
	comm -23 keys known >unknown
	[ ! -s unknown ] || fail "$1: no document names $(tr '\n' ' ' <unknown)"
	jq -rs --rawfile fields fields "$types $wrong" "$1.json" >wrong || fail "$1: the types of its fields"
	[ ! -s wrong ] || fail "$1: $(cat wrong)"
	echo "$1: $(wc -l <keys) fields of $(wc -l <raw)"
	rm words
}

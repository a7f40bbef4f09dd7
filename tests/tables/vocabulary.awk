# SPDX-License-Identifier: Apache-2.0
# Reads docs/tables.md: what of its columns breaks the one vocabulary of all tables.
#   A name is of one type (integers and reals are numbers) and has one unit.
#   What a name ends with is its unit: _seconds, _bytes, _share, _ns, _cycles.
#   Keys stand before the other columns.
#   Columns that lead to another table are in both.
function trimmed(text)
{
	gsub(/^[ `]+|[ `]+$/, "", text)
	return text
}
function check_link(link,    side, column, count, i)
{
	gsub(/`|\)/, "", link)
	split(link, side, / (→|\() ?/)
	count = split(side[1], column, ", ")
	for (i = 1; i <= count; i++)
		wanted[++links] = table "." column[i]
	for (i = split(side[3], column, ", "); i > 0; i--)
		wanted[++links] = side[2] "." column[i]
}
/^### / { table = $2; is_past_keys = 0 }
/` → `/ {
	text = $0
	while (match(text, /`[^`]*` → `[^`]*` \(`[^`]*`\)/)) {
		check_link(substr(text, RSTART, RLENGTH))
		text = substr(text, RSTART + RLENGTH)
	}
}
/^\| `/ {
	split($0, cell, "|")
	name = trimmed(cell[2])
	type = trimmed(cell[3])
	unit = trimmed(cell[4])
	has[table "." name] = 1
	is_key = type ~ /, key/
	sub(/,.*/, "", type)
	if (type == "rows")
		next
	if (type == "uint" || type == "real")
		type = "number"
	if (is_key && is_past_keys)
		print table "." name ": a key behind columns that are none"
	is_past_keys = is_past_keys || !is_key
	if (match(name, /_(seconds|bytes|share|ns|cycles)$/) && type == "number" && unit != substr(name, RSTART + 1))
		print table "." name ": its unit is \"" unit "\""
	what = type (unit == "" ? "" : " in " unit)
	if (!(name in first)) {
		first[name] = what
		place[name] = table
	} else if (first[name] != what)
		print table "." name ": " what ", but " first[name] " in " place[name]
}
END {
	for (i = 1; i <= links; i++)
		if (!(wanted[i] in has))
			print wanted[i] ": a link leads from it or to it, and it is not there"
}

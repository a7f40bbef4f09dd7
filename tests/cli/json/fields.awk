# SPDX-License-Identifier: Apache-2.0
# awk -v heading=TEXT -f fields.awk DOCUMENT: of the section whose heading contains TEXT, each
# `word` as "word NAME", and each field of a table as "field NAME TABLE TYPE", TABLE being the
# bold word before the table, or top; without a type if the table has no such column.

function words(text, kind, suffix) {
	while (match(text, /`[^`]*`/)) {
		print kind " " substr(text, RSTART + 1, RLENGTH - 2) suffix
		text = substr(text, RSTART + RLENGTH)
	}
}

/^## / {
	inside = index($0, heading) > 0
	table = "top"
}

inside && /^\*\*[a-z]+\*\*/ {
	table = $0
	sub(/^\*\*/, "", table)
	sub(/\*\*.*/, "", table)
}

inside {
	line = $0
	gsub(/[{}":,\[\]?]/, "`", line) # fields of an object that is shown as such: `{"a", "b"}`
	n = split(line, part, /`/)
	for (i = 1; i <= n; i++)
		if (part[i] ~ /^[A-Za-z_0-9]+$/)
			print "word " part[i]
}

inside && /^\| field / {
	has_types = $0 ~ /^\| field \| type \|/
}

inside && /^\| `/ {
	split($0, cell, / \| /)
	type = has_types ? cell[2] : ""
	sub(/^ */, "", type)
	words(cell[1], "field", " " table " " type)
}

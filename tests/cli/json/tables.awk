# SPDX-License-Identifier: Apache-2.0
# awk -f tables.awk tables.md: each column of its tables as "TABLE COLUMN TYPE", behind it `?` if it
# can be missing.

/^## / {
	inside = /^## Tables/
}

inside && /^### / {
	table = $2
}

inside && /^\| `/ {
	split($0, cell, / \| /)
	gsub(/[| `]/, "", cell[1])
	type = cell[2]
	sub(/,.*/, "", type)
	print table, cell[1], type (cell[2] ~ /optional/ ? "?" : "")
}

# SPDX-License-Identifier: Apache-2.0
# The four formats of tables, brought to one form: a file per table, a line per
# row, fields separated by 0x1f, sorted. Reals have nine digits.
separator=$(printf '\037')

make_comm_trace() {
	"$CT_CLI_BUILD/ctpost-comm-trace" "$1.ctrace" "$1"
}

# DIR: the types of columns, "table column type", from its schema.csv
types_of() {
	"$CT_CLI_BUILD/csv-read" "$1/schema.csv" | awk -F"$separator" 'NR > 1 { print $1, $2, $4 }'
}

# TABLE, with the file types: fields as they compare
canonical() {
	awk -F"$separator" -v OFS="$separator" -v table="$1" '
		FILENAME == "types" { split($0, t, " "); if (t[1] == table) type[++columns] = t[3]; next }
		{
			for (i = 1; i <= columns; i++) {
				if (type[i] == "real") $i = sprintf("%.9g", $i)
				if ($i == "true") $i = 1
				if ($i == "false") $i = 0
			}
			print
		}' types - | sort
}

# DIR OUT
csv_tables() {
	mkdir "$2"
	for csv in "$1"/*.csv; do
		table=$(basename "$csv" .csv)
		"$CT_CLI_BUILD/csv-read" "$csv" >"$2/$table.raw" || fail "$csv is not CSV"
		tail -n +2 "$2/$table.raw" | canonical "$table" >"$2/$table"
		rm "$2/$table.raw"
	done
}

# FILE OUT
json_tables() {
	mkdir "$2"
	# Rows within rows are tables that begin with the key of theirs, in the order of the columns.
	cut -d' ' -f1 types | uniq | while read -r table; do
		within=$(sed -n "s/^| .\([a-z]*\). | rows |  | of .$table.; in JSON alone.*/\1/p" "$CT_CLI/../../docs/tables.md")
		parent=$(awk -v child="| of \`$table\`;" '/^### / { now = $2 } index($0, child) { print now }' "$CT_CLI/../../docs/tables.md")
		jq -r --arg t "$table" --arg within "$within" --arg parent "$parent" --rawfile types types '
			($types | split("\n") | map(split(" ") | select(.[0] == $t) | .[1])) as $columns |
			(if $parent == "" then (.[$t] // [])[] else (.[$parent] // [])[] | . as $row | .[$within][] | $row + . end) |
			[.[$columns[]]] | map(if . == null then "" else tostring | gsub("\n"; "\\n") end) | join("\u001f")' \
			"$1" | canonical "$table" >"$2/$table"
	done
}

# FILE OUT
sqlite_tables() {
	mkdir "$2"
	sqlite3 "$1" "SELECT name FROM sqlite_master WHERE type = 'table'" | while read -r table; do
		columns=$(awk -v table="$table" '$1 == table {
			name = "\"" $2 "\""
			if ($3 == "text") name = "replace(" name ", char(10), \"\\n\")"
			if ($3 == "address") name = "printf(CASE WHEN " name " IS NULL THEN \"\" ELSE \"0x%x\" END, " name ")"
			printf "%s%s", (n++ ? ", " : ""), name
		}' types)
		sqlite3 -separator "$separator" "$1" "SELECT $columns FROM \"$table\"" |
			canonical "$table" >"$2/$table"
	done
}

# FILE: the values of every dataset, a line each, to columns/TABLE.COLUMN, those of
# /strings to columns/.strings. A text with line feeds goes on in the next line.
h5_columns() {
	rm -rf columns
	mkdir columns
	h5dump -y -w 1 -m %.17g "$1" | awk '
		in_data && is_open {
			sub(/^ */, ""); sub(/,$/, "")
			is_open = substr($0, length($0)) != "\""
			printf "\\n%s%s", $0, (is_open ? "" : "\n") >file
			next
		}
		in_data && /^ *\}$/ { in_data = 0; close(file); next }
		in_data && /[^ ]/ {
			sub(/^ */, ""); sub(/,$/, "")
			is_open = substr($0, 1, 1) == "\"" &&
				(length($0) == 1 || substr($0, length($0)) != "\"")
			printf "%s%s", $0, (is_open ? "" : "\n") >file
		}
		in_data { next }
		/^ *GROUP "/ { split($0, part, "\""); table = part[2] }
		/^ *DATASET "/ {
			split($0, part, "\"")
			file = part[2] == "strings" ? "columns/.strings" : "columns/" table "." part[2]
			printf "" >file
		}
		/^ *ATTRIBUTE "/ { file = "" }
		/^ *DATA \{$/ && file != "" { in_data = 1 }'
	# h5dump writes a byte above 127 as a negative number in octal.
	perl -pi -e 's/^"//; s/"$//; s/\\37777777(\d{3})/chr(oct($1) & 255)/ge' columns/.strings
}

# FILE OUT
hdf5_tables() {
	into=$2
	mkdir "$2"
	h5_columns "$1"
	cut -d' ' -f1 types | uniq | while read -r table; do
		set --
		for column in $(awk -v table="$table" '$1 == table { print $2 ":" $3 }' types); do
			file=columns/$table.${column%:*}
			case ${column#*:} in
			text) awk 'NR == FNR { s[n++] = $0; next } { print s[$0] }' columns/.strings "$file" ;;
			address) sed 's/^18446744073709551615$//' "$file" | while read -r n; do
				if [ "$n" ]; then printf '0x%x\n' "$n"; else echo; fi
			done ;;
			*) sed 's/^18446744073709551615$//; s/^-*nan$//' "$file" ;;
			esac >"$file.text"
			set -- "$@" "$file.text"
		done
		paste -d "$separator" "$@" | canonical "$table" >"$into/$table"|		paste -d "$separator" "$@" | canonical "$table" >"$into/$table"
	done
}

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# measures.sh [COMMIT]: how much of ctpost is hand-written output, of HEAD or of another commit. What is
# counted: lines of postproc; functions that write JSON, neither in postproc/tables, whose sink writes
# that of all tables, nor in postproc/formats, and apart from these those of formats: what other
# programs read (time lines, flame graphs, manifests), and records one by one, which no table has;
# functions that fill a table of text cell by cell; tables that are described once
# (postproc/tables/describe.h), their columns, and arrays of columns that are written by hand.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive "${1:-HEAD}" postproc docs | tar -x -C "$work"
cd "$work"

# functions PATTERN FILE...: definitions whose bodies have it
functions() {
	pattern=$1
	shift
	awk -v pattern="$pattern" '
		FNR == 1 { inside = 0 }
		/^\{/ { inside = 1; found = 0 }
		inside && $0 ~ pattern { found = 1 }
		/^\}/ { if (inside && found) count++; inside = 0 }
		END { print count + 0 }' "$@" /dev/null
}
sources=$(find postproc -name '*.c' ! -path 'postproc/tables/*' ! -path 'postproc/formats/*')
formats=$(find postproc/formats -name '*.c' 2>/dev/null || true)
json='ct_json_(put|open)|json_pack|json_object_set|ct_out_(object|array|text|integer|real|json)'
defs=$(find postproc -name '*.def' -exec grep -lE '^CT_(TABLE|SHOWN)\(' {} + || true)

echo "lines of postproc:                        $(find postproc -name '*.[ch]' -o -name '*.def' -o -name '*.js' -o -name '*.css' | xargs cat | wc -l)"
# shellcheck disable=SC2086
{
	echo "functions that write JSON:                $(functions "$json" $sources)"
	echo "those of formats of their own:            $(functions "$json" $formats)"
	echo "functions that fill cells of text:        $(functions 'ct_table_(text|number|name)\(' $sources)"
	echo "tables described once:                    $(cat $defs /dev/null | grep -cE '^CT_(TABLE|SHOWN)\(' || true)"
	echo "columns of these:                         $(cat $defs /dev/null | grep -cE '^[[:space:]]*CT_(KEY|COL|OPT|SEE)\(' || true)"
	echo "arrays of columns by hand:                $(cat $sources | grep -cE 'struct ct_(section_|export_)?column [a-z_]*columns?\[\]|struct ct_(section_)?column [a-z_]+\[\] = ' || true)"
}
echo "lines about tables in docs, by hand:      $(cat docs/export.md docs/json-schema.md | wc -l)"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# table.sh OUT: the table of what bench.sh has found (bench.sh), from OUT/*/findings.json.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
OUT=$1

for file in "$OUT"/*/findings.json; do
	[ -s "$file" ] || continue
	# Program, finding, place, worth, text; a place is a line or, where there is none, an object or
	# a kernel.
	jq -r --arg program "$(basename "$(dirname "$file")")" '
		.findings[] | select(.fix and .kind != "limit") |
		[$program, .finding,
		 (if .lines[0] then "\(.lines[0].file | split("/") | last):\(.lines[0].line)"
		  elif .analysis == "ffm" then (.text | capture(" at (?<place>[^ ]+):") // {place: "-"}).place
		  else .objects[0].name // .kernels[0].kernel // "-" end),
		 (if .worth then "\(.worth) \(.worth_unit)" else "-" end),
		 "\(.text) \(.fix)"] | @tsv' "$file" || echo "$file: not read" >&2
done | sort -u -t '	' -k1,1 -k2,2 -k3,3 >"$OUT/advice.tsv"

# shellcheck disable=SC2016
awk -F '\t' -v OFS='\t' '
	FNR == NR { if (!/^#/) { judged[$1, $2, $3] = $4; why[$1, $2, $3] = $5 } next }
	{ print $1, $2, $3, $4, judged[$1, $2, $3], why[$1, $2, $3], $5 }' \
	"$HERE/judged.tsv" "$OUT/advice.tsv" >"$OUT/judged.tsv"
{
	echo "program,finding,place,worth,judgement,reason,advice"
	awk -F '\t' '{ for (i = 1; i <= NF; i++) { gsub(/"/, "\"\"", $i); printf "%s\"%s\"", (i > 1 ? "," : ""), $i } print "" }' \
		"$OUT/judged.tsv"
} >"$OUT/advice.csv"
{
	echo "| program | finding | place | worth | judgement | reason | advice |"
	echo "|---|---|---|---|---|---|---|"
	sed 's/|/\\|/g; s/\t/ | /g; s/^/| /; s/$/ |/' "$OUT/judged.tsv"
} >"$OUT/advice.md"
awk -F '\t' '
	{ n[$5 == "" ? "not judged" : $5]++; all++; of[$2, $5]++; names[$2] }
	END {
		printf "%d advices: right %d, useless %d, wrong %d, not judged %d\n", all, n["right"],
			n["useless"], n["wrong"], n["not judged"]
		for (name in names)
			printf "  %-32s right %3d useless %3d wrong %3d not judged %3d\n", name, of[name, "right"],
				of[name, "useless"], of[name, "wrong"], of[name, ""]
		exit n["wrong"] || 10 * n["useless"] > all ? 1 : n["not judged"] ? 3 : 0
	}' "$OUT/judged.tsv"

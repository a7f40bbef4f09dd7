#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh BUNDLE RESULTS [TOOL...]
# The programs of tests/check on a GPU: what ctrun check and ctpost check find of their marks, and
# what compute-sanitizer's TOOLs (memcheck initcheck racecheck synccheck) find of the same programs,
# compiled by nvcc. Writes RESULTS/check.csv, a row for each program:
#	program, kinds that are marked, ours, TOOL...
# of each: line (a marked line is named, or by ours a row is at each), other (something is reported,
# but no marked line), none, failed (no answer in a minute); and RESULTS/check.md, the sums, with
# seconds for all programs: ours two at a time, tools twelve at a time, summed. 77: no device.
set -eu
[ $# -ge 2 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- memcheck initcheck racecheck synccheck
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
export PATH="$BUNDLE/bin:$PATH:/usr/local/cuda/bin"
nvidia-smi >/dev/null 2>&1 || {
	echo "check.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$BUNDLE/check
tools=$*
. "$check/tests/program.sh"

# sources KIND: of all programs of faults or innocent
sources() {
	find "$check/tests/$1" -name '*.cu' | sort
}

now() {
	date +%s%N
}

# ours KIND: what run.sh says of each program, as one line "FAILED: NAME…"
ours() {
	# shellcheck disable=SC2046
	PREBUILT=$check/$1 "$check/tests/run.sh" "$BUNDLE/bin" "$check/kinds.def" "$work/$1" $(sources "$1") \
		>"$RESULTS/ours-$1.log" 2>&1 || :
}

# one.sh TOOL PROGRAM NAME: its report and milliseconds
cat >"$work/one.sh" <<END
begin=\$(date +%s%N)
leaks=
[ \$1 != memcheck ] || leaks="--leak-check full"
timeout -k 5 60 compute-sanitizer --tool \$1 \$leaks \$2 \$3 >"$work/\$1.\$3" 2>&1 </dev/null
echo \$(((\$(date +%s%N) - begin) / 1000000)) >"$work/\$1.\$3.ms"
END

# reported TOOL NAME SOURCE: line, other, none or failed
reported() {
	report=$work/$1.$2
	if ! grep -q 'ERROR SUMMARY\|RACECHECK SUMMARY' "$report"; then
		echo failed
	elif grep -q 'SUMMARY: 0 errors\|SUMMARY: 0 hazards' "$report"; then
		echo none
	else
		awk '{ at = index($0, "// check: ")
			if (at) print NR + (substr($0, 1, at - 1) ~ /^[ \t]*$/) }' "$3" >"$work/lines"
		how=other
		while read -r line; do
			! grep -q "[ /]$2\.cu:$line\b" "$report" || how=line
		done <"$work/lines"
		echo $how
	fi
}

# nvcc's programs, side by side
for kind in faults innocent; do
	for list in "$check/$kind"/*.list; do
		program=$(basename "$list" .list)
		sources $kind | while read -r source; do
			[ "$(program_of "$source")" != "$program" ] || echo "$source"
		done >"$work/$kind.$program.list"
		# shellcheck disable=SC2046
		awk -f "$check/tests/together.awk" -- $(cat "$work/$kind.$program.list") >"$work/$kind.$program.cu"
		nvcc -arch=native -std=c++17 -O2 -lineinfo -g "$work/$kind.$program.cu" -o "$work/$kind.$program" -lcuda \
			>"$RESULTS/nvcc-$kind-$program.log" 2>&1 &
	done
done
wait
begin=$(now)
ours faults &
ours innocent &
wait
ours_ms=$((($(now) - begin) / 1000000))
for kind in faults innocent; do
	sources $kind | while read -r source; do
		for tool in $tools; do
			echo "$tool $work/$kind.$(program_of "$source") $(basename "$source" .cu)"
		done
	done
done | xargs -P 12 -L 1 sh "$work/one.sh" || :
{
	echo "program,kinds,ours,$(echo "$tools" | tr ' ' ',')"
	for kind in faults innocent; do
		sources $kind | while read -r source; do
			name=$(basename "$source" .cu)
			marked=$(sed -n 's/.*\/\/ check: //p' "$source" | sort -u | tr '\n' ';')
			found=none
			[ -z "$marked" ] || found=line
			if grep -q "^FAILED: $name\(\.cu\)\?:.*\(is not found\)" "$RESULTS/ours-$kind.log"; then
				found=none
			elif grep -q "^FAILED: $name\(\.cu\)\?:" "$RESULTS/ours-$kind.log"; then
				found=other
			fi
			printf '%s,%s,%s' "$name" "$marked" "$found"
			for tool in $tools; do
				printf ',%s' "$(reported "$tool" "$name" "$source")"
			done
			echo
		done
	done
} >"$RESULTS/check.csv"
{
	echo "| tool | faults at their line | reported elsewhere | not found | no answer | innocent programs with a report | s |"
	echo "|---|---:|---:|---:|---:|---:|---:|"
	column=3
	for tool in ours $tools; do
		ms=$ours_ms
		[ "$tool" = ours ] || ms=$(cat "$work/$tool".*.ms | awk '{ sum += $1 } END { print sum }')
		awk -F, -v column=$column -v tool="$tool" -v ms="$ms" 'NR > 1 {
			if ($2 != "") faults[$column]++
			else innocent += $column != "none"
		} END { printf "| %s | %d | %d | %d | %d | %d | %.0f |\n", tool, faults["line"], faults["other"],
			faults["none"], faults["failed"], innocent, ms / 1000 }' "$RESULTS/check.csv"
		column=$((column + 1))
	done
} >"$RESULTS/check.md"
cat "$RESULTS/check.md"

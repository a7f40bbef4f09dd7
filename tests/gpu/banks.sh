#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# banks.sh BUNDLE RESULTS
# The rule of docs/shared-memory.md against what Nsight Compute counts, for loads of shared memory
# in six types and 16 patterns: wavefronts in excess are l1tex__data_bank_conflicts; wavefronts may
# be fewer where the device joins the halves of a warp. Writes RESULTS/banks.md and ncu's output.
# Exit 0: excess is equal and no wavefronts are more; 1: not; 77: no ncu.
set -eu
[ $# -eq 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
prefix=l1tex__data_
metrics=${prefix}pipe_lsu_wavefronts_mem_shared_op_ld.sum,${prefix}bank_conflicts_pipe_lsu_mem_shared_op_ld.sum

command -v ncu >/dev/null || {
	echo "banks.sh: Nsight Compute (ncu) is not on the path; skipped" >&2
	exit 77
}
CUDATRACE=off timeout 300 ncu --csv --page raw --metrics "$metrics" "$BUNDLE/programs/banks" \
	>"$RESULTS/banks.csv" 2>"$RESULTS/banks.err" </dev/null || {
	echo "banks.sh: ncu failed: $(tail -n 1 "$RESULTS/banks.csv")" >&2
	exit 1
}
# A warp each of so many CTAs: what several meet with now and then is rounded off.
awk -v ctas=13200 '
/^RULE/ { rule[++rules] = $0 }
/^"/ {
	line = $0
	while (match(line, /[0-9],[0-9]/))
		line = substr(line, 1, RSTART) substr(line, RSTART + 2)
	n = split(line, field, /","/)
	gsub(/"/, "", field[n])
	for (i = 1; i <= n && line ~ /"Kernel Name"/; i++)
		column[field[i] ~ /bank_conflicts.*[.]sum/ ? "conflicts" : \
			field[i] ~ /wavefronts.*[.]sum/ ? "wavefronts" : ""] = i
	if (line !~ /probe/)
		next
	conflicts[++kernels] = sprintf("%.0f", field[column["conflicts"]] / ctas)
	wavefronts[kernels] = sprintf("%.0f", field[column["wavefronts"]] / ctas)
}
END {
	print "| bytes | pattern | wavefronts: rule | ncu | excess: rule | ncu |"
	print "|---:|---:|---:|---:|---:|---:|"
	for (i = 1; i <= rules; i++) {
		split(rule[i], word, " ")
		excess = word[4] - word[5]
		bad += excess != conflicts[i] || wavefronts[i] > word[4]
		joined += wavefronts[i] < word[4]
		printf "| %s | %s | %d | %d | %d | %d |\n", word[2], word[3], word[4], wavefronts[i], excess,
			conflicts[i]
	}
	printf "\n%d loads: %d otherwise than the rule says; of %d halves or quarters are joined\n", rules, bad,
		joined
	exit !rules || rules != kernels || bad > 0
}' "$RESULTS/banks.csv" >"$RESULTS/banks.md" || status=$?
tail -n 1 "$RESULTS/banks.md"
exit "${status:-0}"

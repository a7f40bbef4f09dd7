#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# access.sh BUNDLE RESULTS [again]
# `ctpost access` against what Nsight Compute counts in the pristine kernels of access.cu: requests
# and sectors of global loads, stores, atomics; wavefronts of shared memory in excess; branches.
# Writes RESULTS/access.md, a row per kernel and figure; RESULTS/access.csv with rates of hits in L1
# and L2, and times, for models; the trace, and ncu's output.
# again: compare once more what is in RESULTS, where there is no GPU either.
# Exit 0: requests, sectors and conflicts are within 1 %; 1: not; 77: no ncu. Sectors of atomics may be
# more than ours: of lanes that add to the same address the device seems to count them again. Branches
# are printed only: ptxas makes predicates of them, and unrolls loops.
set -eu
[ $# -ge 2 ] || { sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
l1=l1tex__t_ shared=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_
global=$(for op in ld st atom red; do
	printf '%s,%s,' ${l1}requests_pipe_lsu_mem_global_op_$op.sum ${l1}sectors_pipe_lsu_mem_global_op_$op.sum
done)${shared}ld.sum,${shared}st.sum
branches=smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,smsp__sass_branch_targets_threads_uniform.sum,smsp__sass_average_branch_targets_threads_uniform.pct,smsp__inst_executed_op_branch.sum
rates=gpu__time_duration.sum,${l1}sector_hit_rate.pct,lts__t_sector_hit_rate.pct,${l1}sectors.sum,lts__t_sectors.sum,lts__t_sectors_op_read.sum,dram__bytes_read.sum,dram__bytes_write.sum

# profile NAME METRICS: of the pristine kernels, caches empty before each
profile() {
	CUDATRACE=off timeout 90 ncu --csv --page raw --print-units base --cache-control all \
		--metrics "$2" "$BUNDLE/programs/access" >"$RESULTS/$1.csv" 2>"$RESULTS/$1.err" </dev/null ||
		echo "access.sh: ncu of $1: $(tail -n 1 "$RESULTS/$1.csv")" >&2
}

if [ "${3:-}" != again ]; then
	command -v ncu >/dev/null || {
		echo "access.sh: Nsight Compute (ncu) is not on the path; skipped" >&2
		exit 77
	}
	CUDATRACE=off timeout 60 "$BUNDLE/programs/access" >"$RESULTS/native.txt"
	for program in access access-blocks; do
		rm -rf "$RESULTS/$program.ctrace"
		CUDATRACE_OUTPUT="$RESULTS/$program.ctrace" timeout 60 "$BUNDLE/programs/$program" >"$RESULTS/traced.txt"
		cmp "$RESULTS/native.txt" "$RESULTS/traced.txt"
	done
	profile global "$global"
	profile rates "$rates"
	profile branches "$branches"
fi

# NUMBER KERNEL METRIC VALUE, of each launch
for page in global rates branches; do
	awk '
	/^"ID"/ || /^"[0-9]+"/ {
		line = $0
		while (match(line, /[0-9],[0-9]/)) # digits in groups
			line = substr(line, 1, RSTART) substr(line, RSTART + 2)
		n = split(substr(line, 2, length(line) - 2), field, /","/)
		if (field[1] == "ID") {
			for (i = 1; i <= n; i++)
				name[i] = field[i]
			next
		}
		for (i = 1; i <= n; i++)
			if (name[i] == "Kernel Name") {
				kernel = field[i]
				sub(/[(<].*/, "", kernel)
				sub(/.* /, "", kernel)
			}
		for (i = 1; i <= n; i++)
			if (name[i] ~ /__/)
				print field[1], kernel, name[i], field[i]
	}' "$RESULTS/$page.csv"
done >"$RESULTS/counters.txt"
awk 'BEGIN { print "launch,kernel,metric,value" } /hit_rate|duration|lts__t_sectors|dram|l1tex__t_sectors.sum/ { print $1 "," $2 "," $3 "," $4 }' \
	"$RESULTS/counters.txt" >"$RESULTS/access.csv"

# Blocks are recorded in another build: that one may split warps at them.
for program in access access-blocks; do
	"$BUNDLE/bin/ctpost" access --json "$RESULTS/$program.ctrace" >"$RESULTS/$program.json"
done
"$BUNDLE/bin/jq" -nr --slurpfile sites "$RESULTS/access.json" --slurpfile blocks "$RESULTS/access-blocks.json" '
	($sites[0] | (.accesses[] | .space = "global"), .other_accesses[] | (.kernel | sub("[(<].*"; "") | sub(".* "; "")) as $kernel |
		if .space == "global" then "\($kernel) \(.class)-requests \(.requests)", "\($kernel) \(.class)-sectors \(.sectors)"
		elif .space == "shared" then "\($kernel) shared-\(.class)-conflicts \(.wavefronts - .ideal_wavefronts)"
		else empty end),
	(($blocks[0].branches // [])[] | (.kernel | sub("[(<].*"; "") | sub(".* "; "")) as $kernel |
		"\($kernel) branches \(.branches)", "\($kernel) divergent-branches \(.divergent)")' >"$RESULTS/figures.txt"
awk '
function add(table, key, value) { table[key] += value; keys[key] = 1 }
FNR == NR {
	metric = $3
	if (metric !~ /[.]sum$/) # beside it ncu prints mean, least and most of the SMs
		next
	if (metric ~ /branch_targets[.]sum/) figure = "branches"
	else if (metric ~ /targets_threads_divergent[.]sum/) figure = "divergent-branches"
	else if (metric ~ /bank_conflicts.*_ld[.]sum/) figure = "shared-load-conflicts"
	else if (metric ~ /bank_conflicts.*_st[.]sum/) figure = "shared-store-conflicts"
	else if (metric ~ /mem_global_op/) {
		class = metric ~ /_ld[.]/ ? "load" : metric ~ /_st[.]/ ? "store" : "atomic"
		figure = class "-" (metric ~ /requests/ ? "requests" : "sectors")
	} else next
	add(ncu, $2 " " figure, $4)
	next
}
{ add(own, $1 " " $2, $3) }
END {
	print "| kernel | figure | ncu | ctpost access | ratio |"
	print "|---|---|---:|---:|---:|"
	for (key in keys) {
		split(key, part, " ")
		if (ncu[key] == own[key] && !own[key])
			continue
		ratio = ncu[key] ? own[key] / ncu[key] : 0
		printf "| %s | %s | %.0f | %.0f | %s |\n", part[1], part[2], ncu[key], own[key], \
			ncu[key] ? sprintf("%.4f", ratio) : "-" | "sort"
	}
}' "$RESULTS/counters.txt" "$RESULTS/figures.txt" >"$RESULTS/access.md"
awk -F '|' '$4 ~ /[0-9]/ && $3 !~ /branches/ {
		rows++
		if ($6 == " - " || $6 > 1.01 || ($6 < 0.99 && ($3 !~ /atomic-sectors/ || $6 == 0)))
			odd++
		else if ($6 == 1)
			exact++
	}
	END { printf "%d figures, %d are equal, %d off by more than 1 %%\n", rows, exact, odd; exit odd > 0 || !rows }' \
	"$RESULTS/access.md" || status=$?
exit "${status:-0}"

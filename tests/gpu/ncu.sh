#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ncu.sh BUNDLE RESULTS
# Warp-level global memory instructions that Nsight Compute counts in the
# pristine kernels (CUDATRACE=off), against executions in the trace. Writes
# RESULTS/ncu.md, a table with a ratio per kernel and class, and ncu's output.
# Needs access to the counters. Exit 0: all ratios are 1; 1: not; 77: no ncu.
set -eu
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
prefix=smsp__sass_inst_executed_op_global_
metrics=${prefix}ld.sum,${prefix}st.sum,${prefix}atom.sum,${prefix}red.sum
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v ncu >/dev/null || {
	echo "ncu.sh: Nsight Compute (ncu) is not on the path; skipped" >&2
	exit 77
}
{
	echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
	echo
	echo "| program | kernel | class | ncu | trace | ratio |"
	echo "|---|---|---|---:|---:|---:|"
} >"$RESULTS/ncu.md"

# Kernel, class, count, summed over launches, from ncu's quoted CSV on stdin:
# fields are found by the names in its header line.
ncu_counts() {
	awk -F '","' '
	function bare(s) { gsub(/^"|"$/, "", s); return s }
	/^"ID"/ { for (i = 1; i <= NF; i++) column[bare($i)] = i; next }
	column["Metric Name"] && $1 ~ /^"[0-9]+$/ {
		kernel = bare($column["Kernel Name"])
		sub(/[(<].*/, "", kernel)
		sub(/.*[ :]/, "", kernel)
		if (match(kernel, /^_ZL?[0-9]+/)) { # ncu does not demangle kernels with internal linkage
			digits = substr(kernel, 1, RLENGTH)
			sub(/^_ZL?/, "", digits)
			kernel = substr(kernel, RLENGTH + 1, digits)
		}
		class = bare($column["Metric Name"])
		sub(/^.*_global_/, "", class)
		sub(/[.]sum$/, "", class)
		class = class == "ld" ? "load" : class == "st" ? "store" : "atomic"
		value = bare($column["Metric Value"])
		gsub(/,/, "", value)
		sum[kernel " " class] += value
	}
	END { for (key in sum) printf "%s %d\n", key, sum[key] }' | sort
}

grep -v '^#' "$BUNDLE/e2e/programs.txt" >"$work/programs"
while read -r name sizes sources; do
	size=${sizes%%,*}
	program="$BUNDLE/programs/$name"
	CUDATRACE_OUTPUT="$work/$name.ctrace" timeout 60 "$program" "$size" \
		>"$RESULTS/$name.txt" </dev/null
	"$BUNDLE/bin/ctpost" info --json "$work/$name.ctrace" | "$BUNDLE/bin/launch-counts" --warps |
		awk '{ sum[$1 " " $2] += $3 } END { for (key in sum) print key, sum[key] }' |
		sort >"$work/trace"
	CUDATRACE=off timeout 300 ncu --clock-control none --csv --metrics "$metrics" "$program" "$size" \
		>"$RESULTS/$name.ncu.csv" </dev/null || {
		echo "ncu.sh: $name: $(tail -n 1 "$RESULTS/$name.ncu.csv")" >&2
		continue
	}
	ncu_counts <"$RESULTS/$name.ncu.csv" >"$work/ncu"
	awk -v program="$name" '
	FNR == NR { ncu[$1 " " $2] = $3; keys[$1 " " $2] = 1; next }
	{ trace[$1 " " $2] = $3; keys[$1 " " $2] = 1 }
	END {
		for (key in keys) {
			split(key, part, " ")
			if (!ncu[key] && !trace[key])
				continue
			ratio = ncu[key] ? sprintf("%.4f", trace[key] / ncu[key]) : "-"
			printf "| %s | %s | %s | %d | %d | %s |\n", program, part[1], part[2],
				ncu[key], trace[key], ratio
		}
	}' "$work/ncu" "$work/trace" | sort | tee -a "$RESULTS/ncu.md"
done <"$work/programs"
awk -F '|' '/^\| [a-z]/ && !/program/ { rows++; if ($5 + 0 != $6 + 0) odd++ }
	END { printf "%d ratios, %d not 1\n", rows, odd; exit odd > 0 || !rows }' "$RESULTS/ncu.md"

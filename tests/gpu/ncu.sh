#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ncu.sh BUNDLE RESULTS [LIST]
# Compares what Nsight Compute counts in the pristine kernels (CUDATRACE=off) with the trace:
# executed global loads, stores, atomics and reductions, of warps and of threads.
# trace: executed global loads, stores, atomics and reductions, of warps and of
# threads. Programs: LIST has lines NAME ARGUMENTS..., for BUNDLE/programs/NAME or
# BUNDLE/traced/NAME, started in a copy of BUNDLE/data/NAME if there is one.
# Without LIST: the examples.
#
# warp: smsp__sass_inst_executed_op_global_{ld,st,atom,red}.sum
# thread: sums over the instructions LDG, LDGSTS, LD; STG, ST; ATOMG, ATOM; RED,
# REDG of "Predicated-On Thread Instructions Executed". LD, ST and ATOM may reach
# other memory than global.
#
# Writes RESULTS/ncu.md, one row per program, kernel, class and measure, and ncu's
# output. Needs access to the counters. Exit 0: all ratios within 1 %; 1: not; 77: no ncu.
set -eu
[ $# -ge 2 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
LIST=${3:-}
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
prefix=smsp__sass_inst_executed_op_global_
metrics=${prefix}ld.sum,${prefix}st.sum,${prefix}atom.sum,${prefix}red.sum
source_metrics=thread_inst_executed_true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v ncu >/dev/null || {
	echo "ncu.sh: Nsight Compute (ncu) is not on the path; skipped" >&2
	exit 77
}
{
	echo "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
	echo
	echo "| program | kernel | class | measure | ncu | trace | ratio |"
	echo "|---|---|---|---|---:|---:|---:|"
} >"$RESULTS/ncu.md"
if [ -n "$LIST" ]; then
	grep -v '^#' "$LIST" >"$work/list"
else
	awk '!/^#/ { sub(/,.*/, "", $2); print $1, $2 }' "$BUNDLE/e2e/programs.txt" >"$work/list"
fi

# Fields of a CSV line into field[1..n]; the kernel's bare name.
cat >"$work/csv.awk" <<'AWK'
function split_csv(line,    i, c, quoted, n) {
	for (i in field) delete field[i]
	n = 1
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"") quoted = !quoted
		else if (c == "," && !quoted) n++
		else field[n] = field[n] c
	}
	return n
}
function bare(kernel,    digits) {
	sub(/[(<].*/, "", kernel)
	sub(/.*[ :]/, "", kernel)
	if (match(kernel, /^_ZL?[0-9]+/)) { # ncu does not demangle kernels with internal linkage
		digits = substr(kernel, 1, RLENGTH)
		sub(/^_ZL?/, "", digits)
		kernel = substr(kernel, RLENGTH + 1, digits)
	}
	return kernel
}
function number(text) { gsub(/,/, "", text); return text + 0 }
AWK
# `KERNEL CLASS warp COUNT` from the raw page: a column per metric.
cat >"$work/raw.awk" <<'AWK'
BEGIN {
	class["ld"] = "load"; class["st"] = "store"
	class["atom"] = "atomic"; class["red"] = "reduction"
}
{ n = split_csv($0) }
field[1] == "ID" {
	for (i = 1; i <= n; i++) {
		if (field[i] == "Kernel Name") kernel_column = i
		name = field[i]
		if (sub(/^smsp__sass_inst_executed_op_global_/, "", name) && sub(/[.]sum$/, "", name))
			metric[i] = class[name]
	}
	next
}
kernel_column && field[1] ~ /^[0-9]+$/ {
	for (i in metric)
		sum[bare(field[kernel_column]) " " metric[i] " warp"] += number(field[i])
	launches[bare(field[kernel_column])]++
}
END {
	for (key in sum) printf "%s %.0f\n", key, sum[key]
	for (kernel in launches) print kernel, launches[kernel] >launches_file
}
AWK
# `KERNEL CLASS thread COUNT` from the source page: a line per instruction. A launch may
# be on it more than once, as often as every other.
cat >"$work/source.awk" <<'AWK'
BEGIN {
	class["LDG"] = class["LD"] = class["LDGSTS"] = "load"
	class["STG"] = class["ST"] = "store"
	class["ATOMG"] = class["ATOM"] = "atomic"
	class["RED"] = class["REDG"] = "reduction"
	while ((getline line <launches_file) > 0) {
		split(line, part, " ")
		launches[part[1]] = part[2]
	}
}
{ n = split_csv($0) }
field[1] == "Kernel Name" { kernel = bare(field[2]); pages[kernel]++; next }
/"?Address"?,"?Source"?/ {
	for (i = 1; i <= n; i++) {
		if (field[i] == "Source") text = i
		if (field[i] ~ /^(# )?Predicated-On Thread Inst.* Executed$|^thread_inst_executed_true$/) threads = i
	}
	next
}
text {
	opcode = field[text]
	sub(/^[ \t]*/, "", opcode)
	sub(/^@!?U?P[0-9T]+[ \t]+/, "", opcode)
	sub(/[. \t;].*/, "", opcode)
	if (!(opcode in class)) next
	sum[kernel " " class[opcode] " thread"] += number(field[threads])
}
END {
	for (key in sum) {
		split(key, part, " ")
		printf "%s %.0f\n", key, sum[key] * launches[part[1]] / pages[part[1]]
	}
}
AWK

# run COMMAND...: in a fresh copy of the program's data
run() {
	rm -rf "$work/cwd"
	mkdir "$work/cwd"
	[ ! -d "$BUNDLE/data/$name" ] || cp -r "$BUNDLE/data/$name/." "$work/cwd"
	(cd "$work/cwd" && timeout 300 "$@" </dev/null)
}

# profile OPTIONS: of the pristine kernels, to report.ncu-rep
profile() {
	rm -f "$work/report.ncu-rep"
	run env CUDATRACE=off ncu --clock-control none $1 -o "$work/report" \
		"$program" $arguments >"$log.ncu.txt" 2>&1 && [ -f "$work/report.ncu-rep" ]
}

while read -r name arguments; do
	log=$RESULTS/$(echo "$name" | tr / -)
	program=$BUNDLE/programs/$name
	[ -x "$program" ] || program=$BUNDLE/traced/$name
	rm -rf "$work/t.ctrace"
	run env CUDATRACE_OUTPUT="$work/t.ctrace" "$program" $arguments >"$log.txt" 2>&1 || {
		echo "ncu.sh: $name: $(tail -n 1 "$log.txt")" >&2
		continue
	}
	"$BUNDLE/bin/ctpost" info --json "$work/t.ctrace" | "$BUNDLE/bin/launch-counts" --sites |
		awk '{ warp[$1 " " $2] += $3; thread[$1 " " $2] += $4 }
			END { for (key in warp)
				printf "%s warp %.0f\n%s thread %.0f\n", key, warp[key], key, thread[key] }' >"$work/trace"
	profile "--metrics $metrics,$source_metrics" ||
		profile "--metrics $metrics --section SourceCounters" || {
		echo "ncu.sh: $name: $(tail -n 1 "$log.ncu.txt")" >&2
		continue
	}
	ncu --import "$work/report.ncu-rep" --page raw --csv --print-units base >"$log.raw.csv"
	ncu --import "$work/report.ncu-rep" --page source --print-source sass --csv >"$log.source.csv" || true
	{
		awk -v launches_file="$work/launches" -f "$work/csv.awk" -f "$work/raw.awk" "$log.raw.csv"
		awk -v launches_file="$work/launches" -f "$work/csv.awk" -f "$work/source.awk" "$log.source.csv"
	} >"$work/ncu"
	[ -s "$work/ncu" ] || echo "ncu.sh: $name: ncu counted nothing" >&2
	awk -v program="$name" '
	{ key = $1 " " $2 " " $3 }
	FNR == NR { ncu[key] = $4; keys[key] = 1; seen[$3] = 1; next }
	seen[$3] { trace[key] = $4; keys[key] = 1 }
	END {
		for (key in keys) {
			split(key, part, " ")
			if (!ncu[key] && !trace[key])
				continue
			ratio = ncu[key] ? sprintf("%.4f", trace[key] / ncu[key]) : "-"
			printf "| %s | %s | %s | %s | %.0f | %.0f | %s |\n", program, part[1], part[2],
				part[3], ncu[key], trace[key], ratio
		}
	}' "$work/ncu" "$work/trace" | sort | tee -a "$RESULTS/ncu.md"
done <"$work/list"
awk -F '|' 'NF > 7 && $6 ~ /[0-9]/ { rows++; if ($8 == " - " || $8 < 0.99 || $8 > 1.01) odd++; else if ($8 == 1) exact++ }
	END { printf "%d ratios, %d are 1, %d off by more than 1 %%\n", rows, exact, odd; exit odd > 0 || !rows }' "$RESULTS/ncu.md"

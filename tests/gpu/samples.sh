#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# samples.sh BUNDLE RESULTS
# Sampled program counters on a GPU (samples/samples.cu): lines of each instruction against nvdisasm;
# samples per line against Nsight Compute's source counters, rank correlation of each kernel's lines
# that have at least 0.2 % of its samples, at least 0.95 of eight kernels (ranks of lines with few samples
# are chance), and linear at least 0.99; a pointer chase, whose load has at least
# 90 % of the stalls; each launch has samples of its own; concurrent mode and --inject show the same;
# what each period costs. Writes RESULTS/samples.md. Exit 0: all as it should be; 1: not; 77: no device.
set -eu
[ $# -eq 2 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LC_ALL=C
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
PATH=$BUNDLE/bin:$PATH:/usr/local/cuda/bin # our jq, whose library comes first
nvidia-smi >/dev/null 2>&1 || {
	echo "samples.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() {
	echo "$*" | tee -a "$RESULTS/samples.md"
}
fail() {
	failures=$((failures + 1))
	say "**$***"
}
# sampled NAME PROGRAM OPTION...: NAME.ctrace, NAME.json, NAME.out
sampled() {
	name=$1 program=$2
	shift 2
	timeout 60 ctrun "$@" -o "$work/$name.ctrace" "$program" "${LAUNCHES:-10}" >"$work/$name.out" 2>"$work/$name.err" ||
		fail "$name: the program fails: $(cat "$work/$name.err")"
	ctpost samples --json "$work/$name.ctrace" >"$work/$name.json" 2>>"$work/$name.err" ||
		fail "$name: $(cat "$work/$name.err")"
}
# line TEXT: where it stands in samples.cu
line() {
	grep -nF "$1" "$BUNDLE/samples.cu" | head -n 1 | cut -d: -f1
}

say "$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
say ""
sampled dense "$BUNDLE/programs/samples" --samples=4096
say "$(ctpost samples --rows=1 "$work/dense.ctrace" | head -n 1)"
[ "$(jq '.sample_totals[0] | .missing_cubins + .damaged_cubins' "$work/dense.json")" = 0 ] || fail "cubins: $(jq -c .sample_totals "$work/dense.json")"
jq -r '.sample_kernels[] | [.symbol, .samples] | @tsv' "$work/dense.json" >"$work/kernels"
[ "$(wc -l <"$work/kernels")" -ge 10 ] || fail "kernels: $(cat "$work/kernels")"

# Each launch has a look of its own, with its LAUNCH event.
ctpost dump --tables=look --format=jsonl "$work/dense.ctrace" | jq -r 'select(.launch != 0) | .launch' | sort -u | wc -l >"$work/launches"
[ "$(cat "$work/launches")" = 100 ] || fail "$(cat "$work/launches") of 100 launches have samples of their own"

# Lines against nvdisasm, of the program's own cubin.
if command -v nvdisasm >/dev/null && command -v cuobjdump >/dev/null; then
	(cd "$work" && cuobjdump -xelf all "$BUNDLE/programs/samples" >/dev/null 2>&1)
	for cubin in "$work"/*.cubin; do
		sass-lines "$cubin" | sort >"$work/ours"
		nvdisasm -c -g "$cubin" | awk '/^\.text\./ { sub(/^\.text\./, ""); sub(/:$/, ""); function_name = $0; file = "-"; line = 0; next }
			/\/\/## File/ { if (/inlined/) next; match($0, /"[^"]*"/); file = substr($0, RSTART + 1, RLENGTH - 2)
				match($0, /line [0-9]+/); line = substr($0, RSTART + 5, RLENGTH - 5); next }
			/^ *\/\*[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*\*\// { match($0, /\/\*[0-9a-f]+\*\//)
				print function_name "\t" substr($0, RSTART + 2, RLENGTH - 4) "\t" file "\t" line }' | sort >"$work/theirs"
		cut -f1-4 "$work/ours" | diff - "$work/theirs" >"$work/diff" || fail "$(basename "$cubin"): $(grep -c '^[<>]' "$work/diff") lines otherwise than nvdisasm"
		say "$(wc -l <"$work/theirs") instructions have the lines that nvdisasm says"
		grep -q _Z5chase "$work/ours" && cp "$work/ours" "$work/lines"
	done
fi

# The load of a pointer chase, and not what uses it.
load=$(line 'at = next[at];')
jq -r --argjson load "$load" '.sample_lines as $lines | .sample_kernels[] | select(.symbol | test("chase")) | .symbol as $symbol |
	(.samples - ([.reasons[] | select(.reason == "selected" or .reason == "not_selected") | .samples] | add // 0)) as $stalls |
	($lines[] | select(.symbol == $symbol and .line == $load) | .waited_samples / $stalls * 100) as $load_percent |
	($load_percent * 10 | round / 10)' "$work/dense.json" >"$work/chase"
say "Pointer chase: $(cat "$work/chase") % of the stalls are due to the load"
awk '{ exit !($1 >= 90) }' "$work/chase" || fail "pointer chase: the load has $(cat "$work/chase") %"

# Samples of instructions: FUNCTION PC SAMPLES
ctpost dump --tables=sample --format=jsonl "$work/dense.ctrace" |
	jq -r 'select(.reason | test("_not_issued$|sample_count|dropped") | not) | [.function, .pc, .samples] | @tsv' |
	awk -F'\t' '{ n[$1 "\t" $2] += $3 } END { for (k in n) print k "\t" n[k] }' >"$work/ours-pc"
if command -v ncu >/dev/null && [ -s "$work/lines" ]; then
	timeout 120 ncu --section SourceCounters --warp-sampling-interval 2 --cache-control none --clock-control none \
		-o "$work/ncu" -f env CUDATRACE=off "$BUNDLE/programs/samples" 3 >"$work/ncu.out" 2>&1 || fail "ncu: $(tail -n 2 "$work/ncu.out")"
	timeout 60 ncu -i "$work/ncu.ncu-rep" --page source --csv --print-source sass >"$work/ncu.csv" 2>&1 || fail "ncu: $(head -n 2 "$work/ncu.csv")"
	say ""
	say "| kernel | ncu: samples | ctrun: samples | instructions | rank correlation | lines | rank correlation | linear |"
	say "|---|---:|---:|---:|---:|---:|---:|---:|"
	awk -v lines="$work/lines" -v ours="$work/ours-pc" -f "$BUNDLE/samples-ranks.awk" "$work/ncu.csv" >"$work/ranks"
	tee -a "$RESULTS/samples.md" <"$work/ranks"
	[ "$(grep -c '^|' "$work/ranks")" -ge 8 ] || fail "fewer than eight kernels"
	awk -F'|' '$8 < 0.95 { print $2 }' "$work/ranks" >"$work/low"
	say "rank correlation of lines below 0.95: $(wc -l <"$work/low") of $(wc -l <"$work/ranks") $(tr -s ' \n' ' ' <"$work/low")"
	[ $(($(wc -l <"$work/ranks") - $(wc -l <"$work/low"))) -ge 8 ] || fail "fewer than eight kernels have a rank correlation of 0.95"
	awk -F'|' '$9 < 0.99 { print $2 }' "$work/ranks" >"$work/low"
	[ ! -s "$work/low" ] || fail "linear correlation of lines below 0.99: $(cat "$work/low")"
else
	say "ncu is not here: samples are not compared"
fi

# The same lines in other ways: the first of each kernel.
first='.sample_lines | group_by(.symbol)[] | max_by(.samples) | [.symbol, .line] | @tsv'
jq -r "$first" "$work/dense.json" | sort >"$work/first"
sampled concurrent "$BUNDLE/programs/samples" --samples=4096 --samples-mode=concurrent
sampled injected "$BUNDLE/plain/samples" --inject --samples=4096
for other in concurrent injected; do
	jq -r "$first" "$work/$other.json" | sort | diff "$work/first" - >"$work/diff" || fail "$other: other first lines: $(tr '\n' ' ' <"$work/diff")"
	jq -c '[(.sample_totals[0] | .all_samples, .dropped_samples), (.sample_kernels | length)]' "$work/$other.json" >"$work/got"
	say "$other: [samples, dropped, kernels] $(cat "$work/got")"
	[ "$(jq '.sample_kernels | length' "$work/$other.json")" -ge 10 ] || fail "$other: kernels are missing"
done

# Measures what it costs: kernels' durations as CUPTI reports them, and all launches as the
# program sees them.
say ""
say "| cycles | samples | dropped | kernels: s | rise | most of a kernel | launches of the program: s |"
say "|---:|---:|---:|---:|---:|---:|---:|"
timeout 60 ctrun --calls=only -o "$work/calls.ctrace" "$BUNDLE/programs/samples" 10 >"$work/calls.out" 2>&1 || fail "calls"
durations() {
	ctpost calls --json "$1" 2>/dev/null | jq -r '.kernel_times[] | [.kernel, .seconds] | @tsv' | sort
}
durations "$work/calls.ctrace" >"$work/pristine"
launches() {
	awk '$1 == "kernel" && $2 != "chase" { s += $4 } END { printf "%.4f", s }' "$1"
}
say "| none | | | $(awk -F'\t' '{ s += $2 } END { printf "%.4f", s }' "$work/pristine") | | | $(launches "$work/calls.out") |"
for cycles in 1048576 262144 65536 16384 4096; do
	sampled cost "$BUNDLE/programs/samples" --samples=$cycles
	durations "$work/cost.ctrace" | join -t "$(printf '\t')" "$work/pristine" - |
		awk -F'\t' '{ a += $2; b += $3; r = $3 / $2 - 1; if (r > most) most = r } END { printf "%.4f | %.1f %% | %.1f %%", b, 100 * (b / a - 1), 100 * most }' >"$work/rise"
	say "| $cycles | $(jq ".sample_totals[0].all_samples" "$work/cost.json") | $(jq ".sample_totals[0].dropped_samples" "$work/cost.json") | $(cat "$work/rise") | $(launches "$work/cost.out") |"
done
[ $failures -eq 0 ]

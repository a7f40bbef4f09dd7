#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# calls.sh BUNDLE RESULTS
# Calls and activities on a GPU, against what a program knows of itself: kernels' times against
# CUDA's events, within 2 %; counts of kernels, copies and calls; calls that cuBLAS makes; and what
# is said without CUPTI. Writes RESULTS/calls.md.
# Exit 0: all as it should be; 1: not; 77: no device.
set -eu
[ $# -eq 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
BUNDLE=$(cd "$1" && pwd)
mkdir -p "$2"
RESULTS=$(cd "$2" && pwd)
export LD_LIBRARY_PATH="$BUNDLE/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/local/cuda/lib64"
nvidia-smi >/dev/null 2>&1 || {
	echo "calls.sh: no GPU here (nvidia-smi fails); skipped" >&2
	exit 77
}
failures=0
say() {
	echo "$*" | tee -a "$RESULTS/calls.md"
}
fail() {
	failures=$((failures + 1))
	say "**$***"
}
# traced NAME OPTION...: NAME.out of the program, NAME.ctrace and its calls in NAME.txt and NAME.folded
traced() {
	name=$1
	shift
	timeout 120 "$BUNDLE/bin/ctrun" "$@" -o "$RESULTS/$name.ctrace" "$BUNDLE/programs/calls" \
		>"$RESULTS/$name.out" 2>"$RESULTS/$name.err" || fail "$name: the program fails"
	"$BUNDLE/bin/ctpost" calls --rows=all "$RESULTS/$name.ctrace" >"$RESULTS/$name.txt"
	"$BUNDLE/bin/ctpost" calls --folded "$RESULTS/$name.ctrace" >"$RESULTS/$name.folded" 2>/dev/null
	"$BUNDLE/bin/ctpost" calls --json "$RESULTS/$name.ctrace" >"$RESULTS/$name.json" 2>/dev/null
}
# counted NAME CALL: how often, as ctpost calls says
counted() {
	awk -v call="$2" '$1 == call { print $2; exit }' "$RESULTS/$1.txt"
}

: >"$RESULTS/calls.md"
traced only --calls=only
traced on
CUDATRACE_CUPTI=/nonexistent traced wrappers --calls=only

say "| kernel | launches | events: s | trace: s | off by |"
say "|---|---:|---:|---:|---:|"
tr -d '\n' <"$RESULTS/only.json" | tr '{' '\n' | sed -n 's/.*"name": *"\([^"]*\)".*"count": *\([0-9]*\), *"seconds": *\([0-9.e+-]*\).*/\1|\2|\3/p' >"$RESULTS/kernels"
grep '^kernel' "$RESULTS/only.out" | while read -r _ kernel count seconds; do
	awk -F'|' -v kernel="$kernel" -v count="$count" -v seconds="$seconds" 'index($1, kernel "(") || $1 == kernel {
		off = ($3 - seconds) / seconds * 100
		printf "| %s | %d of %d | %.6f | %.6f | %.2f %% |\n", kernel, $2, count, seconds, $3, off
		seen = 1
		exit !($2 == count && off < 2 && off > -2)
	} END { if (!seen) exit 1 }' "$RESULTS/kernels" || echo "**$kernel: not so in the trace**"
done | tee -a "$RESULTS/calls.md"
failures=$((failures + $(grep -c 'not so in' "$RESULTS/calls.md" || true)))

for name in only on wrappers; do
	grep '^call' "$RESULTS/$name.out" | while read -r _ call count; do
		[ "$(counted $name "$call")" = "$count" ] || echo "$name: $(counted $name "$call") of $count $call"
	done >"$RESULTS/wrong"
	[ ! -s "$RESULTS/wrong" ] || fail "$(cat "$RESULTS/wrong")"
done
grep -q 'CUPTI' "$RESULTS/only.txt" || fail "CUPTI is not used"
grep -q 'CUPTI cannot be loaded' "$RESULTS/wrappers.txt" || fail "nothing is said of a missing CUPTI"
calls=$(awk '/^cublas/ { print $2 }' "$RESULTS/only.out")
# The driver's library has no unwind information: stacks of what libraries call end there.
made=$(awk '$1 == "cudaFuncSetAttribute" || $1 == "cudaLaunchKernelExC" { sum += $2 } END { print sum + 0 }' "$RESULTS/only.txt")
say ""
say "cuBLAS: $calls products, $made launches and settings of kernels that it makes"
[ "${calls:-0}" = 0 ] || [ "$made" -ge "$calls" ] || fail "calls of cuBLAS are missing"
say "$(sed -n 2p "$RESULTS/only.txt")"

# What copies move (contents.cu), on the driver's streams.
timeout 60 "$BUNDLE/programs/contents" >"$RESULTS/contents.plain" || fail "contents: the program fails"
timeout 60 "$BUNDLE/bin/ctrun" --contents=on --calls=only -o "$RESULTS/contents.ctrace" "$BUNDLE/programs/contents" \
	>"$RESULTS/contents.out" 2>"$RESULTS/contents.err" || fail "contents: the program fails"
cmp "$RESULTS/contents.plain" "$RESULTS/contents.out" || fail "contents: another output"
"$BUNDLE/bin/ctpost" dump --tables=content --format=csv "$RESULTS/contents.ctrace" >"$RESULTS/contents.csv"
if sh "$BUNDLE/contents-check.sh" "$RESULTS/contents.out" "$RESULTS/contents.csv" >"$RESULTS/contents.wrong"; then
	say "Contents: $(($(wc -l <"$RESULTS/contents.csv") - 1)) copies, all as the program says"
else
	fail "$(cat "$RESULTS/contents.wrong")"
fi
[ $failures -eq 0 ]

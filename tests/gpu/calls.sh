#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# calls.sh BUNDLE RESULTS
# Calls and activities on a GPU, against what a program knows of itself: kernels' times against
# CUDA's events, within 2 %; counts of kernels, copies and calls; calls that cuBLAS and cuFFT make, with
# the functions that asked for them; the same program, built without us (plain clang; nvcc, where it
# is), by ctrun --inject, against a tool of a few lines that counts (count.c); what the driver
# compiles; what is said without CUPTI, and under ncu. Writes RESULTS/calls.md.
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
tr -d '\n' <"$RESULTS/only.json" | tr '{' '\n' | sed -n 's/.*"kernel": *"\([^"]*\)".*"launches": *\([0-9]*\), *"seconds": *\([0-9.e+-]*\).*/\1|\2|\3/p' >"$RESULTS/kernels"
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
# Calls of libraries have the whole stack of the program.
# asked NAME LIBRARY FUNCTION: launches that the library made have stacks through the function to main
asked() {
	times=$(awk -v library="$2" '$1 == library { print $2 }' "$RESULTS/$1.out")
	[ "${times:-0}" != 0 ] || { say "$1: no $2 here"; return 0; }
	made=$(grep -c "main;.*$3[^;]*;.*cu[a-z]*LaunchKernel" "$RESULTS/$1.folded" || true)
	say "$1: $times calls of $2, $made paths from main through $3"
	[ "$made" -gt 0 ] || fail "$1: no stack leads from $2 to $3"
}
for name in only on; do
	asked $name cublas multiply
	asked $name cufft transform
	grep -c '\[unknown\]' "$RESULTS/$name.folded" >"$RESULTS/unknown" || true
	say "$name: $(cat "$RESULTS/unknown") of $(wc -l <"$RESULTS/$name.folded") paths end in [unknown]"
done
say "$(sed -n 2p "$RESULTS/only.txt")"

# Hashes of blocks by the device beside those of the host.
CUDATRACE=off timeout 60 "$BUNDLE/programs/digest" >"$RESULTS/digest.out" || fail "digest: $(cat "$RESULTS/digest.out")"

# Compares what copies move (contents.cu), on the driver's streams.
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

# Which calls wait on this driver. Other drivers may do as they like; what is there to wait waits.
if "$BUNDLE/bin/ctrun" calibrate --target=gpu -o "$RESULTS/calibration.json" 2>"$RESULTS/calibrate.err"; then
	sed -n 's/.*"call": "\([^"]*\)", "variant": "\([^"]*\)", "legacy": \([a-z]*\), "blocking": \([a-z]*\), "non_blocking": \([a-z]*\), "own": \([a-z]*\)}.*/\1|\2|\3|\4|\5|\6/p' \
		"$RESULTS/calibration.json" >"$RESULTS/waits.txt"
	say "Which calls wait: $(wc -l <"$RESULTS/waits.txt") asked, otherwise than on driver 580: $(grep -v '^#' "$BUNDLE/waits.txt" | grep -vxFf "$RESULTS/waits.txt" | tr '\n' ' ')"
	grep -qx 'cudaDeviceSynchronize||true|true|true|null' "$RESULTS/waits.txt" || fail "calibrate: cudaDeviceSynchronize does not wait"
	grep -qx 'cudaStreamSynchronize||true|true|false|true' "$RESULTS/waits.txt" || fail "calibrate: cudaStreamSynchronize waits for others"
else
	fail "calibrate: $(cat "$RESULTS/calibrate.err")"
fi

# injected NAME PROGRAM: recorded by --inject, and counted by another tool
injected() {
	name=$1 program=$2
	timeout 120 "$BUNDLE/bin/ctrun" --inject -o "$RESULTS/$name.ctrace" "$program" \
		>"$RESULTS/$name.out" 2>"$RESULTS/$name.err" || fail "$name: the program fails"
	"$BUNDLE/bin/ctpost" calls --rows=all "$RESULTS/$name.ctrace" >"$RESULTS/$name.txt" 2>&1
	"$BUNDLE/bin/ctpost" calls --folded "$RESULTS/$name.ctrace" >"$RESULTS/$name.folded" 2>/dev/null
	CUDA_INJECTION64_PATH="$BUNDLE/lib/libcount.so" timeout 120 "$program" >/dev/null 2>"$RESULTS/$name.count" ||
		fail "$name: the other tool fails"
	for call in cudaLaunchKernel cudaLaunchKernelExC cudaMemcpy cudaMemcpyAsync cudaMemset cudaMalloc cudaEventRecord cudaEventSynchronize; do
		other=$(sed 's/_ptsz//; s/_v[0-9]*//' "$RESULTS/$name.count" | awk -v call="$call" '$1 == "count" && $2 == call { n += $3 } END { print n + 0 }')
		ours=$(counted "$name" "$call")
		[ "${ours:-0}" = "$other" ] || fail "$name: ${ours:-0} $call, the other tool has $other"
	done
	kernels=$("$BUNDLE/bin/ctpost" calls --json "$RESULTS/$name.ctrace" 2>/dev/null | LD_LIBRARY_PATH="$BUNDLE/lib" "$BUNDLE/bin/jq" '[.kernel_times[].launches] | add // 0')
	say "$name: $kernels kernels, the other tool has $(awk '$2 == "kernels" { print $3 }' "$RESULTS/$name.count"); $(cat "$RESULTS/$name.err")"
	[ "$kernels" = "$(awk '$2 == "kernels" { print $3 }' "$RESULTS/$name.count")" ] || fail "$name: kernels are missing"
	asked "$name" cublas multiply
	asked "$name" cufft transform
	say "$name: $(grep -c '\[unknown\]' "$RESULTS/$name.folded" || true) of $(wc -l <"$RESULTS/$name.folded") paths end in [unknown]"
}
injected clang-static "$BUNDLE/plain/calls"
injected clang-shared "$BUNDLE/plain/calls-shared"
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
	PATH=$PATH:/usr/local/cuda/bin nvcc -O2 -g -arch=native "$BUNDLE/calls.cu" -o "$RESULTS/calls-nvcc" -ldl 2>"$RESULTS/nvcc.err" &&
		injected nvcc "$RESULTS/calls-nvcc" || say "nvcc: $(head -n 3 "$RESULTS/nvcc.err")"
fi
# A compilation by the driver is a problem of a study; a program that has code for the device has
# none. compiled PROGRAM: how many such problems
compiled() {
	rm -rf "$RESULTS/$1.study"
	mkdir "$RESULTS/$1.study"
	CUDA_CACHE_DISABLE=1 "$BUNDLE/bin/ctrun" --calls=only -o "$RESULTS/$1.study/calls.ctrace" "$BUNDLE/programs/$1" \
		>"$RESULTS/$1.out" 2>"$RESULTS/$1.err" || fail "$1: the program fails"
	"$BUNDLE/bin/ctpost" ffm --json "$RESULTS/$1.study" 2>/dev/null | grep -c '"problem": "jit-compilation"' || true
}
if nvidia-smi --query-gpu=compute_cap --format=csv,noheader | grep -q '^8'; then
	say "jit: this device runs its code as it is; skipped"
else
	[ "$(compiled jit)" -gt 0 ] || fail "jit: the driver's compilation is not reported"
	[ "$(compiled launches)" = 0 ] || fail "launches: a compilation is reported where there is code for the device"
fi
CUDATRACE_CUPTI=/nonexistent "$BUNDLE/bin/ctrun" --inject -o "$RESULTS/none.ctrace" "$BUNDLE/plain/calls" >/dev/null 2>"$RESULTS/none.err" ||
	fail "without CUPTI the program fails"
grep -q 'CUPTI cannot be loaded' "$RESULTS/none.err" || fail "nothing is said of a missing CUPTI"
if command -v ncu >/dev/null || [ -x /usr/local/cuda/bin/ncu ]; then
	PATH=$PATH:/usr/local/cuda/bin timeout 60 ncu --launch-count 1 "$BUNDLE/bin/ctrun" --calls=only -o "$RESULTS/ncu.ctrace" "$BUNDLE/programs/calls" \
		>"$RESULTS/ncu.out" 2>&1 || say "under ncu: exit $?"
	say "under ncu: $(grep -a 'ctrun\|cuda-trace' "$RESULTS/ncu.out" | head -n 3); $("$BUNDLE/bin/ctpost" calls "$RESULTS/ncu.ctrace" 2>&1 | sed -n 3p)"
fi
[ $failures -eq 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# differential-seeds.sh BUNDLE RESULTS SECONDS FIRST [COUNT]
# Programs of the seeds from FIRST on (COUNT of them, or until SECONDS have passed) are generated here,
# compiled by NVIDIA's nvcc and by ours, and run on the GPUs: nvcc's program, ours as it is, ours traced.
# Their output must be the same, and what the generator has evaluated. What differs is run again
# before it is believed. Of three seeds one is compiled with --ct-all, one with --ct-values.
#
#   RESULTS/differential-seeds.txt       a line for each difference, each failure to compile, a summary
#   RESULTS/differential-seeds.tar.xz    source, command lines and outputs of seeds that differ
#
# JOBS (all cores) seeds at a time, SNIPPETS (16) in each, LIMIT (20) seconds for each program. Without
# a GPU what the programs print of the host and facts of the PTX are compared (PTX=1: those as well where
# a GPU is). Exit 0: no difference.
set -u
[ $# -ge 4 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bundle=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
seconds=$3 first=$4 count=${5:-1000000}
LIMIT=${LIMIT:-20} SNIPPETS=${SNIPPETS:-16} JOBS=${JOBS:-$(nproc)}
CUDA=${CUDA_HOME:-/usr/local/cuda}
nvcc=$CUDA/bin/nvcc ours=$bundle/ct/bin/cuda-trace-nvcc
export LIMIT SNIPPETS CUDA_HOME=$CUDA CUDATRACE_KEEP_FREE=off CUDATRACE_CLANG=$bundle/llvm/bin/clang
export PATH=$CUDA/bin:$PATH

# with COMMAND...: with the options of the program, a word a line
with() {
	local words
	mapfile -t words <options
	printf '%q ' "$@" "${words[@]}" >>commands
	echo >>commands
	timeout -k 5 120 "$@" "${words[@]}"
}

# execute HOW COMMAND...: what it prints, and how it ends; repeated where the clock has ended it
execute() {
	local how=$1 status
	shift
	for _ in 1 2; do
		rm -rf trace
		timeout -k 5 "$LIMIT" "$@" >"$how" 2>"$how.err"
		status=$?
		case $status in 124 | 137) ;; *) break ;; esac
	done
	echo "ends with $status" >>"$how"
	rm -rf trace
}

ours_plain() { execute plain env CUDATRACE=off ./our.program; }
ours_traced() { execute traced env CUDATRACE_OUTPUT=trace ./our.program; }

# Lines of both that differ, with lanes left out.
lines() {
	diff "$1" "$2" | awk '/^[<>]/ { print $1, $2, $3 }' | sort -u -k 2,2 | head -n 8 | tr '\n' ';'
}

say() { echo "seed $seed: $*" | tee -a verdict; }

on_gpu() {
	export CUDA_VISIBLE_DEVICES=$((seed % GPUS))
	execute nvcc ./nvcc.program
	ours_plain
	ours_traced
	for how in plain traced; do
		cmp -s nvcc $how && continue
		mv $how "$how.first"
		cp nvcc nvcc.first
		execute nvcc ./nvcc.program
		ours_$how
		if cmp -s nvcc $how; then
			say "$how once, not again: $(lines nvcc.first $how.first)"
		else
			say "$how differs: $(lines nvcc $how)"
		fi
	done
	awk -v "seed=$seed" -v how=nvcc -f "$bundle/compare.awk" expected nvcc >expected.diff ||
		say "nvcc's is not as expected: $(head -n 1 expected.diff)"
}

on_host() {
	execute nvcc ./nvcc.program host
	execute plain env CUDATRACE=off ./our.program host
	cmp -s nvcc plain || say "host differs: $(diff nvcc plain | grep -m 2 '^[<>]' | tr '\n' ' ')"
}

of_ptx() {
	local ptx
	ptx=$(find keep -name 'program*.ptx' | head -n 1)
	if with "$ours" -ptx program.cu -o our.ptx >ptx.log 2>&1 && [ -n "$ptx" ]; then
		"$bundle/facts" "$ptx" our.ptx >facts.out || say "PTX differs: $(head -n 1 facts.out)"
	else
		say "ours fails with -ptx: $(grep -m 1 'error' ptx.log)"
	fi
}

# Compiles and runs the program in the working directory.
examine() {
	local theirs mine keep=() traced
	set -- program.cu
	[ ! -e second.cu ] || set -- "$@" second.cu
	if [ -e plain.cpp ]; then
		g++ -O1 -I"$CUDA/include" -c plain.cpp -o plain.o 2>plain.log || say "g++ fails: $(head -n 1 plain.log)"
		set -- "$@" plain.o
	fi
	[ -z "$PTX" ] || { mkdir keep; keep=(-keep -keep-dir keep); }
	traced=$(printf '%s\n' "" --ct-values --ct-all | sed -n "$((seed % 3 + 1))p")
	with "$nvcc" "${keep[@]}" "$@" -o nvcc.program >nvcc.log 2>&1
	theirs=$?
	# shellcheck disable=SC2086
	with "$ours" $traced "$@" -o our.program >our.log 2>&1
	mine=$?
	if [ $theirs -eq 124 ] || [ $mine -eq 124 ]; then
		say "not compiled within 120 s: nvcc $theirs, ours $mine"
	elif [ $theirs -ne 0 ] && [ $mine -ne 0 ]; then
		echo "seed $seed: both refuse it: $(grep -m 1 error nvcc.log)" # the generator's fault
	elif [ $theirs -ne 0 ]; then
		say "nvcc fails: $(grep -m 1 error nvcc.log)"
	elif [ $mine -ne 0 ]; then
		say "ours fails: $(grep -m 1 'error\|undefined' our.log)"
	else
		echo "seed $seed: compared"
		if [ "$GPUS" -eq 0 ]; then on_host; else on_gpu; fi
		[ -z "$PTX" ] || of_ptx
	fi
}

one() {
	seed=$1
	[ "$(date +%s)" -lt "$DEADLINE" ] || exit 255 # xargs starts no more
	"$bundle/generate" "$seed" "$WORK/$seed" "$SNIPPETS" && cd "$WORK/$seed" || return
	examine
	rm -rf keep ./*.program ./*.o
	[ -e verdict ] || rm -rf "${WORK:?}/$seed"
}

if [ "${DIFFERENTIAL_SEED:-}" ]; then
	one "$DIFFERENTIAL_SEED"
	exit
fi

# clang takes the installation of GCC that g++ is of.
install=$(dirname "$(g++ -print-libgcc-file-name)")
for config in clang clang++; do
	echo "--gcc-install-dir=$install" >"$bundle/llvm/bin/$config.cfg"
done
# A compiler that does not work here is reported once.
probe=$(mktemp -d)
echo '__global__ void k(int *p) { *p = 1; } int main() { k<<<1, 1>>>(nullptr); }' >"$probe/probe.cu"
if ! timeout 120 "$ours" -arch=sm_90 "$probe/probe.cu" -o "$probe/program" >"$probe/log" 2>&1; then
	echo "ours compiles nothing here:"
	head -n 20 "$probe/log"
	rm -rf "$probe"
	exit 2
fi
rm -rf "$probe"
GPUS=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU') PTX=${PTX:-}
[ "$GPUS" -gt 0 ] || PTX=1
WORK=$(mktemp -d) DEADLINE=$(($(date +%s) + seconds))
export GPUS PTX WORK DEADLINE
trap 'rm -rf "$WORK"' EXIT
seq "$first" $((first + count - 1)) |
	timeout -k 20 $((seconds + 180)) xargs -P "$JOBS" -I{} env DIFFERENTIAL_SEED={} bash "$self" "$bundle" "$results" 0 0 \
		>"$WORK/lines" 2>"$WORK/errors"
number() { grep -c "$1" "$WORK/lines"; }
{
	date -u '+%F %T'
	nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo "no GPU"
	grep -v ': compared$' "$WORK/lines" | sort -k 2n
	grep -v 'status 255; aborting' "$WORK/errors" | head -n 5
	echo "$(awk '{ print $2 }' "$WORK/lines" | sort -u | wc -l) seeds of $SNIPPETS snippets from $first on," \
		"$(number ': compared$') compared, $(number ' differs: ') differences, $(number ' once, not again: ') that came once," \
		"$(number ': ours fails') compile failures of ours alone, $(number ': nvcc fails') of nvcc alone," \
		"$(number ': both refuse') of both, $(number ': not compiled within') not compiled in time, $(number 'not as expected') not as the generator expects"
} | tee "$results/differential-seeds.txt"
cd "$WORK" || exit 2
find . -name verdict | cut -d / -f 2 | sort -n | head -n 500 >kept
tar -cf - -T kept | xz -T0 >"$results/differential-seeds.tar.xz"
grep -q ': compared$' "$WORK/lines" && ! grep -q ' differs: \|: ours fails\|: nvcc fails\|not as expected:' "$WORK/lines"

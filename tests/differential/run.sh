#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD NVCC WORK SEED...|FIRST-LAST
# Programs of the generator, compiled by NVIDIA's nvcc and by ours for the CPU target and for
# devices: both take a program or both refuse it; what it computes is what the generator has
# evaluated, plain and traced; what its host prints without a device is the same; of the PTX those
# facts are that do not depend on who optimizes (facts.c); units export the same symbols. Says each difference; what
# is left in WORK is of seeds that differ. Exit 0: none; 77: no nvcc. SNIPPETS=N, ONLY="…": see generate.c.
set -u
ONLY=${ONLY:-} SNIPPETS=${SNIPPETS:-48}
[ $# -ge 4 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) nvcc=$2
mkdir -p "$3"
work=$(cd "$3" && pwd)
shift 3
[ -x "$nvcc" ] || { echo "run.sh: no nvcc at $nvcc; skipped"; exit 77; }
ours=$build/bin/cuda-trace-nvcc
generate=$build/tests/differential/generate facts=$build/tests/differential/facts
include=$(dirname "$nvcc")/../include
LIMIT=${LIMIT:-60}

# with OPTIONS COMMAND...: the command with the options of the file, a word a line
with() {
	options=$1
	shift
	while IFS= read -r word; do
		set -- "$@" "$word"
	done <"$options"
	timeout 300 "$@"
}

differs() {
	echo "seed $seed: $*"
	same=0
}

# Runs both programs by themselves: the rows, then the host's lines.
run() {
	how=$1
	shift
	timeout "$LIMIT" env "$@" >"$how.out" 2>"$how.err"
	ended=$?
	[ $ended -eq 0 ] || differs "$how ends with $ended: $(head -n 1 "$how.err")"
	awk -v "seed=$seed" -v "how=$how" -f "$here/compare.awk" expected "$how.out" || same=0
}

# Kernels and functions of the host that other units see.
# symbols PROGRAM KINDS: of the generator's names, in order
symbols() {
	nm --defined-only "$1" | awk -v kinds="$2" 'index(kinds, $2) && $3 ~ /^(_Z[0-9]+)?(k|plain|second)[0-9]/ { print $3 }' | sort -u
}

one() {
	rm -rf "${work:?}/$seed"
	# shellcheck disable=SC2086
	"$generate" "$seed" "$work/$seed" "$SNIPPETS" $ONLY || exit 2
	cd "$work/$seed" || exit 2
	same=1
	set -- program.cu
	[ ! -e second.cu ] || set -- "$@" second.cu
	if [ -e plain.cpp ]; then
		g++ -O1 -I"$include" -c plain.cpp -o plain.o || exit 2
		set -- "$@" plain.o
	fi
	mkdir keep
	with options "$nvcc" -keep -keep-dir keep "$@" -o nvcc.program >nvcc.log 2>&1
	theirs=$?
	with options "$ours" --ct-target=cpu "$@" -o cpu.program >cpu.log 2>&1
	cpu=$?
	with options "$ours" -ptx program.cu -o gpu.ptx >gpu.log 2>&1
	gpu=$?
	if [ $theirs -eq 124 ]; then # what nvcc would have said is not known
		undecided="$undecided $seed"
		cd "$work" && rm -rf "${work:?}/$seed"
		return
	fi
	if [ $theirs -ne 0 ]; then
		refused=$((refused + 1))
		[ $cpu -ne 0 ] || differs "nvcc refuses it, we do not: $(grep -m 1 error nvcc.log)"
	else
		[ $cpu -ne 124 ] && [ $gpu -ne 124 ] || differs "ours does not end within 300 s, nvcc does"
		[ $cpu -eq 0 ] || differs "we refuse it (CPU target), nvcc does not: $(grep -m 1 'error:\|undefined' cpu.log)"
		[ $gpu -eq 0 ] || differs "we refuse it (GPU), nvcc does not: $(grep -m 1 'error:' gpu.log)"
	fi
	if [ $theirs -eq 0 ] && [ $cpu -eq 0 ]; then
		run plain CUDATRACE=off ./cpu.program
		run traced CUDATRACE_OUTPUT=trace ./cpu.program
		timeout "$LIMIT" ./nvcc.program host >nvcc.host 2>/dev/null
		CUDATRACE=off timeout "$LIMIT" ./cpu.program host >cpu.host 2>/dev/null
		cmp -s nvcc.host cpu.host || differs "the host prints: $(diff nvcc.host cpu.host | grep -m 2 '^[<>]' | tr '\n' ' ')"
		symbols nvcc.program T >nvcc.symbols
		{ # a kernel's own name is weak in ours
			symbols cpu.program T
			symbols cpu.program W | comm -12 - nvcc.symbols
		} | sort -u >cpu.symbols
		cmp -s nvcc.symbols cpu.symbols ||
			differs "symbols: $(diff nvcc.symbols cpu.symbols | grep '^[<>]' | head -n 4 | tr '\n' ' ')"
	fi
	ptx=$(find keep -name 'program*.ptx' | head -n 1)
	if [ $theirs -eq 0 ] && [ $gpu -eq 0 ]; then
		"$facts" "$ptx" gpu.ptx >facts.out || { sed "s/^/seed $seed: /" facts.out; same=0; }
	fi
	cd "$work" || exit 2
	if [ $same -eq 1 ]; then
		rm -rf "${work:?}/$seed"
	else
		different="$different $seed"
	fi
}

different='' undecided='' refused=0 count=0
for seeds; do
	seed=${seeds%-*}
	while [ "$seed" -le "${seeds#*-}" ]; do
		one
		count=$((count + 1))
		seed=$((seed + 1))
	done
done
echo "$count programs, $refused refused by nvcc, different:${different:- none}${undecided:+, nvcc did not end within 300 s:$undecided}"
[ -z "$different" ]

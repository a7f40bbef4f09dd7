#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bundle.sh BUILD NVCC OUT SEED...|FIRST-LAST
# Programs of the generator as nvcc and as ours makes them for devices, with the libraries that they
# need, packed into OUT.tar.xz: where a GPU is, unpack it and run
#   OUT/differential.sh OUT RESULTS
# Seeds that one of both refuses are left out, and said. The size is said at the end.
set -eu
[ $# -ge 4 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) nvcc=$2
rm -rf "$3"
mkdir -p "$3/lib"
out=$(cd "$3" && pwd)
shift 3
. "$here/../gpu/libraries.sh"
include=$(dirname "$nvcc")/../include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# with COMMAND...: with the options of the program, a word a line
with() {
	while IFS= read -r word; do
		set -- "$@" "$word"
	done <options
	timeout 600 "$@" >log 2>&1
}

pack() {
	"$build/tests/differential/generate" "$1" "$work/$1" "${SNIPPETS:-48}"
	cd "$work/$1"
	set -- "$1" program.cu
	[ ! -e second.cu ] || set -- "$@" second.cu
	if [ -e plain.cpp ]; then
		g++ -O1 -I"$include" -c plain.cpp -o plain.o
		set -- "$@" plain.o
	fi
	seed=$1
	shift
	if ! with "$nvcc" -cudart shared "$@" -o nvcc.program; then
		echo "seed $seed: nvcc refuses it: $(grep -m 1 error log)"
	elif ! with "$build/bin/cuda-trace-nvcc" "$@" -o our.program; then
		echo "seed $seed: we refuse it: $(grep -m 1 error: log)"
	else
		strip nvcc.program our.program
		[ -e "$out/lib/libcudart.so" ] || { libraries "$out/lib" nvcc.program our.program && : >"$out/lib/libcudart.so"; }
		mkdir "$out/$seed"
		mv nvcc.program our.program expected "$out/$seed"
	fi
	cd "$work"
	rm -rf "${work:?}/$seed"
}

cp "$here/../gpu/differential.sh" "$here/compare.awk" "$out"
for seeds; do
	seed=${seeds%-*}
	while [ "$seed" -le "${seeds#*-}" ]; do
		pack "$seed"
		seed=$((seed + 1))
	done
done
rm -f "$out/lib/libcudart.so"
tar -C "$(dirname "$out")" -cf - "$(basename "$out")" | xz -T2 -9 --lzma2=dict=128MiB >"$out.tar.xz"
echo "$(find "$out" -name our.program | wc -l) programs, $(du -k "$out.tar.xz" | cut -f 1) kB in $out.tar.xz"

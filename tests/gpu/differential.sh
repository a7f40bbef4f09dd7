#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# differential.sh BUNDLE RESULTS
# The programs of tests/differential/bundle.sh on this machine's GPU: what nvcc's program prints, ours
# prints, plain and traced, and what the generator has evaluated. Writes RESULTS/differential.txt.
# Exit 0: no difference; 1: some; 77: no device.
set -u
bundle=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
LIMIT=${LIMIT:-60}
LD_LIBRARY_PATH="$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CUDATRACE_KEEP_FREE=off
export LD_LIBRARY_PATH CUDATRACE_KEEP_FREE
nvidia-smi >/dev/null 2>&1 || { echo "differential.sh: no GPU here (nvidia-smi fails); skipped" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# one NAME COMMAND...: what it prints, and how it ends
one() {
	name=$1
	shift
	timeout "$LIMIT" "$@" >"$name" 2>"$name.err"
	echo "ends with $?" >>"$name"
}

# Lines of both that differ, with lanes left out.
lines() {
	diff nvcc "$1" | awk '/^[<>]/ { print $1, $2, $3 }' | sort -u -k 2,2 | head -n 8 | tr '\n' ';'
}

count=0 different=0
: >"$results/differential.txt"
for folder in "$bundle"/[0-9]*; do
	seed=$(basename "$folder")
	one nvcc "$folder/nvcc.program"
	one plain env CUDATRACE=off "$folder/our.program"
	one traced env CUDATRACE_OUTPUT="$work/trace" "$folder/our.program"
	for how in plain traced; do
		cmp -s nvcc "$how" && continue
		echo "seed $seed, $how: $(lines "$how")" >>"$results/differential.txt"
		different=$((different + 1))
	done
	# The generator may err, too.
	awk -v "seed=$seed" -v how=nvcc -f "$bundle/compare.awk" "$folder/expected" nvcc >>"$results/differential.txt" ||
		different=$((different + 1))
	rm -rf trace
	count=$((count + 1))
done
cat "$results/differential.txt"
echo "$count programs, $different differences"
[ "$different" -eq 0 ]

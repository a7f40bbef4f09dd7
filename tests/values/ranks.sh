#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ranks.sh BIN MPIRUN: two ranks say of random traces what one says.
set -eu
bin=$1 mpirun=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for seed in 201 202; do
	"$bin/values-random-trace" "$work/$seed.ctrace" "$seed"
	"$bin/ctpost" values --json --threads=2 "$work/$seed.ctrace" >"$work/one"
	status=0
	sh "$mpirun" 2 "$bin/ctpost" values --json --threads=2 "$work/$seed.ctrace" >"$work/two" || status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" = 0 ] || {
		echo "FAILED: seed $seed: two ranks end with $status" >&2
		exit 1
	}
	diff -u "$work/one" "$work/two" || {
		echo "FAILED: seed $seed: two ranks differ from one" >&2
		exit 1
	}
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ranks.sh BIN SEEDS: random traces, analysed by two and by three ranks under mpirun.
set -eu
bin=$1 seeds=$2
command -v mpirun >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for seed in $seeds; do
	"$bin/comm-random-trace" "$work/random.ctrace" "$seed" 40
	for ranks in 2 3; do
		timeout 120 mpirun -x ASAN_OPTIONS=detect_leaks=0 --oversubscribe -n $ranks "$bin/comm-agree" \
			--variants="${VARIANTS:-.}" "$work/random.ctrace" || {
			echo "FAILED: seed $seed on $ranks ranks" >&2
			exit 1
		}
	done
done

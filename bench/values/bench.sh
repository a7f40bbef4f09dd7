#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD: thread accesses with values that `ctpost values` takes in a second of processor
# time, by one thread and by two, for each shape of bench_values_trace; beside it `ctpost comm` and a scan (`ctpost info`) of the
# same trace. Last what moving its lanes alone leaves of gather (bench_values_memory). Environment: ACCESSES, MEMORY (of both), SCRATCH (a directory).
set -eu
BUILD=$(cd "$1" && pwd)
MEMORY=${MEMORY:-2G}
work=$(mktemp -d "${SCRATCH:-/tmp}/bench-values-XXXXXX")
trap 'rm -rf "$work"' EXIT
measure=$BUILD/bench/bench_measure
ctpost=$BUILD/bin/ctpost

# rate ACCESSES COMMAND...: million accesses a second of processor time, which others beside us do
# not stretch as they do the clock's
rate() {
	count=$1
	shift
	"$measure" "$@" >"$work/out" 2>"$work/err" || {
		cat "$work/err" >&2
		exit 1
	}
	tail -n 1 "$work/err" | awk -v n="$count" '{ printf "%10.1f", n / $2 / 1e6; memory = $3 / 1024 }
		END { printf " (%4.0f MiB)", memory }'
}

echo "shape    accesses     values, 1 thread     2 threads            comm, 1 thread       scan, 1 thread [M accesses per processor second]"
for shape in add fill loop gather; do
	n=$("$BUILD/bench/bench_values_trace" $shape "${ACCESSES:-100000000}" "$work/$shape.ctrace")
	printf '%-8s %-10s' $shape "$n"
	own=$(rate "$n" "$ctpost" values --threads=1 --memory="$MEMORY" --json "$work/$shape.ctrace")
	printf '%s' "$own"
	[ $shape != add ] || row=$own
	rate "$n" "$ctpost" values --threads=2 --memory="$MEMORY" --json "$work/$shape.ctrace"
	rate "$n" "$ctpost" comm --threads=1 --memory="$MEMORY" "$work/$shape.ctrace"
	rate "$n" "$ctpost" info --threads=1 --json "$work/$shape.ctrace"
	echo
	rm -rf "$work/$shape.ctrace"
done
# A lane of gather is a scattered one, which memory has to move at least, and one of a row, as add's.
"$BUILD/bench/bench_values_memory" | awk -v row="$row" '/divide|collect|values/ { ns += $2 }
	END { printf "gather, if its scattered lanes were only moved (%.1f ns each): %.1f at most\n", ns, 2000 / (ns + 1000 / row) }'

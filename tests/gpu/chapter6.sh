#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# chapter6.sh build BUILD OUT [ARCH]
# chapter6.sh run OUT RESULTS [NAME...]
# The figures of seed 001, chapter 6, at its problem sizes (chapter6.txt). build
# compiles the programs for ARCH (sm_90; cpu: for CPU threads) and gathers in OUT
# all that a machine without our compiler needs; there, OUT/chapter6.sh run traces
# and analyses them, and writes
#
#   RESULTS/comparison.html, .txt, .csv the figures, program beside program: ctpost report
#   RESULTS/results.tar.gz              of each program ctpost comm's text and JSON, info's JSON
#
# Each step has LIMIT (100) seconds, all together have TOTAL (340).
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
usage() {
	sed -n '3,4s/^# //p' "$0" >&2
	exit 2
}
[ $# -ge 3 ] || usage

build() {
	BUILD=$(cd "$1" && pwd) ARCH=${3:-sm_90}
	rm -rf "$2"
	mkdir -p "$2/bin" "$2/programs"
	OUT=$(cd "$2" && pwd)
	target="--ct-target=gpu --cuda-gpu-arch=$ARCH"
	[ "$ARCH" != cpu ] || target=--ct-target=cpu
	grep -v '^#' "$HERE/chapter6.txt" | while read -r name example size constants; do
		echo "$name"
		"$HERE/../e2e/build.sh" "$BUILD/bin/cuda-trace-clang++" "$OUT/programs/$name" \
			$target $constants "$HERE/../../examples/$example/$example.cu"
	done
	rm "$OUT"/programs/*.o*
	cp "$BUILD/bin/ctpost" "$BUILD/bin/ctrun" "$OUT/bin"
	strip "$OUT"/programs/* "$OUT/bin/ctpost" "$OUT/bin/ctrun"
	. "$HERE/libraries.sh"
	libraries "$OUT/lib" "$OUT"/bin/*
	cp "$HERE"/chapter6.* "$OUT"
	du -sh "$OUT"
}

# step COMMAND...
step() {
	left=$((deadline - $(date +%s)))
	[ $left -gt 0 ] || {
		echo "chapter6.sh: $name: no time left for $*" >&2
		return 1
	}
	[ $left -lt "${LIMIT:-100}" ] || left=${LIMIT:-100}
	timeout -k 5 "$left" "$@" </dev/null
}

# Lists what CTAs of another id or another kernel read, by number of launches in between and by
# size: "distance bytes transfers" and "size bytes transfers".
exchanged() {
	awk -F, '
	FNR == 1 { file++; for (i = 1; i <= NF; i++) { sub(/\r$/, "", $i); column[file, $i] = i } next }
	{ sub(/\r$/, "") }
	file == 1 { kernel[$column[1, "part"] " " $column[1, "launch"]] = $column[1, "kernel_number"]; next }
	file == 2 {
		of[$1] = kernel[$column[2, "part"] " " $column[2, "launch"]]
		level[$1] = $column[2, "level"]
		next
	}
	$2 != $4 || of[$1] != of[$3] {
		key = "distance " level[$3] - level[$1] - 1
		bytes[key] += $5; transfers[key]++
		key = "size " $5
		bytes[key] += $5; transfers[key]++
	}
	END { for (key in bytes) printf "%s %.0f %.0f\n", key, bytes[key], transfers[key] }' \
		"$1/launches.csv" "$1/supersteps.csv" "$1/transfers.csv"
}

one() {
	began=$(date +%s)
	rm -rf "$work/csv"
	step "$OUT/bin/ctrun" -o "$work/$name.ctrace" -- "$OUT/programs/$name" "$size" || return 1
	step "$OUT/bin/ctpost" info --json "$work/$name.ctrace" >"$work/results/$name.info.json" &&
		step "$OUT/bin/ctpost" comm --json "$work/$name.ctrace" >"$work/results/$name.comm.json" &&
		step "$OUT/bin/ctpost" comm "$work/$name.ctrace" >"$work/results/$name.txt" &&
		step "$OUT/bin/ctpost" export --format=csv --tables=launches,supersteps,transfers \
			-o "$work/csv" "$work/$name.ctrace" || return 1
	exchanged "$work/csv" >"$work/results/$name.exchanged.txt"
	echo "$work/$name.ctrace" >>"$work/traces"
	echo "$name: $(($(date +%s) - began)) s" >&2
}

run() {
	OUT=$(cd "$1" && pwd)
	mkdir -p "$2"
	RESULTS=$(cd "$2" && pwd)
	shift 2
	export LD_LIBRARY_PATH="$OUT/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	mkdir "$work/results"
	: >"$work/traces"
	deadline=$(($(date +%s) + ${TOTAL:-340}))
	failed=0
	grep -v '^#' "$OUT/chapter6.txt" >"$work/programs"
	while read -r name example size constants; do
		[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
		one || {
			echo "chapter6.sh: $name failed" >&2
			failed=1
		}
	done <"$work/programs"
	name=comparison
	# shellcheck disable=SC2046
	{
		step "$OUT/bin/ctpost" report $(cat "$work/traces") --title="Seed 001, chapter 6" -o "$RESULTS/comparison.html" || failed=1
		step "$OUT/bin/ctpost" report $(cat "$work/traces") --format=text >"$RESULTS/comparison.txt" || failed=1
		step "$OUT/bin/ctpost" report $(cat "$work/traces") --format=csv -o "$work/comparison" || failed=1
	}
	cp "$work/comparison/compared_points.csv" "$RESULTS/comparison.csv" || failed=1
	tar -C "$work/results" -czf "$RESULTS/results.tar.gz" .
	cat "$RESULTS/comparison.txt"
	exit $failed
}

case $1 in
build | run) "$@" ;;
*) usage ;;
esac

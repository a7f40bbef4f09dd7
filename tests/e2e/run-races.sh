#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-races.sh BIN PROGRAM WORK
# `ctpost access --races` of races.cu: the races that it has, by hand, and nothing of what looks like
# one; the same for any number of threads.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"
command -v jq >/dev/null || exit 77

traced_well traced "$PROGRAM"
for threads in 1 2 5; do
	run_well "races-$threads" "$BIN/ctpost" access --json --races --threads=$threads "$WORK/traced.ctrace"
	cmp "$WORK/races-1.out" "$WORK/races-$threads.out" || fail "otherwise with $threads threads"
done
# Each store and access count the bytes that they share: of one_row() 512 of each CTA; of shift() one
# element at each edge, 3 of CTAs, 3 of warps in each of 4.
jq -r '.races.found[] | "\(.kernel | sub("[(].*"; "")) \(.between) \(.bytes) \(.store.operation) \(.other.operation) \(.store.cta) \(.other.cta)"' \
	"$WORK/races-1.out" >"$WORK/found"
cat >"$WORK/expected" <<'END'
one_row ctas 2048 store store 0 1
shift warps 48 store load 0 0
shift ctas 12 store load 1 0
no_barrier warps 2048 store load 0 0
END
diff "$WORK/expected" "$WORK/found" >&2 || fail "other races (< by hand, > found)"
# counts(), last_reads() and named_barrier() may order by what they do: nothing is said of them.
jq -e '.races | .launches == 10 and .unknown_ctas == 3 and .unknown_warps == 3' "$WORK/races-1.out" >"$WORK/log" ||
	fail "launches whose order is not known: $(jq -c '.races | del(.found)' "$WORK/races-1.out")"

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
# element at each edge, 3 of CTAs, 3 of warps in each of 4; of the halos 32 elements at each of 3 edges,
# for both; of flag() an element for each of 16 warps. Of loads it depends on who came first whether
# values differ.
jq -r '.races[] | "\(.kernel | sub("[(].*"; "")) \(.between | sub(" .*"; "")) \(.bytes) \(.store_operation) \(.other_operation) \(.store_cta) \(.other_cta)" +
	if .other_operation == "store" then " " + .values elif .values == "same" then " a load with the same value" else "" end' \
	"$WORK/races-1.out" >"$WORK/found"
cat >"$WORK/expected" <<'END'
one_row blocks 2048 store store 0 1 same
shift warps 48 store load 0 0
shift blocks 12 store load 1 0
no_barrier warps 2048 store load 0 0
same_halo blocks 768 store store 0 1 same
other_halo blocks 768 store store 0 1 differ
odd_one blocks 16 store store 0 1 differ
flag blocks 64 store store 0 1 same
flag warps 64 store store 0 0 same
flag_is_read blocks 16 store store 0 1 same
flag_is_read blocks 4 store load 1 0
flag_is_read warps 4 store load 0 0
sum_without warps 512 store load 0 0
END
diff "$WORK/expected" "$WORK/found" >&2 || fail "other races (< by hand, > found)"
# announced(), last_reads() and named_barrier() may order by what they do: nothing is said of them, but
# of the warps of last_reads(), of which one alone takes part.
jq -e '.race_totals[0] | .launches == 18 and .unknown_ctas == 3 and .unknown_warps == 2' "$WORK/races-1.out" >"$WORK/log" ||
	fail "launches whose order is not known: $(jq -c .race_totals "$WORK/races-1.out")"
# As findings, of the same kernels, those of two sites one: what does no harm comes last.
findings() {
	jq -r "$1 | \"\(.kind) \(.finding) \(.text)\"" "$2"
}
findings '.findings[] | select(.analysis == "races")' "$WORK/races-1.out" >"$WORK/reported"
[ "$(grep -c '^problem race Nothing orders' "$WORK/reported")" = 6 ] && [ "$(grep -c '^note same-value-race .* no harm as long' "$WORK/reported")" = 4 ] ||
	fail "findings: $(cat "$WORK/reported")"
[ "$(tail -n 4 "$WORK/reported" | grep -c '^note')" = 4 ] || fail "harmless races are not the last: $(cat "$WORK/reported")"
run_well all "$BIN/ctpost" findings --json --races "$WORK/traced.ctrace"
findings '.findings[] | select(.analysis == "races")' "$WORK/all.out" | cmp - "$WORK/reported" || fail "ctpost findings --races has others"
[ "$(jq '.races | length' "$WORK/all.out")" = 13 ] || fail "no section of races"

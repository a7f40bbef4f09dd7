#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-access.sh BIN PROGRAM WORK
# `ctpost access` of tests/gpu/access/access.cu against what follows from its text
# (access-shapes.expect): requests, sectors, bank conflicts, branches where lanes part.
set -eu
BIN=$1 PROGRAM=$2 WORK=$3
HERE=$(dirname "$0")
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"
command -v jq >/dev/null || exit 77

native_well native "$PROGRAM"
traced_well traced "$PROGRAM"
same_output native traced
run_well access "$BIN/ctpost" access --json "$WORK/traced.ctrace"
jq -r 'def bare: sub("[(<].*"; "") | sub(".* "; "");
	([.accesses[]] | group_by([.kernel, .class])[] |
		"\(.[0].kernel | bare) \(.[0].class) \(map(.requests) | add) \(map(.sectors) | add)"),
	([.other_accesses[] | select(.space == "shared")] | group_by([.kernel, .class])[] |
		"\(.[0].kernel | bare) shared-\(.[0].class) \(map(.wavefronts - .ideal_wavefronts) | add)"),
	(.branch_kernels[] | "\(.kernel | bare) divergent \(.divergent)")' "$WORK/access.out" >"$WORK/figures"
sed 's/ *#.*//; /^$/d' "$HERE/access-shapes.expect" | while read -r line; do
	key=$(echo "$line" | cut -d' ' -f1,2)
	grep -qxF "$line" "$WORK/figures" || echo "$line, not $(grep "^$key " "$WORK/figures")"
done >"$WORK/odd"
[ ! -s "$WORK/odd" ] || fail "$(cat "$WORK/odd")"
# Where lanes part: the line of the branch.
line=$(grep -n 'if (threadIdx.x % 2 == 0)' "$HERE/../gpu/access/access.cu" | cut -d: -f1)
jq -e --argjson line "$line" '[.branches[] | select(.line == $line)] |
	length == 1 and .[0].branches == 512 and .[0].divergent == 512 and .[0].efficiency == 0' \
	"$WORK/access.out" >"$WORK/log" || fail "the branch of line $line"

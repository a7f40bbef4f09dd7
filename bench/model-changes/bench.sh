#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench.sh BUILD [TIMES]
# Compares what ctpost model says that changes bring (changes.cu) with what they bring. TIMES: a trace of
# the program on a GPU by ctrun --calls=only, compiled by
#   cuda-trace-clang++ --cuda-gpu-arch=sm_90 -O2 -g1 -o changes changes.cu
# Without it, what is left after each change is predicted, too. Needs jq.
set -eu
[ $# -ge 1 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
BUILD=$(cd "$1" && pwd)
TIMES=${2:+--times=$(cd "$2" && pwd)}
source=$(cd "$(dirname "$0")" && pwd)/changes.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$BUILD/bin/cuda-trace-clang++" --ct-target=cpu --ct-events=block,barrier --ct-spaces=global,shared -O2 -g1 \
	"$source" -o changes
"$BUILD/bin/cuda-trace-clang++" --ct-target=gpu --cuda-gpu-arch=sm_90 -O2 -g1 --cuda-device-only -c \
	"$source" -o changes.cubin
"$BUILD/bin/ctrun" -o run.ctrace -- ./changes >log 2>&1 || { cat log >&2; exit 1; }
# shellcheck disable=SC2086 # no TIMES is no word
"$BUILD/bin/ctpost" model --json --cubin=changes.cubin $TIMES run.ctrace >model.json
echo "| change | before, us | predicted | after, us | predicted of it | predicted from before |"
echo "|---|---:|---:|---:|---:|---:|"
# word of the change's text, by pair
jq -r --argjson words '{"coalesce": "let neighbouring", "banks": "avoid bank", "diverge": "let all lanes",
		"parallel": "unroll", "occupy": "use less shared", "barriers": "do without barriers"}' '
	def us: if . == null then "" else . * 1e7 | round / 10 end;
	. as $all | (.model_kernels | map({(.kernel): .}) | add) as $k | $words | to_entries[] |
	$k[.key + "_before"] as $b | $k[.key + "_after"] as $a | .value as $word | select($a and $b) |
	([$all.model_changes[] | select(.kernel == $b.kernel and (.change | startswith($word))) | .left_seconds][0] // $b.predicted_seconds) as $left |
	"| \(.key) | \($b.measured_seconds | us) | \($b.predicted_seconds | us) | \($a.measured_seconds | us) | \($a.predicted_seconds | us) | \($left | us) |"' model.json

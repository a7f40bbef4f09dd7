#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh CTRUN PLAIN TRACED [ROUNDS [COUNT]]
# Measures what recording costs a program that does nothing but launch (launches.cu, built without
# us and with us): in each round all variants in turn, so that drift hits all alike. Prints us per
# launch, median and worst, the median and the worst of what each round added to the plain
# program, and bytes per call on disk. CUPTI_COST_LIBRARY: what CUPTI adds by itself (cupti.c),
# too.
set -eu
[ $# -ge 3 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
ctrun=$1 plain=$2 traced=$3 rounds=${4:-7} count=${5:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# once VARIANT: us per launch, and what is on disk in $work/trace
once() {
	rm -rf "$work/trace"
	case $1 in
	plain) "$plain" "$count" ;;
	inject) "$ctrun" --inject -o "$work/trace" "$plain" "$count" ;;
	cupti-*) CUDA_INJECTION64_PATH=$CUPTI_COST_LIBRARY CUPTI_COST=${1#cupti-} "$plain" "$count" ;;
	trace-off) "$ctrun" --trace=off "$traced" "$count" ;;
	*) "$ctrun" --launches=999999999 --calls="${1#calls-}" -o "$work/trace" "$traced" "$count" ;;
	esac 2>"$work/err" || { cat "$work/err" >&2; echo nan; }
}
variants="plain trace-off calls-off calls-on calls-only inject"
[ -z "${CUPTI_COST_LIBRARY:-}" ] || variants="$variants cupti-f cupti-c cupti-k cupti-kf cupti-kc cupti-kr"
for round in $(seq "$rounds"); do
	for variant in $variants; do
		us=$(once "$variant")
		bytes=$(cat "$work"/trace/*.ct 2>/dev/null | wc -c)
		echo "$variant $round $us $bytes"
	done
done >"$work/all"

echo "| variant | us per launch | worst | added: us | worst | bytes per call |"
echo "|---|---:|---:|---:|---:|---:|"
for variant in $variants; do
	awk -v variant="$variant" -v calls="$((count + count / 1000 + 1000))" '
		$1 == "plain" { plain[$2] = $3 }
		$1 == variant { us[++n] = $3; added[n] = $3 - plain[$2]; bytes = $4 }
		function sort(a, i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
		}
		END {
			sort(us); sort(added)
			m = int((n + 1) / 2)
			printf "| %s | %.2f | %.2f | %.2f | %.2f | %s |\n", variant, us[m], us[n], added[m], added[n],
				bytes ? sprintf("%.1f", bytes / calls) : ""
		}' "$work/all"
done

# SPDX-License-Identifier: Apache-2.0
# agree.sh BIN WORK FIRST LAST: random traces of these seeds, of which ctpost values and a naive
# program say the same. What differs stays in WORK.
set -eu
bin=$1 work=$2 first=$3 last=$4
here=$(dirname "$0")
LC_ALL=C
export LC_ALL

seed=$first
while [ "$seed" -le "$last" ]; do
	rm -rf "$work/random.ctrace"
	"$bin/values-random-trace" "$work/random.ctrace" "$seed"
	"$bin/values-naive" "$work/random.ctrace" | sort >"$work/naive"
	[ "$(wc -l <"$work/naive")" -gt 10 ] || {
		echo "FAILED: seed $seed has next to nothing" >&2
		exit 1
	}
	for how in --threads=1 --threads=3 "--threads=2 --memory=3M"; do
		# shellcheck disable=SC2086
		"$bin/ctpost" values --json $how "$work/random.ctrace" 2>"$work/err" >"$work/json" || {
			cat "$work/err"
			echo "FAILED: seed $seed, $how: ctpost values failed" >&2
			exit 1
		}
		jq -r -f "$here/lines.jq" "$work/json" | sort >"$work/values"
		diff -u "$work/naive" "$work/values" >"$work/diff" || {
			cat "$work/diff"
			echo "FAILED: seed $seed, $how: naive (-) and ctpost values (+) differ" >&2
			exit 1
		}
	done
	seed=$((seed + 1))
done

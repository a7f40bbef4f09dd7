#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ratios and estimated totals of sampled traces are near those of whole ones.
#	sampling-error.sh BIN PROGRAM
set -eu
command -v jq >/dev/null || exit 77
script=$(dirname "$0")/../../bench/sampling-error/sampling-error.sh
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# check MOST LINE: the percentage in the line that begins so is at most MOST
check() {
	awk -v most="$1" -v line="$2" '
		{ sub(/^ +/, "") }
		index($0, line) == 1 {
			seen = 1
			error = line ~ /^mean/ ? $(NF - 1) : $5
			if (line !~ /^mean/ && $4 == "M") error = $7
			if (error > most) bad = 1
		}
		END { exit !seen || bad }' "$out" || {
		cat "$out"
		echo "FAILED: $2: more than $1 %, or not there"
		exit 1
	}
}

"$script" --bin="$1" --period=10 --seeds=2 "$2 256" >"$out"
check 1 "mean error of the 6 ratios of info"
check 2 "estimated accesses"
"$script" --bin="$1" --by=launches --period=2 "$2 64" >"$out"
check 0.01 "mean error of the 6 ratios of info"
check 0.01 "estimated accesses"

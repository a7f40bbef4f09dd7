#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# summary.sh BUILD=JUNIT...: what several runs of ctest found, from their --output-junit files: the 30
# slowest tests, what was skipped, what failed, and a last line in the words of ctest. Exit status 1 if a
# test failed or a run left no results.
set -eu
LC_ALL=C
export LC_ALL

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# SECONDS <tab> STATE <tab> BUILD <tab> TEST; a test that only lacks a tool says so with SKIP_RETURN_CODE
results() {
	awk -v build="$1" -v OFS='\t' '
		function attribute(name,    text) {
			if (!match($0, " " name "=\"[^\"]*\""))
				return ""
			text = substr($0, RSTART, RLENGTH)
			sub(/^[^"]*"/, "", text)
			sub(/"$/, "", text)
			return text
		}
		function tell() {
			if (test != "")
				print seconds, state, build, test
			test = ""
		}
		/^\t<testcase / {
			tell()
			test = attribute("name")
			seconds = attribute("time")
			state = attribute("status") == "run" ? "passed" : "failed"
			if (attribute("status") == "disabled")
				state = "skipped"
		}
		/^\t\t<skipped message="SKIP_RETURN_CODE/ { state = "skipped" }
		END { tell() }' "$2"
}

for run; do
	: >"$work/run"
	[ ! -e "${run#*=}" ] || results "${run%%=*}" "${run#*=}" >"$work/run"
	[ -s "$work/run" ] || {
		echo "no results of the tests in ${run%%=*}: ${run#*=}" >&2
		exit 1
	}
	cat "$work/run"
done >"$work/all"

echo "The slowest tests:"
sort -rn "$work/all" | head -n 30 | awk -F '\t' '{ printf "%8.2f s  %s %s\n", $1, $3, $4 }'
for state in skipped failed; do
	awk -F '\t' -v state=$state '$2 == state { print "  " $3 " " $4 }' "$work/all" >"$work/$state"
	[ ! -s "$work/$state" ] || {
		echo "The tests that $state:" | sed 's/that skipped/that were skipped/'
		cat "$work/$state"
	}
done
awk -F '\t' '{ all++; failed += $2 == "failed"; n[$3]++ }
	END {
		percent = int(100 * (all - failed) / all)
		printf "%d%% tests passed, %d tests failed out of %d (", percent, failed, all
		for (build in n)
			printf "%s%s %d", (listed++ ? ", " : ""), build, n[build]
		print ")"
		exit failed > 0
	}' "$work/all"

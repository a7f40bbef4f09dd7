#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# many.sh BIN: more values than the table of a thread holds are counted part by part: the same
# figures in little memory as in much, and those are what has been put in.
set -eu
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bin/values-random-trace" "$work/many.ctrace" 0
"$bin/ctpost" values --json --threads=1 --memory=1G "$work/many.ctrace" >"$work/one"
"$bin/ctpost" values --json --threads=16 --memory=16M "$work/many.ctrace" >"$work/many"
diff -u "$work/one" "$work/many" || {
	echo "FAILED: 16 threads in 16 MiB and one in 1 GiB differ" >&2
	exit 1
}
jq -r '.value_sets[] | "\(.operation) \(.accesses) \(.distinct_values) \(.spatial) \(.zeros) \(.tops[0].accesses) \(.top)"' \
	"$work/many" | sort >"$work/values"
diff -u - "$work/values" <<-'END' || {
	load 524224 262112 0 2 2 0
	store 262144 262144 0 1 1 0
END
	echo "FAILED: not the values that were put in" >&2
	exit 1
}

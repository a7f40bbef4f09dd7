#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The constructs that tests name in "// construct: NAME" lines, as a table: the
# test of the pass or the driver of each, and the program that runs it. Fails if
# one of them lacks either, or if there are fewer than MINIMUM.
#   constructs.sh TESTS MINIMUM
set -eu
cd "$1"
minimum=$2

# NAME <tab> column <tab> file
list() {
	find "$2" -type f \( -name '*.cu' -o -name '*.ll' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.sh' \) -print |
		sort | while read -r file; do
		sed -n "s|^.*// construct: *\(.*[^ ]\) *\$|\1	$1	$(basename "$file")|p;
			s|^[;#] construct: *\(.*[^ ]\) *\$|\1	$1	$(basename "$file")|p" "$file"
	done
}

{ list pass pass; list pass cli; list cpu e2e; list gpu gpu; } | sort -u | awk -F '\t' -v minimum="$minimum" '
	function add(text, file) { return text == "" ? file : text ", " file }
	!($1 in seen) { seen[$1] = 1; names[++count] = $1 }
	{ files[$1, $2] = add(files[$1, $2], $3) }
	END {
		print "| construct | pass test | run on the CPU target | run on a GPU only |"
		print "|---|---|---|---|"
		for (i = 1; i <= count; i++) {
			n = names[i]
			printf "| %s | %s | %s | %s |\n", n, files[n, "pass"], files[n, "cpu"], files[n, "gpu"]
			if (files[n, "pass"] == "") { print "no pass test: " n > "/dev/stderr"; bad = 1 }
			if (files[n, "cpu"] == "" && files[n, "gpu"] == "") {
				print "never run: " n > "/dev/stderr"; bad = 1
			}
		}
		printf "\n%d constructs\n", count
		if (count < minimum) { print "fewer than " minimum " constructs" > "/dev/stderr"; bad = 1 }
		exit bad
	}'

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stub-library.sh LIBRARY OUT USER...
# Writes OUT, a shared library with the name and the symbols, with their versions, that the USERs
# take from LIBRARY. Each ends the process: for libraries that a bundled compiler is linked with and
# never calls.
set -eu
[ $# -ge 3 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
library=$1 out=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nm -D --defined-only "$library" | awk '{ sub("@@", "@", $3); print $3 }' | sort -u >"$work/defined"
# A weak reference is served by none, too.
nm -D --undefined-only "$@" | awk '$1 == "U" { print $2 }' | sort -u | comm -12 - "$work/defined" >"$work/taken"
awk -F @ -v map="$work/map" '
	BEGIN { print "#include <stdlib.h>" }
	{ print "void " $1 "(void);\nvoid " $1 "(void)\n{\n\tabort();\n}" }
	NF > 1 { names[$2] = names[$2] " " $1 ";" }
	END {
		for (version in names)
			print version " { global:" names[version] " };" >map
		close(map)
	}' "$work/taken" >"$work/stub.c"
set -- -shared -fPIC -O1 -fno-builtin "-Wl,-soname,$(basename "$out")"
[ ! -s "$work/map" ] || set -- "$@" "-Wl,--version-script=$work/map"
cc "$@" "$work/stub.c" -o "$out"

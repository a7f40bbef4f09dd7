#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh [ROOT]: does the tree keep to its structure? Prints what does not.
#
# layer    includes go downward, to what a module shows others, as tests/structure/layers.txt says
# include  ours are quoted paths from the root, contracts are <cudatrace/...>
# circle   the rooms of a module (its folders, at each depth) include each other in one direction
# call     the sources of a folder call each other in one direction
# folder   at most 30 modules (a.c and a.h are one) in a folder of code
# head     line 1 names the licence, then a sentence says what the file is for
# banner   no lines of dashes
# length   at most 500 lines
# name     a struct ct_... is defined in one place
# guard    the guard of a header is named by its path
# stray    no file that an editor, patch or a merge has left
# word     the words of docs/glossary.md (words.sh)
#
# tests/structure/known.txt lists what is not fixed yet, as "rule place"; what is fixed must leave it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
layers=tests/structure/layers.txt
known=tests/structure/known.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

find . \( -path ./build -o -path ./.git -o -path ./tests/golden/'*.ctrace' \) -prune -o -type f \
	\( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' -o -name '*.sh' \) \
	-print | sed 's,^\./,,' | sort >"$work/list"
find . \( -path ./build -o -path ./.git \) -prune -o -type f \
	\( -name '*.orig' -o -name '*.rej' -o -name '*~' -o -name '*.swp' \) -print |
	sed 's,^\./\(.*\),stray \1: is left from an editor or a merge,' >"$work/stray"
# shellcheck disable=SC2046
awk -v list="$work/list" -v layers=$layers -f "$here/check.awk" $layers "$work/list" \
	$(cat "$work/list") | cat - "$work/stray" | sort >"$work/found"
sed '/^#/d; /^$/d' $known | sort -u >"$work/known"
sed 's/: .*//' "$work/found" | sort -u >"$work/keys"

status=0
awk -v known="$work/known" 'FILENAME == known { excused[$0] = 1; next }
	{ key = $0; sub(/: .*/, "", key); if (!(key in excused)) { print; bad = 1 } }
	END { exit bad }' "$work/known" "$work/found" || status=1
comm -23 "$work/known" "$work/keys" | sed "s,\$,: is fixed; take it out of $known," >"$work/stale"
cat "$work/stale"
[ ! -s "$work/stale" ] || status=1
"$here/words.sh" "$PWD" || status=1
exit $status

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# words.sh [ROOT]: is the tree written in the words of docs/glossary.md? Prints what is not.
#
# words.txt    the words, what stands in their place, and where they are allowed
# of, what    comments that begin with "Of" or "What" have no subject and no verb
# CTA          texts of the product and the documents say "thread block"; names of code, PTX and the format's
#              layouts may say CTA
#
# Left out are records of what was run (results), traces of earlier versions, the rules, and the pages about
# old words.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
rules=tests/structure/words.txt
LC_ALL=C
export LC_ALL
any=$(sed '/^#/d; s/	.*//' $rules | paste -sd '|' -)
pattern="(^|[^A-Za-z])($any)([^A-Za-z]|\$)|(/\\*+|//+|^[[:space:]]*#+) (of|what) "
product="base clang-plugin driver host-rt postproc trace unwind include/cudatrace/machine.def"
found=$(mktemp)
trap 'rm -f "$found"' EXIT
find . \( -path ./build -o -path ./.git -o -path ./tests/golden -o -name results \) -prune -o -type f \
	! -path ./docs/glossary.md ! -path './docs/validation/*' ! -path './tests/structure/words*' \
	! -path ./tests/structure/self-test.sh \
	-print0 | xargs -0 grep -IHniE "$pattern" | sed 's,^\./,,' >"$found" || true
grep -srnE --include='*.[ch]' --include='*.cpp' --include='*.def' "\"([^\"]*[^A-Za-z_\"])?CTAs?([^A-Za-z_\"][^\"]*)?\"" \
	$product >>"$found" || true
grep -srnE --include='*.js' "\<CTAs?\>" $product >>"$found" || true
grep -snE '\<CTAs?\>' README.md docs/*.md | grep -vE '^docs/(glossary|architecture|trace-format)\.md:' >>"$found" || true
awk -v rules=$rules -v found="$found" -f "$here/words.awk"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-device.sh BIN SOURCE WORK
# Compares what ctpost findings says of a program with the marks in its source, of the findings
# that it is `judged` on: each where the mark is and none else (tests/e2e/advice/cases.h). `//
# reported: WORDS` are in its advice, `// never: WORDS` are not; `// blame: KERNEL VARIABLE
# PERCENT` is what ctpost blame says.
set -eu
BIN=$1 SOURCE=$2 WORK=$3
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

name=$(basename "$SOURCE" .cu)
"$BIN/cuda-trace-clang++" --ct-target=cpu --ct-values --ct-spaces=global,shared,local \
	--ct-events=barrier,block -O2 -g "$SOURCE" -o "$name" 2>log || fail "$(cat log)"
CUDATRACE=off "./$name" >plain 2>log || fail "it does not run: $(cat log)"
"$BIN/ctrun" -o trace.ctrace -- "./$name" >out 2>log || fail "ctrun: $(cat log)"
diff plain out >&2 || fail "another output"
"$BIN/ctpost" findings --races --json trace.ctrace >json 2>log || fail "ctpost findings: $(cat log)"
"$BIN/ctpost" findings --races --all --facts trace.ctrace >text 2>log || fail "ctpost findings: $(cat log)"
! grep -F 'unknown line' text || fail "a line is not known"
jq -r '.findings[] | .text, .evidence // "", .fix // ""' json >advice

sed -n 's|^// judged: ||p' "$SOURCE" | sed 's/, */\n/g' >judged
sed -n 's|^\(.*\)// has \(.*\)$|\2|; t found; d; :found; =; p' "$SOURCE" | paste - - >has
cut -f 2 has | sed 's/: .*//' | paste - has | awk -F '\t' '{ print $2 "\t" $1 }' | sort >marked
jq -r --rawfile judged judged '($judged | split("\n")) as $names | .findings[] |
	select(.finding as $one | $names | index($one)) | "\(.lines[0].line)\t\(.finding)"' json | sort >found
diff marked found >&2 || fail "other findings (< marked, > found)"
sed -n 's|^// reported: ||p' "$SOURCE" | while read -r words; do
	grep -qF -- "$words" advice || fail "it is not reported: $words"
done
sed -n 's|^.*// has [^:]*: ||p' "$SOURCE" | while read -r words; do
	grep -qF -- "$words" advice || fail "it is not reported: $words"
done
sed -n 's|^// never: ||p' "$SOURCE" | while read -r words; do
	! grep -iF -- "$words" advice || fail "it is reported: $words"
done
sed -n 's|^// blame: ||p' "$SOURCE" | while read -r kernel variable percent; do
	"$BIN/ctpost" blame --json --kernels="$kernel" trace.ctrace >blame 2>log || fail "ctpost blame: $(cat log)"
	jq -e --arg kernel "$kernel(" --arg name "$variable" --argjson percent "$percent" '[.blame_variables[] |
		select(.variable == $name and (.function // "" | startswith($kernel))) | 100 * .blame_share - $percent | fabs < 1] == [true]' \
		blame >/dev/null || fail "$variable of $kernel is not $percent %: $(jq -c '[.blame_variables[] | [.variable, .blame_share]]' blame)"
done

# SPDX-License-Identifier: Apache-2.0
# --ct-host: what loops access first, at the edges of what is armed. Their copies that ask nothing
# must not run where they access it, whatever way they go; the program says what is first by going
# through the same loops with numbers.
. "$CT_CLI/shared/driver.sh"
here=$(dirname "$0")

# first TRACE: for each wait "first byte, bytes" of the first access, in their order
first() {
	"$CT_BIN/ctpost" export --format=json --tables=uses -o tables "$1" 2>err || fail "$(cat err)"
	jq -r '.uses | map(select(.kind != "none")) | sort_by(.wait)[] | "\(.object_offset) \(.access_bytes)"' tables
	rm tables
}

# check WHAT alone or between
check() {
	rm -rf loops.ctrace
	"$ctrun" --uses=host -o loops.ctrace ./loops $2 >expected 2>log || fail "$1: $(cat log)"
	first loops.ctrace >got
	[ "$(wc -l <expected)" = 650 ] || fail "the program does not run"
	# A vector may begin before what is armed.
	paste -d ' ' expected got | awk '
		NF != 11 || !($10 <= $9 && $9 < $10 + $11) || ($9 == 1) != ($11 == 1) { print; wrong = 1 }
		END { exit wrong }' >wrong || fail "$1: armed, expected, the first byte and bytes seen: $(head -5 wrong)"
}

for options in -O0 -O2 -O3 "-O3 -fno-vectorize -funroll-loops"; do
	"$cxx" --ct-target=cpu --ct-host -g $options "$here/loops.cu" -o loops 2>log || fail "$options: $(cat log)"
	check "$options" alone
	check "$options, between" between
done

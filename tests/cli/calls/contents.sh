# SPDX-License-Identifier: Apache-2.0
# Compares what copies move, and what of it was there, with what a program says of itself: on the
# CPU target. tests/gpu/calls.sh does the same on a GPU.
. "$CT_CLI/shared/driver.sh"

"$cxx" --ct-target=cpu -O1 "$CT_CLI/../gpu/calls/contents.cu" -o contents
./contents >plain || fail "the program fails"
for calls in on only; do
	rm -rf contents.ctrace
	"$ctrun" --contents=on --calls=$calls -o contents.ctrace -- ./contents >said 2>errors ||
		fail "the program fails with --calls=$calls"
	cmp plain said || fail "--contents=on has changed the program's output"
	"$CT_BIN/ctpost" dump --tables=content --format=csv contents.ctrace >rows.csv
	sh "$CT_CLI/../gpu/calls/contents-check.sh" said rows.csv || fail "--calls=$calls"
done

"$ctrun" --contents=on --calls=off -o off.ctrace -- ./contents >said 2>errors || fail "off"
cmp plain said
grep -q -- "--contents=on is ignored: it needs --calls=on or --calls=only" errors ||
	fail "nothing is said: $(cat errors)"
"$ctrun" -o without.ctrace -- ./contents >said 2>errors
"$CT_BIN/ctpost" dump --tables=content without.ctrace >rows
[ ! -s rows ] || fail "rows without --contents=on"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bench/page/bench.sh BUILD [CALLS]: how fast the page of `ctpost report` opens and zooms, of CALLS calls (10^6)
# and half as many activities, in headless Chromium. Prints CSV, times in milliseconds. Where others use the machine,
# processor time tells more of opening it than the clock.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
calls=${2:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$build/bench/bench_calls_trace" calls.ctrace "$calls" 100000 "$build/bin/ctpost" 0x20000 0x60000
"$build/bin/ctpost" report calls.ctrace -o page.html 2>log || {
	cat log >&2
	exit 1
}
{
	sed '/^<\/body>$/,$d' page.html
	printf '<script>\n'
	cat "$here/measure.js"
	printf '</script>\n</body>\n</html>\n'
} >used.html
echo "what,figure"
echo "size of the page in bytes,$(wc -c <page.html)"
printf '<!doctype html><title>empty</title>\n' >empty.html

# The processor seconds of all children so far, in used: a subshell has none.
processor() {
	times >times
	used=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum += 60 * part[1] + part[2] } print sum }' times)
}

# opens FILE: what the browser makes of it, in dom
opens() {
	timeout 300 "${CHROMIUM:-chromium}" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$work/profile" --window-size=1400,900 --dump-dom "file://$work/$1" >dom 2>log
}

opens empty.html
for round in 1 2 3; do
	processor
	begin=$used
	opens empty.html
	processor
	middle=$used
	opens page.html
	processor
	awk -v a="$begin" -v b="$middle" -v c="$used" -v round=$round \
		'BEGIN { printf "round %d: processor time of opening it in milliseconds beyond an empty page,%d\n", round, 1000 * ((c - b) - (b - a)) }'
	opens used.html
	sed -n 's/^TIME //p' dom | sed "s/^/round $round: /"
done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/page/bench.sh BUILD [CALLS]: how fast the page of `ctpost report` opens and zooms, of CALLS calls (10^6)
# and half as many activities, in headless Chromium. Prints CSV, times in milliseconds: by the clock, which others that
# use the machine make longer, and of the processor, in the thread that runs the page.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
calls=${2:-1000000}
work=$(mktemp -d)
cd "$work"

fail() {
	echo "bench.sh: $*" >&2
	exit 1
}

"$build/bench/bench_calls_trace" calls.ctrace "$calls" 100000 "$build/bin/ctpost" 0x20000 0x60000
"$build/bin/ctpost" report calls.ctrace -o page.html 2>log || fail "$(cat log)"
echo "what,figure"
echo "size of the page in bytes,$(wc -c <page.html)"

browser=${CHROMIUM:-chromium}
. "$here/../../tests/report/browser.sh"
start_browser
trap 'kill "$browser_id"; wait "$browser_id" || true; rm -rf "$work"' EXIT
look 1400 900
ask Performance.enable '{"timeDomain":"threadTicks"}'

# Sets used: the page's thread so far.
processor() {
	ask Performance.getMetrics
	used=$(jq -r '.result.metrics[] | select(.name == "TaskDuration") | .value * 1000' <<<"$answer")
}

# spread NAME: the median and the worst of the lines of clock and used
spread() {
	local of

	for of in clock processor; do
		sort -g "$of" | awk -v name="$1" -v of="$of" '{ v[NR] = $1 }
			END { printf "%s: %s: median,%.1f\n%s: %s: worst,%.1f\n", name, of, v[int((NR + 1) / 2)], name, of, v[NR] }'
	done
}

# frames NAME TIMES EXPRESSION: each changes the view, and draws it
frames() {
	local before i

	: >clock
	: >processor
	for ((i = 0; i < $2; i++)); do
		processor
		before=$used
		evaluate "(() => { const start = performance.now(); $3; shown.drawNow(); return performance.now() - start; })()" >>clock
		processor
		awk -v a="$before" -v b="$used" 'BEGIN { print b - a }' >>processor
	done
	spread "$1"
}

for round in 1 2 3; do
	open_page page.html
	processor
	echo "round $round: open: clock,$(evaluate 'Math.round(performance.getEntriesByType("navigation")[0].duration)')"
	printf 'round %d: open: processor,%.0f\n' $round "$used"
	evaluate 'window.shown = document.querySelector("#calls").calls; 0' >/dev/null
	frames "round $round: zoom in" 16 'shown.view.zoom(.5)'
	frames "round $round: zoom out" 16 'shown.view.zoom(2)'
	frames "round $round: move" 30 'shown.view.pan(.01)'
done

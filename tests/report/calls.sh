# SPDX-License-Identifier: Apache-2.0
# The time line of calls: what is made by hand (tests/unit/trace/trace_api.c) is pointed at, zoomed,
# followed; more than the page holds is counted; without calls the page says why.
. "$CT_REPORT/lib.sh"

# report_of TRACE: TRACE.html
report_of() {
	"$CT_CLI_BUILD/ctpost-make-trace" "$1.ctrace" "$1"
	"$CT_BIN/ctpost" report "$1.ctrace" -o "$1.html" 2>err || fail "$1: $(cat err)"
}

report_of api
use api.html "$CT_REPORT/calls.js" --window-size=1400,1000 --virtual-time-budget=20000
[ "$(grep -c '^PASS' results)" -ge 45 ] || fail "checks are missing"

# Where the address points is where the page is, though the page is made by its scripts.
cat >link.js <<'END'
setTimeout(() => {
	const top = document.getElementById('call_waits').getBoundingClientRect().top, found = [window.scrollY, top];

	document.body.append(el('pre', {id: 'results'}, `\n${window.scrollY > 500 && Math.abs(top) < 60 ? 'PASS' : 'FAIL'} the link leads there: ${found}\nDONE\n`));
}, 500);
END
fragment='#call_waits'
folded=yes
use api.html link.js --window-size=1400,700 --virtual-time-budget=5000
fragment=
folded=

# Nothing is known of the devices.
report_of api-plain
cat >plain.js <<'END'
setTimeout(() => {
	const notes = [...document.querySelectorAll('#calls .note')].map(node => node.textContent).join();
	const rows = document.querySelectorAll('.track-name').length, is = /not recorded: calls that only synchronise/.test(notes) && rows === 2;

	document.body.append(el('pre', {id: 'results'}, `\n${is ? 'PASS' : 'FAIL'} bounds are told: ${rows} ${notes}\nDONE\n`));
}, 100);
END
use api-plain.html plain.js --window-size=1400,1000 --virtual-time-budget=5000

report_of changed
cat >none.js <<'END'
setTimeout(() => {
	const text = document.querySelector('#no-calls').textContent, is = /has no calls.*--calls=off/.test(text) && !document.querySelector('#call_functions') && !document.querySelector('#steps');

	document.body.append(el('pre', {id: 'results'}, `\n${is ? 'PASS' : 'FAIL'} no calls: ${text}\nDONE\n`));
}, 100);
END
use changed.html none.js --window-size=1400,1000 --virtual-time-budget=5000

# More than is shown one by one. The browser's own time is looked at.
report_of api-many
echo "$(wc -c <api-many.html) bytes"
[ "$(wc -c <api-many.html)" -lt 12000000 ] || fail "the file is too large to open"
use api-many.html "$CT_REPORT/calls-many.js" --window-size=1400,1000

# Narrow, dark, on paper: drawn, and nothing sticks out.
for width in 1400 800 500; do
	chrome --window-size=$width,2000 --virtual-time-budget=5000 --screenshot=shot.png --blink-settings=preferredColorScheme=0 \
		"file://$PWD/api.html" || fail "no picture at $width"
	no_console
done
cat >wide.js <<'END'
setTimeout(() => {
	const found = [document.documentElement.scrollWidth, window.innerWidth];

	document.body.append(el('pre', {id: 'results'}, `\n${found[0] > found[1] + 1 ? 'FAIL' : 'PASS'} width: ${found}\nDONE\n`));
}, 100);
END
for width in 1400 800 500; do
	use api.html wide.js --window-size=$width,1000 --virtual-time-budget=5000
done

# SPDX-License-Identifier: Apache-2.0
# Pages that hold nothing, narrow and dark windows, paper: drawn, without a word on the console.
. "$CT_REPORT/lib.sh"

"$CT_MAKE_REPORT" empty "$CT_REPORT" >empty.html
"$CT_MAKE_REPORT" small "$CT_REPORT" >small.html

# shows PAGE WIDTH OPTION...: draws something
shows() {
	page=$1
	width=$2
	shift 2
	rm -f shot.png
	chrome --window-size="$width",2000 --virtual-time-budget=5000 --screenshot=shot.png "$@" "file://$PWD/$page" ||
		fail "$page: $(tail -n 3 browser.log)"
	no_console
	# An empty picture of this size is below 20 kB.
	[ "$(wc -c <shot.png)" -gt "$least" ] || fail "$page at $width: nothing is drawn"
}
least=25000
shows empty.html 1400
least=40000
shows small.html 1400
shows small.html 800
shows small.html 400
shows small.html 1400 --blink-settings=preferredColorScheme=0

# Nothing sticks out sideways; details of tables are there where there is room, or asked for.
cat >wide.js <<'END'
setTimeout(() => {
	const found = [document.documentElement.scrollWidth, window.innerWidth];
	const word = found[0] > found[1] + 1 ? 'FAIL' : 'PASS';

	const detail = document.querySelectorAll('#made_up_things th')[4], isNarrow = window.innerWidth <= 900, shown = [detail.offsetWidth > 0];

	document.querySelector('#made_up_things button.wider').click();
	shown.push(detail.offsetWidth > 0);
	const seen = detail.textContent === 'bytes' && shown[0] === !isNarrow && shown[1] ? 'PASS' : 'FAIL';

	document.body.append(el('pre', {id: 'results'}, `\n${word} width: ${found}\n${seen} details: ${shown}\nDONE\n`));
}, 100);
END
for width in 1400 800 500; do
	use small.html wide.js --window-size=$width,1000 --virtual-time-budget=5000
done

chrome --virtual-time-budget=5000 --no-pdf-header-footer --print-to-pdf=paper.pdf "file://$PWD/small.html"
no_console
pages=$(grep -ac '/Type */Page\b' paper.pdf)
echo "$pages pages"
[ "$pages" -ge 3 ] && [ "$pages" -le 30 ] || fail "$pages pages on paper"

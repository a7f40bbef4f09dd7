# SPDX-License-Identifier: Apache-2.0
# What the tests of the report share: a browser, and pages with a test in them.
# CT_REPORT: this directory; CT_MAKE_REPORT: the program.
set -eu
rm -rf ./*

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

browser=
for name in chromium chromium-browser google-chrome; do
	if command -v "$name" >/dev/null && timeout 60 "$name" --version >/dev/null 2>&1; then
		browser=$name
		break
	fi
done
if [ -z "$browser" ]; then
	echo "no Chromium: skipped (Debian: apt-get install chromium)"
	exit 77
fi

# chrome OPTION... URL: headless; what it says goes to browser.log
chrome() {
	timeout 100 "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
		--user-data-dir="$PWD/profile" --enable-logging=stderr --v=0 "$@" 2>browser.log
}

no_console() {
	if grep CONSOLE browser.log; then
		fail "the page writes to the console"
	fi
}

# use PAGE SCRIPT [OPTION...]: the lines that the script in the page writes, in results. fragment: what the
# address of the page ends with. folded=yes: its sections are as they are at first
use() {
	{
		sed '/^<\/body>$/,$d' "$1"
		[ "${folded:-}" ] || printf '<script>\nunfoldAll();\n</script>\n'
		printf '<script>\n'
		cat "$2"
		printf '</script>\n</body>\n</html>\n'
	} >used.html
	shift 2
	chrome "$@" --dump-dom "file://$PWD/used.html${fragment:-}" >used.dom ||
		fail "the browser fails: $(tail -n 3 browser.log)"
	sed -n '/<pre id="results">/,$p' used.dom | grep -E '^(PASS|FAIL|TIME|DONE)' >results || true
	cat results
	no_console
	grep -qx DONE results || fail "the test in the page did not end"
	! grep -q '^FAIL' results || fail "$(grep -c '^FAIL' results) checks"
}

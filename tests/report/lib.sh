# SPDX-License-Identifier: Apache-2.0
# The tests of the report share this: one browser for all pages of a test, asked over its pipe
# (the protocol of Chromium's developer tools, a JSON object and a NUL byte each), and checks that
# scripts in a page make. CT_REPORT: this directory; CT_MAKE_REPORT: the program.
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

. "$CT_REPORT/browser.sh"
start_browser

no_console() {
	[ ! -s console ] || fail "the page writes to the console: $(cat console)"
}

# report_lines: PASS and FAIL lines go to results, and count
report_lines() {
	grep -E '^(PASS|FAIL|TIME|DONE)' || true
}

# passes: of the lines in results none has failed, and the last one is there
passes() {
	cat results
	no_console
	grep -qx DONE results || fail "the test in the page did not end"
	! grep -q '^FAIL' results || fail "$(grep -c '^FAIL' results) checks"
}

# use PAGE SCRIPT [WIDTH HEIGHT]: the lines that the script writes into the page, in results. fragment: what the address
# of the page ends with. folded=yes: its sections are as they are at first
use() {
	look "${3:-1400}" "${4:-1000}" "${scheme:-light}"
	open_page "$1${fragment:-}"
	[ "${folded:-}" ] || evaluate 'unfoldAll()' >/dev/null
	evaluate_file "$2" >/dev/null
	evaluate 'new Promise(resolve => {
		const look = () => {
			const found = document.getElementById("results");

			found && /DONE/.test(found.textContent) ? resolve(found.textContent) : setTimeout(look, 10);
		};

		look();
	})' | report_lines >results
	passes
}

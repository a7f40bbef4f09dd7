#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/report/pictures.sh BUILD: makes the pictures of README.md and docs/report.md (docs/pictures), of an example
# that is compiled, profiled on CPU threads and opened in headless Chromium.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# picture PAGE NAME WIDTH HEIGHT [THEME [SCRIPT]]: NAME.png of the page, after the script
picture() {
	{
		sed '/^<\/body>$/,$d' "$1"
		printf '<script>\ntheme.choose(document.querySelector("#theme").value = "%s");\n%s\n</script>\n</body>\n</html>\n' "${5:-light}" "${6:-}"
	} >shown.html
	timeout 100 "${CHROMIUM:-chromium}" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
		--user-data-dir="$work/profile" --virtual-time-budget=4000 --window-size="$3,$4" \
		--screenshot="$root/docs/pictures/$2.png" "file://$work/shown.html" 2>log >/dev/null
}

"$build/bin/cuda-trace-clang++" --ct-target=cpu --ct-all -O2 -o heat "$root/examples/heat/heat.cu"
"$build/bin/ctrun" profile -o study -- ./heat >log 2>&1
"$build/bin/ctpost" report study -o heat.html 2>log
picture heat.html first-screen 1400 900
# A browser without a screen draws what is scrolled to only where nothing stands above it.
picture heat.html source 1400 640 light 'document.querySelectorAll("main > *").forEach(node => node.id === "sources" || node.remove());
ownSource.show(placeNamed("heat.cu:46"));'

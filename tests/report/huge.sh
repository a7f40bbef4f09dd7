# SPDX-License-Identifier: Apache-2.0
# 10^5 CTAs and 10^4 launches: aggregated before they are embedded, and said so.
. "$CT_REPORT/lib.sh"

"$CT_MAKE_REPORT" huge "$CT_REPORT" >huge.html
echo "$(wc -c <huge.html) bytes"
[ "$(wc -c <huge.html)" -lt 20000000 ] || fail "the file is too large to open"

# At once, not under the browser's virtual time, in which nothing takes long.
cat >first.js <<'END'
const shown = performance.now();

setTimeout(() => document.body.append(el('pre', {id: 'results'}, `\nTIME load and first drawing: ${shown.toFixed(0)} ms\nDONE\n`)), 0);
END
folded=yes
use huge.html first.js --window-size=1400,1000
folded=
use huge.html "$CT_REPORT/huge.js" --window-size=1400,1000

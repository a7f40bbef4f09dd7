# SPDX-License-Identifier: Apache-2.0
# 10^5 CTAs and 10^4 launches: aggregated before they are embedded, and said so.
. "$CT_REPORT/lib.sh"

"$CT_MAKE_REPORT" huge "$CT_REPORT" >huge.html
echo "$(wc -c <huge.html) bytes"
[ "$(wc -c <huge.html)" -lt 20000000 ] || fail "the file is too large to open"
use huge.html "$CT_REPORT/huge.js" --window-size=1400,1000

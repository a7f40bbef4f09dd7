# SPDX-License-Identifier: Apache-2.0
# A person uses the page: sorts, filters, zooms, changes colours, opens sources.
. "$CT_REPORT/lib.sh"

"$CT_MAKE_REPORT" small "$CT_REPORT" >small.html
folded=yes
use small.html "$CT_REPORT/page.js" --window-size=1400,1000 --virtual-time-budget=20000
[ "$(grep -c '^PASS' results)" -ge 50 ] || fail "checks are missing"

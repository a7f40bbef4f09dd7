# SPDX-License-Identifier: Apache-2.0
# Definitions of PTX that are called _Z5count or _Z8count, without lines; labels without numbers.
/^(\.visible |\.weak )?\.(entry|func)/ { text = ""; is_open = 1 }
is_open && !/\.loc|^\$L__(tmp|func)/ { gsub(/__BB[0-9]+_/, "__BB_"); text = text $0 "\n" }
is_open && /^[;}]/ {
	is_open = 0
	if (/}/ && text ~ /^[^\n]*[ \t]_Z[58]count/)
		printf "%s", text
}

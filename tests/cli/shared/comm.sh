# SPDX-License-Identifier: Apache-2.0
# The tests of ctpost comm share this, beside ctpost.sh.
. "$CT_CLI/shared/ctpost.sh"

# make_comm VARIANT: writes VARIANT.ctrace
make_comm() {
	"$CT_CLI_BUILD/ctpost-comm-trace" "$1.ctrace" "$1"
}

# is FILTER VALUE: jq's FILTER of the JSON in the file `json` is VALUE
is() {
	got=$(jq -c "$1" json) || fail "jq '$1'"
	[ "$got" = "$2" ] || fail "$1 is $got instead of $2"
}

# near FILTER NUMBER: likewise, to twelve digits
near() {
	jq -e "($1) - ($2) | . < 1e-12 and . > -1e-12" json >/dev/null ||
		fail "$1 is $(jq "$1" json) instead of $2"
}

# figures OPTION... TRACE: those of communication, as figures.jq reads them, in the file `json`; what
# reported in err
figures() {
	ctpost comm --json "$@" >tables.json 2>err && jq -f "$CT_CLI/../comm/figures.jq" tables.json >json
}

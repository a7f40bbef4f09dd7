# SPDX-License-Identifier: Apache-2.0
# The tests of ctpost share this. Run in a directory of their own.
set -eu
unset COLUMNS NO_COLOR || true
LC_ALL=C
export LC_ALL
rm -rf ./*

ctpost() {
	"$CT_BIN/ctpost" "$@"
}

# make VARIANT: writes VARIANT.ctrace
make_trace() {
	"$CT_CLI_BUILD/ctpost-make-trace" "$1.ctrace" "$1"
}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# Sizes of traces depend on how well they are compressed.
without_sizes() {
	sed 's/, [0-9.]* k\{0,1\}B, \(\(in\)\{0,1\}complete\)/, SIZE, \1/; s/; trace [0-9.]* k\{0,1\}B.*/; trace SIZE/
		s/"size_bytes": [0-9]*/"size_bytes": SIZE/'
}

# page_tables FILE: the tables of a page, in JSON
page_tables() {
	sed -n 's|.*<script type="application/json" id="report-data">\(.*\)</script>$|\1|p' "$1" | jq -f "$CT_CLI/shared/page.jq"
}

# golden NAME FILE: FILE is what NAME.expected beside the test says. CT_UPDATE=1 rewrites that.
golden() {
	if [ "${CT_UPDATE:-}" = 1 ]; then
		cp "$2" "$(dirname "$0")/$1.expected"
	fi
	diff -u "$(dirname "$0")/$1.expected" "$2" || fail "$1 differs from the expected output"
}

# status EXPECTED COMMAND...: the exit status; output in out and err
status() {
	want=$1
	shift
	got=0
	"$@" >out 2>err || got=$?
	[ "$got" = "$want" ] || {
		cat out err
		fail "exit status $got instead of $want: $*"
	}
}

# one_line TEXT: err is one line that contains TEXT
one_line() {
	[ "$(wc -l <err)" = 1 ] || {
		cat err
		fail "not one line of error"
	}
	grep -qF -- "$1" err || {
		cat err
		fail "the error does not say '$1'"
	}
}

# SPDX-License-Identifier: Apache-2.0
# ctrun's man page and bash completion know every option.
. "$CT_CLI/shared/driver.sh"

status 0 "$ctrun" --generate=man
cp out ctrun.1
status 0 "$ctrun" --help
sed -n 's/^  --\([a-z-]*\)=.*/\1/p' out >options
[ "$(wc -l <options)" -gt 8 ] || fail "--help lists few options"
while read -r option; do
	escaped=$(printf "%s" "$option" | sed "s/-/\\\\-/g")
	grep -qF "\\-\\-$escaped\\fR=" ctrun.1 || fail "ctrun.1 lacks --$option"
done <options
if command -v groff >/dev/null; then
	groff -man -ww -Tutf8 ctrun.1 >/dev/null 2>warnings || fail "groff: ctrun.1"
	[ ! -s warnings ] || {
		cat warnings
		fail "groff warns about ctrun.1"
	}
fi
status 2 "$ctrun" --generate=poem
has err 'expected man or bash-completion'

command -v bash >/dev/null || exit 0
status 0 "$ctrun" --generate=bash-completion
cp out ctrun.bash
words_in() {
	bash -c '. ./ctrun.bash; compopt() { :; }; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ctrun; echo "${COMPREPLY[@]}"' \
		sh - ctrun "$@"
}
[ "$(words_in --sample-b)" = "--sample-blocks= --sample-blocks-least=" ] || fail "options: $(words_in --sample-b)"
[ "$(words_in --tier = c)" = "counts clock" ] || fail "values: $(words_in --tier = c)"
[ "$(words_in --trace =)" = "on off" ] || fail "values: $(words_in --trace =)"
mkdir traces
[ "$(words_in -o tra)" = traces ] || fail "directories: $(words_in -o tra)"

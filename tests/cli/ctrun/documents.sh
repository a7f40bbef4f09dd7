# SPDX-License-Identifier: Apache-2.0
# ctrun's man page and completion know every option.
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
has err 'expected man, bash-completion, zsh-completion or fish-completion'

. "$CT_CLI/shared/complete.sh"
for shell in bash zsh fish; do
	status 0 "$ctrun" --generate=$shell-completion
	cp out ctrun.$shell
done
others ctrun
while read -r option; do
	grep -q -- "'--$option=\\[" ctrun.zsh || fail "zsh: --$option"
	grep -q -- " -l $option " ctrun.fish || fail "fish: --$option"
done <options
fish_completes ctrun 'ctrun --tier=c' '--tier=clock --tier=counts'
fish_completes ctrun 'ctrun profile --sample-b' '--sample-blocks --sample-blocks-least'

command -v bash >/dev/null || exit 0
words_in() {
	completed ctrun.bash _ctrun ctrun "$@"
}
[ "$(words_in --sample-b)" = "--sample-blocks= --sample-blocks-least=" ] || fail "options: $(words_in --sample-b)"
[ "$(words_in --tier = c)" = "counts clock" ] || fail "values: $(words_in --tier = c)"
[ "$(words_in --trace =)" = "on off" ] || fail "values: $(words_in --trace =)"
mkdir traces
[ "$(words_in -o tra)" = traces ] || fail "directories: $(words_in -o tra)"

# SPDX-License-Identifier: Apache-2.0
# Completion in bash, zsh and fish: commands, options, the values of options.
. "$CT_CLI/shared/ctpost.sh"
. "$CT_CLI/shared/complete.sh"

for shell in bash zsh fish; do
	ctpost --generate=$shell-completion >ctpost.$shell
done
others ctpost
fish_completes ctpost 'ctpost d' 'diff dump'
fish_completes ctpost 'ctpost info --j' '--json'
fish_completes ctpost 'ctpost dump --format=' '--format=csv --format=jsonl --format=text'
# Every command and option of --help is there, in each.
for command in $(ctpost --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	sed -n "/^$command)\$/,/^\t;;\$/p" ctpost.zsh >of-zsh
	for option in $(ctpost $command --help | sed -n 's/^  [- ][a-zA-Z ][, ] --\([a-z0-9-]*\).*/\1/p'); do
		grep -q -- "'--$option[=[]" of-zsh || fail "zsh: $command --$option"
		grep -q -- "_from $command' -l $option " ctpost.fish || fail "fish: $command --$option"
	done
	[ -s of-zsh ] || fail "zsh: $command"
done

command -v bash >/dev/null || exit 0
words_in() {
	completed ctpost.bash _ctpost ctpost "$@"
}
[ "$(words_in d)" = "dump diff" ] || fail "commands: $(words_in d)"
[ "$(words_in info --j)" = "--json" ] || fail "options: $(words_in info --j)"
[ "$(words_in dump --f)" = "--format= --full-names" ] || fail "options: $(words_in dump --f)"
[ "$(words_in dump --format = j)" = "jsonl" ] || fail "values: $(words_in dump --format = j)"
[ "$(words_in dump --format =)" = "text csv jsonl" ] || fail "values: $(words_in dump --format =)"
mkdir run.ctrace
[ "$(words_in info r)" = "run.ctrace" ] || fail "traces: $(words_in info r)"

# SPDX-License-Identifier: Apache-2.0
# Bash completion: commands, options, the values of options.
. "$CT_CLI/shared/ctpost.sh"
command -v bash >/dev/null || exit 0

ctpost --generate=bash-completion >ctpost.bash
words_in() {
	bash -c '. ./ctpost.bash; compopt() { :; }; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ctpost; echo "${COMPREPLY[@]}"' \
		sh - ctpost "$@"
}
[ "$(words_in d)" = "dump diff" ] || fail "commands: $(words_in d)"
[ "$(words_in info --j)" = "--json" ] || fail "options: $(words_in info --j)"
[ "$(words_in dump --f)" = "--format= --full-names" ] || fail "options: $(words_in dump --f)"
[ "$(words_in dump --format = j)" = "jsonl" ] || fail "values: $(words_in dump --format = j)"
[ "$(words_in dump --format =)" = "text csv jsonl" ] || fail "values: $(words_in dump --format =)"
mkdir run.ctrace
[ "$(words_in info r)" = "run.ctrace" ] || fail "traces: $(words_in info r)"

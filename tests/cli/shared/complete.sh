# SPDX-License-Identifier: Apache-2.0
# Completes a command line as a shell does, by the scripts that commands generate. 77 where the shell is missing is
# the caller's affair: without one nothing is checked.

# completed SCRIPT FUNCTION WORD...: by bash, the last word being the one at hand
completed() {
	bash -c 'script=$1 function=$2; shift 2; . "./$script"; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		$function; echo "${COMPREPLY[@]}"' sh "$@"
}

# others NAME: NAME.zsh and NAME.fish are scripts of these shells, if these are here
others() {
	if command -v zsh >/dev/null; then
		zsh -n "$1.zsh" || fail "zsh does not read $1.zsh"
	fi
	if command -v fish >/dev/null; then
		fish --no-execute "$1.fish" || fail "fish does not read $1.fish"
	fi
}

# fish_completes NAME LINE WORDS: fish offers these words, by NAME.fish
fish_completes() {
	command -v fish >/dev/null || return 0
	got=$(HOME=$PWD fish -c "source $1.fish; complete -C '$2'" | cut -f 1 | sort | tr '\n' ' ')
	[ "$got" = "$3 " ] || fail "fish completes '$2' with: $got"
}

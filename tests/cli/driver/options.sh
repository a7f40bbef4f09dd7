# SPDX-License-Identifier: Apache-2.0
# The wrappers' own options: help, version, mistakes.
. "$CT_CLI/shared/driver.sh"

status 0 "$cxx" --ct-help
diff -u "$CT_CLI/driver/help.expected" out || fail "help differs"

status 0 "$cxx" --ct-version
has out 'cuda-trace-clang++ (cuda-trace) '
has out 'target: gpu'
status 0 env CUDATRACE_TARGET=cpu "$cc" --ct-version
has out 'target: cpu'
status 0 env CUDATRACE_TARGET=cpu "$cc" --ct-target=gpu --ct-version
has out 'target: gpu'

# Completion of these options in bash, zsh and fish.
. "$CT_CLI/shared/complete.sh"
sed -n 's/^  --\(ct-[a-z-]*\).*/\1/p' "$CT_CLI/driver/help.expected" >options
for shell in bash zsh fish; do
	status 0 "$cxx" --ct-generate=$shell
	cp out cuda-trace-clang.$shell
done
others cuda-trace-clang
while read -r option; do
	grep -q -- "'--$option=*\[" cuda-trace-clang.zsh || fail "zsh: --$option"
	grep -q -- "^complete -c cuda-trace-clang++ -l $option " cuda-trace-clang.fish || fail "fish: --$option"
done <options
fish_completes cuda-trace-clang 'cuda-trace-clang++ --ct-target=' '--ct-target=cpu --ct-target=gpu'
if command -v bash >/dev/null; then
	words_in() {
		completed cuda-trace-clang.bash _cuda_trace_clang cuda-trace-clang "$@"
	}
	[ "$(words_in --ct-ta)" = --ct-target= ] || fail "options: $(words_in --ct-ta)"
	[ "$(words_in --ct-target = c)" = cpu ] || fail "values: $(words_in --ct-target = c)"
	[ "$(words_in --ct-target =)" = "gpu cpu" ] || fail "values: $(words_in --ct-target =)"
	[ -z "$(words_in so)" ] || fail "files are left to the shell: $(words_in so)"
fi
rm -rf options cuda-trace-clang.*
status 2 "$cxx" --ct-generate=poem
has err 'man, bash, zsh and fish can be generated'

status 2 "$cxx" --ct-tarjet=cpu -c x.cu
one_line err
has err 'unknown option --ct-tarjet; did you mean --ct-target?'
status 2 "$cxx" --ct-qqqqqqqqq
has err 'unknown option --ct-qqqqqqqqq; --ct-help lists the options'
status 2 "$cxx" --ct-target=tpu
has err '--ct-target=tpu: the targets are gpu and cpu'
status 2 "$cxx" --ct-target
has err 'write --ct-target=gpu|cpu'
status 2 "$cxx" --ct-keep=yes
has err 'write --ct-keep'
status 2 "$cxx" --ct-values=4
has err 'write --ct-values'
status 2 "$cxx" --ct-kinds
has err 'write --ct-kinds=LIST'
status 2 env CUDATRACE_TARGET=gpus "$cxx" --version
has err 'CUDATRACE_TARGET=gpus: the targets are gpu and cpu'
no_leftovers

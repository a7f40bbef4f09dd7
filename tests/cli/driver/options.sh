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

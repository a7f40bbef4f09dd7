#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh COMPILER OUT OPTION...
# The programs of programs.txt, as they are and fixed, into OUT: NAME and NAME-fixed. OPTIONs are
# of the compiler: --ct-target=cpu, or --cuda-gpu-arch=sm_90.
set -eu
[ $# -ge 3 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
compiler=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
# built NAME SOURCE OPTION...
built() {
	output=$1 source=$2
	shift 2
	"$compiler" -O2 -g1 --ct-host "$@" "$source" -o "$out/$output" </dev/null
}

before='' words_before='' target=gpu
case " $* " in *" --ct-target=cpu "*) target=cpu ;; esac
grep -v '^#' "$here/programs.txt" | while read -r name sources options _ options_gpu _; do
	[ $target = cpu ] || options=$options_gpu
	if [ "$sources $options" = "$words_before" ]; then
		ln -f "$out/$before" "$out/$name"
		ln -f "$out/$before-fixed" "$out/$name-fixed"
		continue
	fi
	before=$name words_before="$sources $options"
	[ "$options" != - ] || options=''
	# shellcheck disable=SC2046
	built "$name" "$here/${sources%,*}" "$@" $(echo "$options" | tr , ' ')
	# shellcheck disable=SC2046
	built "$name-fixed" "$here/${sources#*,}" -DFIXED "$@" $(echo "$options" | tr , ' ')
done
cp "$here/programs.txt" "$out"

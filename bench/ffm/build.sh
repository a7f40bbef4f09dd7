#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh COMPILER OUT OPTION...
# The programs of programs.txt, as they are and mended, into OUT: NAME and NAME-fixed. OPTIONs are
# of the compiler: --ct-target=cpu, or --cuda-gpu-arch=sm_90.
set -eu
[ $# -ge 3 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
compiler=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
grep -v '^#' "$here/programs.txt" | while read -r name sources options _; do
	[ "$options" != - ] || options=''
	source=$here/${sources%,*} fixed=$here/${sources#*,}
	# shellcheck disable=SC2046
	"$compiler" -O2 -g --ct-host "$@" $(echo "$options" | tr , ' ') "$source" -o "$out/$name" </dev/null
	# shellcheck disable=SC2046
	"$compiler" -O2 -g --ct-host "$@" $(echo "$options" | tr , ' ') -DFIXED "$fixed" -o "$out/$name-fixed" </dev/null
done
cp "$here/programs.txt" "$out"

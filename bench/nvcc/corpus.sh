#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# corpus.sh NVCC OURS OUT FILE.cu...
# Each source compiled to an object by NVIDIA's nvcc and, if that takes it, by cuda-trace-nvcc, with the
# same words. A line each goes to OUT: file, exit status and seconds of processor time of each, and ours'
# first error. Words: -arch=sm_90 (ARCH), and headers of the source's folder, those around it, and
# folders of its project named inc, include, common, Common or utilities. A file that is in OUT already is left out.
set -u
[ $# -ge 4 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
nvcc=$1 ours=$2 out=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# compile COMPILER FILE FLAG...: status and seconds
compile() {
	compiler=$1 file=$2
	shift 2
	( ulimit -t "${LIMIT_S:-300}"; TIMEFORMAT='%U %S'; export TIMEFORMAT
	bash -c 'time "$@" >"$0.log" 2>&1' "$work/one" "$compiler" -arch="${ARCH:-sm_90}" "$@" -c "$file" -o "$work/x.o" ) 2>"$work/time"
	status=$?
	awk -v status=$status 'END { printf "%d %.1f", status, $1 + $2 }' "$work/time"
}
for file; do
	grep -qsF "$file	" "$out" && continue
	folder=$(dirname "$file")
	set -- -I"$folder" -I"$folder/.." -I"$folder/../.."
	top=$folder
	for up in 1 2 3 4; do
		top=$top/..
		for name in inc include common Common common/inc utilities; do
			[ -d "$top/$name" ] && set -- "$@" -I"$top/$name"
		done
	done
	theirs=$(compile "$nvcc" "$file" "$@")
	case $theirs in
	0*) mine=$(compile "$ours" "$file" "$@") ;;
	*) mine='- 0' ;;
	esac
	printf '%s\t%s\t%s\t%s\n' "$file" "$theirs" "$mine" \
		"$(case $mine in 0* | -*) ;; *) grep -m 1 -E 'error|fatal|Error' "$work/one.log" ;; esac)" >>"$out"
done

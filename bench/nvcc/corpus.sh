#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# corpus.sh NVCC OURS LIST ROOT OUT
# Each file of LIST is compiled to an object by NVIDIA's nvcc and, if that takes it, by cuda-trace-nvcc,
# with the same words. OUT gets a line for each: code base, file, then of each compiler exit status,
# seconds of processor time (user + system of all jobs; the least of RUNS, 1) and bytes of the object, and
# the first error of ours. A file that OUT has a line of is left out. Then a table of OUT is printed.
# LIST has a keyword and its words on each line, # begins a comment:
#   code NAME OWNER/REPOSITORY COMMIT   a code base of GitHub, in ROOT/NAME, where the compilers run
#   setup COMMAND                       of sh, run there before the first file is compiled (configuration)
#   flags WORD...                       of the files that follow, behind -O2 -arch=sm_90 (OPTIONS)
#   around                              and headers of each file's folder, those around it, and folders of
#                                       its project named inc, include, common, Common or utilities
#   files PATTERN...                    compiled, in the order of their names
#   but FILE...                         not compiled, of the files that follow
# corpus.sh fetch LIST ROOT             gets what is not in ROOT, by git
# corpus.sh table OUT                   prints the table alone
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
usage() {
	sed -n '3,/^set/s/^# \{0,1\}//p' "$0" | sed '/^set/d' >&2
	exit 2
}

# fetch LIST ROOT: one commit of each code base
fetch() {
	grep '^code ' "$1" | while read -r _ name repository commit _; do
		[ -d "$2/$name" ] && continue
		git init -q "$2/$name" && (
			cd "$2/$name" &&
				git fetch -q --depth 1 "https://github.com/$repository" "$commit" &&
				git checkout -q FETCH_HEAD
		) || { rm -rf "${2:?}/$name"; echo "corpus.sh: $repository cannot be had" >&2; }
	done
}

case ${1:-} in
fetch) [ $# -eq 3 ] || usage; fetch "$2" "$3"; exit ;;
table) [ $# -eq 2 ] || usage; exec awk -F '\t' -f "$HERE/corpus.awk" "$2" ;;
esac
[ $# -eq 5 ] || usage
nvcc=$1 ours=$2 list=$3 root=$(cd "$4" && pwd) out=$(realpath "$5")
read -ra OPTIONS <<<"${OPTIONS:--O2 -arch=sm_90}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile COMPILER FILE: sets result to "status<TAB>seconds<TAB>bytes"
compile() {
	local best="" run seconds status size=-
	for ((run = 0; run < ${RUNS:-1}; run++)); do
		rm -f "$work/x.o"
		TIMEFORMAT='%U %S' bash -c 'ulimit -t "$1"; shift; time "$@" >"$0" 2>&1' "$work/log" "${LIMIT_S:-600}" \
			"$1" "${OPTIONS[@]}" "${flags[@]}" "${near[@]}" -c "$2" -o "$work/x.o" 2>"$work/time"
		status=$?
		seconds=$(awk 'END { printf "%.2f", $1 + $2 }' "$work/time")
		best=$(awk -v a="${best:-$seconds}" -v b="$seconds" 'BEGIN { print a < b ? a : b }')
		[ $status -eq 0 ] || break
	done
	[ -e "$work/x.o" ] && size=$(stat -c %s "$work/x.o")
	result=$status$'\t'$best$'\t'$size
}

# around FILE: sets near to options for the folders of headers near it
around() {
	local top folder up name
	folder=$(dirname "$1") near=()
	near=(-I"$folder" -I"$folder/.." -I"$folder/../..")
	top=$folder
	for up in 1 2 3 4; do
		top=$top/..
		for name in inc include common Common common/inc utilities; do
			[ -d "$top/$name" ] && near+=(-I"$top/$name")
		done
	done
}

# both CODE FILE: a line of OUT
both() {
	local theirs mine=$'-\t-\t-' error="" near=()
	grep -qsF "$1	$2	" "$out" && return
	[ -z "$near_too" ] || around "$2"
	compile "$nvcc" "$2"
	theirs=$result
	if [ "${theirs%%$'\t'*}" = 0 ]; then
		compile "$ours" "$2"
		mine=$result
		[ "${mine%%$'\t'*}" = 0 ] || error=$(grep -m 1 -E 'error|fatal|Error' "$work/log" | tr '\t' ' ')
	else
		error="nvcc: $(grep -m 1 -E 'error|fatal|Error' "$work/log" | tr '\t' ' ')"
	fi
	printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$theirs" "$mine" "$error" >>"$out"
}

while read -r keyword rest; do
	case $keyword in
	'' | '#'*) ;;
	code)
		read -r name _ <<<"$rest"
		flags=() but=() near_too=""
		cd "$root/$name" 2>/dev/null || { echo "corpus.sh: $root/$name is not there (corpus.sh fetch)" >&2; cd "$work" || exit; }
		;;
	setup) sh -c "$rest" </dev/null >"$work/log" 2>&1 || { echo "corpus.sh: $name: $rest" >&2; cat "$work/log" >&2; } ;;
	flags) read -ra flags <<<"$rest" ;;
	around) near_too=yes ;;
	but) read -ra but <<<"$rest" ;;
	files)
		while read -r file; do
			case " ${but[*]} " in *" $file "*) continue ;; esac
			both "$name" "$file" </dev/null
		done < <(read -ra patterns <<<"$rest"; for pattern in "${patterns[@]}"; do compgen -G "$pattern"; done | sort)
		;;
	*) echo "corpus.sh: $list: what is $keyword?" >&2; exit 2 ;;
	esac
done <"$list"
exec awk -F '\t' -f "$HERE/corpus.awk" "$out"

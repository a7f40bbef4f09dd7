# SPDX-License-Identifier: Apache-2.0
# replay.sh [NVCC]
# Command lines as build systems write them (replay.txt: exit status, the files of the user that are written,
# arguments): what -dryrun says of each is what nvcc's said. With NVCC that is asked, too.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
theirs=${1:-}
unset TMPDIR # what is temporary begins with "TMPDIR/" in ours, with /tmp/ in theirs

echo '-Iinc -DFROM_FILE' >options.rsp
echo 'kernel.o main.o' >objects.rsp
echo 'libk.a -lcudadevrt' >libs.rsp
# written FILE: the files that commands of -dryrun write; of those that are kept, the last alone
written() {
	sed -n -e '/^#\$ [A-Z_]*=/d' -e 's/^#\$ //p' "$1" | tr -d '"' | awk -v kept="$2" '
		$1 == "cp" { files[last = $NF] }
		{
			for (i = 1; i <= NF; i++)
				if ($i == "-o" || $i == "-MF" || (i > 1 && $i == "cr") || ($(i - 1) == "--" && $i == ">"))
					files[last = $(i + 1)]
				else if (sub(/^--create=/, "", $i))
					files[last = $i]
		}
		END {
			if (kept)
				print last
			else
				for (file in files)
					if (file !~ /^(\/tmp|TMPDIR)\// && file !~ /\.cpp[14]\.ii$/)
						print file
		}' | sort | tr '\n' ' ' | sed 's/ $//'
}

# says COMPILER: status and files of "$@" behind it
says() {
	got=0
	"$@" >log 2>&1 || got=$?
	files=
	[ $got != 0 ] || files=$(written log "$kept")
	echo "$got|$files"
}

count=0
failures=0
while IFS='|' read -r expected files line; do
	eval "set -- $line"
	kept=
	case " $line" in *' -keep '* | *' -save-temps'* | *' -objtemp '*) kept=1 ;; esac
	for compiler in "$nvcc" ${theirs:+"$theirs"}; do
		said=$(says "$compiler" -dryrun "$@")
		[ "$said" = "$expected|$files" ] && continue
		echo "$compiler: $said, not $expected|$files: $line" >&2
		failures=$((failures + 1))
	done
	count=$((count + 1))
done <"$CT_CLI/nvcc/replay.txt"
[ "$count" -ge 300 ] || fail "$count lines"
[ "$failures" = 0 ] || fail "$failures of $count lines"

# Quotes (quotes.txt: the value that the macro V has, where its definition stands, and how it is written there).
echo V >quotes.cpp
export CT_HERE=here
# value COMPILER: what it makes of V, "error" if it fails
value() {
	case $place in
	line) eval "set -- \"\$1\" $text" ;;
	file) printf '%s\n' "$text" >quotes.rsp && set -- "$1" -optf quotes.rsp ;;
	esac
	if NVCC_APPEND_FLAGS=$flags "$@" -E quotes.cpp >said 2>log; then tail -n 1 said; else echo error; fi
}
while IFS='|' read -r expected place text; do
	flags=
	[ "$place" != env ] || flags=$text
	for compiler in "$nvcc" ${theirs:+"$theirs"}; do
		said=$(value "$compiler")
		[ "$said" = "$expected" ] || fail "$compiler: V is $said, not $expected, with $place $text: $(cat log)"
	done
done <"$CT_CLI/nvcc/quotes.txt"

# Macros that headers before a source mention and nvcc's do not, CUDA's own names aside, are known
# to the plugin.
[ -n "$theirs" ] || exit 0
# identifiers COMPILER: of what it reads before an empty CUDA source
identifiers() {
	"$1" -E empty.cu | sed -e '/^#/d' -e 's/"[^"]*"//g' | grep -oE '[A-Za-z_0-9]+' | grep '^[A-Za-z_]' | sort -u
}
: >empty.cu
{
	identifiers "$theirs"
	sed -n 's/^"\(.*\)"$/\1/p' "$CT_CLI/../../clang-plugin/prologue_names.def" | tr ' ' '\n'
} | sort -u >known
identifiers "$nvcc" | grep -E '...' | grep -vE '^(_[A-Z_]|cu|CU|ct_|NVCL_|CIG_|alignas$)' | comm -23 - known >unknown
[ ! -s unknown ] || fail "not in clang-plugin/prologue_names.def: $(tr '\n' ' ' <unknown)"

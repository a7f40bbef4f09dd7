#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh COMPILER OUTPUT OPTION... SOURCE...
# Each unit to an object, then a link, as a Makefile does it. OPTIONs are for .cu
# files and the link. An object that nothing has changed under is kept: its source and
# headers, the options, the parts of the compiler.
# With CT_OBJECTS_FROM, a build tree, objects are made by its compiler and lie there at
# OUTPUT's place; COMPILER links. So a sanitized build runs what the other one compiled.
set -eu
compiler=$1 output=$2
shift 2
tree=${compiler%/bin/*}
maker=$compiler objects=$output
if [ "${CT_OBJECTS_FROM:-}" ]; then
	maker=$CT_OBJECTS_FROM/bin/${compiler##*/}
	objects=$CT_OBJECTS_FROM/${output#"$tree"/}
	tree=$CT_OBJECTS_FROM
fi

# is_fresh OBJECT WORDS: made with these words, of what is there now. A file that is gone makes it stale.
is_fresh() {
	[ -e "$1" ] && [ "$(cat "$1.words" 2>/dev/null)" = "$2" ] || return 1
	# shellcheck disable=SC2046
	newer=$(find -L "$maker" "$tree"/lib*/cudatrace/ct-* "$tree"/lib*/cudatrace/*.bc \
		$(sed 's/^[^ ]*: //; s/\\$//' "$1.d") -newer "$1" -print 2>/dev/null) && [ ! "$newer" ]
}

# compiled OBJECT SOURCE OPTION...
compiled() {
	object=$1
	shift
	is_fresh "$object" "$*" && return
	rm -f "$object" "$object.words"
	source=$1
	shift
	"$maker" -O2 "$@" -MMD -MF "$object.d" -c "$source" -o "$object.new"
	mv "$object.new" "$object"
	echo "$source${*:+ $*}" >"$object.words"
}

options='' linked=''
mkdir -p "$(dirname "$output")" "$(dirname "$objects")"
for argument; do
	object=$objects.${argument##*/}.o
	case $argument in
	*.cu)
		# shellcheck disable=SC2086
		compiled "$object" "$argument" $options
		;;
	*.cpp) compiled "$object" "$argument" ;;
	*)
		options="$options $argument"
		continue
		;;
	esac
	linked="$linked $object"
done
# shellcheck disable=SC2086
"$compiler" $options $linked -o "$output"

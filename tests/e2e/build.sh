#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh COMPILER OUTPUT OPTION... SOURCE...
# Each unit to an object, then a link, as a Makefile does it. OPTIONs are for .cu
# files and the link.
set -eu
compiler=$1 output=$2
shift 2
options= objects=
mkdir -p "$(dirname "$output")"
for argument; do
	object=$output.${argument##*/}.o
	case $argument in
	*.cu) $compiler -O2 $options -c "$argument" -o "$object" ;;
	*.cpp) $compiler -O2 -c "$argument" -o "$object" ;;
	*)
		options="$options $argument"
		continue
		;;
	esac
	objects="$objects $object"
done
$compiler $options $objects -o "$output"

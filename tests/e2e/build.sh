#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build.sh COMPILER OUTPUT OPTION... SOURCE...
# Each unit to an object, then a link, as a Makefile does it.
set -eu
compiler=$1 output=$2
shift 2
options= objects=
mkdir -p "$(dirname "$output")"
for argument; do
	case $argument in
	*.cu | *.cpp)
		object=$output.$(basename "$argument").o
		$compiler $options -O2 -c "$argument" -o "$object"
		objects="$objects $object"
		;;
	*) options="$options $argument" ;;
	esac
done
$compiler $options $objects -o "$output"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-rdc.sh COMPILER OUTPUT OPTION...
# The program of rdc/: three units, each compiled by itself, and one in an archive.
set -eu
compiler=$1 output=$2
shift 2
source=$(dirname "$0")/rdc
work=$output.objects
rm -rf "$work"
mkdir -p "$work"
for unit in feature-main unit host library; do
	$compiler "$@" -O2 -fgpu-rdc -c "$source/$unit.cu" -o "$work/$unit.o"
done
ar rcs "$work/libdevice.a" "$work/library.o"
$compiler "$@" -fgpu-rdc "$work/feature-main.o" "$work/unit.o" "$work/host.o" \
	"$work/libdevice.a" -o "$output"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh ROOT: is every source of C, C++ and CUDA as clang-format 14 lays it out? Prints the
# places where not. Other versions lay out otherwise; without this one there is nothing to say.
# tests/pass is left alone (its .clang-format): what FileCheck reads there goes by lines.
set -eu
cd "$1"
for format in clang-format-14 clang-format; do
	! command -v $format >/dev/null || ! $format --version | grep -q 'version 14\.' || break
	format=
done
if [ -z "$format" ]; then
	echo "SKIPPED: no clang-format 14"
	exit 77
fi
find . \( -path ./build -o -path ./.git \) -prune -o -type f \
	\( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
	xargs -0 "$format" --dry-run --Werror

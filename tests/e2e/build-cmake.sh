#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-cmake.sh CMAKE TOOLCHAIN SOURCE BUILD GENERATOR: an unmodified CMake CUDA project
set -eu
export CUDATRACE_TARGET="${CUDATRACE_TARGET-cpu}"
rm -rf "$4"
"$1" -S "$3" -B "$4" -G "$5" -DCMAKE_TOOLCHAIN_FILE="$2" -DCMAKE_BUILD_TYPE=Release
"$1" --build "$4"

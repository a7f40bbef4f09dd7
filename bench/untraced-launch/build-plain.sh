#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build-plain.sh BUILD OUTPUT ARCH: untraced-launch as clang alone compiles it,
# with the clang and the toolkit that the build tree BUILD was configured with.
set -eu
from_cache() {
	sed -n "s/^$1:[A-Z]*=//p" "$2/CMakeCache.txt"
}
clang=$(from_cache CT_CLANGXX "$1")
cuda=$(from_cache CT_CUDA_PATH "$1")
[ -n "$clang" ] && [ -n "$cuda" ] || { echo "build-plain.sh: $1 is not a build tree" >&2; exit 1; }
mkdir -p "$(dirname "$2")"
"$clang" --cuda-path="$cuda" --cuda-gpu-arch="$3" -Wno-unknown-cuda-version -O2 \
	-c "$(dirname "$0")/untraced-launch.cu" -o "$2.o"
"$clang" "$2.o" -o "$2" \
	-L"$cuda/lib64" -lcudart_static -ldl -lrt -lpthread

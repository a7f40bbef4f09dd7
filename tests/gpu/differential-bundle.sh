#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# differential-bundle.sh BUILD OUT
# Our compiler with its clang, and the generator of tests/differential, for a machine that has a GPU,
# NVIDIA's toolkit and g++, but no clang; packed into OUT.tar.xz. There, unpacked:
#
#   OUT/differential-seeds.sh OUT RESULTS SECONDS FIRST
#
# Libraries of clang that compiling never calls are stubs. Says the size at the end.
set -eu
[ $# -eq 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2/llvm/bin" "$2/llvm/lib"
out=$(cd "$2" && pwd)

clang=$(readlink -f "$("$build/bin/cuda-trace-clang" --ct-version | sed -n 's/^clang: *//p')")
from=$(dirname "$clang")
resources=$("$clang" -print-resource-dir)

# Those of the C and C++ libraries, and zlib and zstd, are everywhere, often newer than here.
needed() {
	ldd "$@" | awk '$3 ~ /^\// && $3 !~ /\/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|z|zstd)\.so/ { print $3 }' | sort -u
}

# Programs of LLVM that our compiler starts, with what they are linked with.
compiler() {
	cp "$clang" "$out/llvm/bin/clang-bare"
	for program in clang-linker-wrapper clang-nvlink-wrapper llvm-offload-binary llvm-objcopy; do
		[ ! -e "$from/$program" ] || cp -L "$from/$program" "$out/llvm/bin"
	done
	ln -s llvm-offload-binary "$out/llvm/bin/clang-offload-packager"
	# Libraries of the system that these need come from beside them; what they start inherits
	# that.
	cat >"$out/llvm/bin/clang" <<-'SCRIPT'
		#!/bin/sh
		bin=$(dirname "$0")
		LD_LIBRARY_PATH="$bin/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$bin/clang-bare" "$@"
	SCRIPT
	chmod +x "$out/llvm/bin/clang"
	ln -s clang "$out/llvm/bin/clang++"

	users=$(needed "$clang" | grep -E '/lib(LLVM|clang-cpp)\.so')
	needed "$clang" | grep -E '/lib(LLVM|clang-cpp|ffi)\.so' | xargs -I{} cp -L {} "$out/llvm/lib"
	for library in $(needed "$clang" | grep -E '/lib(z3|xml2|edit)\.so'); do
		# shellcheck disable=SC2086
		"$here/stub-library.sh" "$library" "$out/llvm/lib/$(basename "$library")" $users
	done

	headers=$out/llvm/lib/clang/$(basename "$resources")/include
	mkdir -p "$headers"
	cp -r "$resources/include/." "$headers"
	(cd "$headers" && rm -rf arm_* riscv_* hexagon_* hvx_* hlsl* ppc_wrappers altivec.h vecintrin.h)
}

cmake --install "$build" --prefix "$out/ct" >/dev/null
# Neither the CPU target nor what reads traces is of use there.
rm -rf "$out/ct/share" "$out/ct/bin/ctpost" "$out"/ct/lib/cudatrace/*cpu* "$out/ct/lib/cudatrace/ct-retarget" \
	"$out"/ct/lib/cudatrace/calibrate-gpu "$out"/ct/lib/cudatrace/libcudatrace-mpi.so "$out"/ct/lib/cudatrace/toolkit*
compiler
cp "$build/tests/differential/generate" "$build/tests/differential/facts" "$out"
cp "$here/differential-seeds.sh" "$here/../differential/compare.awk" "$out"
find "$out" -type f ! -name '*.a' ! -name '*.bc' -exec sh -c 'for file; do
	if head -c 4 "$file" | grep -q ELF; then strip "$file"; fi
done' sh {} +
find "$out" -name '*.a' -size +20k -exec strip -g {} +
tar -C "$(dirname "$out")" -cf - "$(basename "$out")" | xz -T2 --x86 --lzma2=preset=6e >"$out.tar.xz"
echo "$(du -sm "$out" | cut -f 1) MB, packed $(du -k "$out.tar.xz" | cut -f 1) kB in $out.tar.xz"

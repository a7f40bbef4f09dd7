#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitizer.sh OUT [DIRECTORY]
# Builds the tracer on the Sanitizer API into OUT, with the toolkit's nvcc.
# DIRECTORY is what has include/sanitizer.h; if it is not given, the toolkit's
# compute-sanitizer directory is looked for. Exit status 77: there is none.
set -eu
[ $# -ge 1 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
OUT=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
tool=$(readlink -f "$(command -v compute-sanitizer || echo /)")
directory=
for candidate in "${2:-}" "$toolkit/compute-sanitizer" "$toolkit/extras/Sanitizer" "$(dirname "$tool")" \
	"$(dirname "$(dirname "$tool")")/compute-sanitizer" /usr/local/cuda/compute-sanitizer; do
	if [ -n "$candidate" ] && [ -e "$candidate/include/sanitizer.h" ]; then
		directory=$candidate
		break
	fi
done
[ -n "$directory" ] && [ -x "$nvcc" ] || { echo "sanitizer.sh: no nvcc, or no sanitizer.h" >&2; exit 77; }
library=$(find "$directory" "$directory/lib" -maxdepth 1 -name libsanitizer-public.so 2>/dev/null | head -1)
[ -n "$library" ] || { echo "sanitizer.sh: no libsanitizer-public.so in $directory" >&2; exit 77; }

"$nvcc" -arch="${ARCH:-sm_90}" --compile-as-tools-patch -fatbin -I"$directory/include" \
	"$here/sanitizer_patch.cu" -o "$OUT/patch.fatbin"
"$nvcc" -shared -Xcompiler -fPIC,-Wall -cudart none -I"$directory/include" "$here/sanitizer.c" \
	-o "$OUT/libtrace-cost-sanitizer.so" "$library" -Xlinker -rpath="$(dirname "$(readlink -f "$library")")"

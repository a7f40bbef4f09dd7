# SPDX-License-Identifier: Apache-2.0
# The tests of the wrappers and of ctrun share this; read with "." by each.
set -eu
unset CUDATRACE_TARGET CUDATRACE_CLANG CUDATRACE_OUTPUT CUDATRACE
cc=$CT_BIN/cuda-trace-clang
cxx=$CT_BIN/cuda-trace-clang++
ctrun=$CT_BIN/ctrun

# Start empty, with temporary files where leftovers are seen.
find . -mindepth 1 -maxdepth 1 -exec rm -rf {} +
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# status EXPECTED COMMAND...: output goes to out and err.
status() {
	expected=$1
	shift
	got=0
	"$@" >out 2>err || got=$?
	[ "$got" = "$expected" ] || {
		cat out err >&2
		fail "exit status $got instead of $expected: $*"
	}
}

# has FILE TEXT, lacks FILE TEXT: fixed strings
has() {
	grep -qF -e "$2" "$1" || {
		cat "$1" >&2
		fail "$1 lacks: $2"
	}
}

lacks() {
	if grep -qF -e "$2" "$1"; then
		cat "$1" >&2
		fail "$1 has: $2"
	fi
}

one_line() {
	[ "$(wc -l <"$1")" = 1 ] || {
		cat "$1" >&2
		fail "$1 is not one line"
	}
}

no_leftovers() {
	[ -z "$(ls -A tmp)" ] || fail "left in TMPDIR: $(ls tmp)"
}

kernel_source() {
	cat >"$1" <<-'END'
	#include <cstdio>
	__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
	int main()
	{
		int *d, h[32];
		for (int i = 0; i < 32; i++)
			h[i] = i;
		cudaMalloc(&d, sizeof(h));
		cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
		twice<<<1, 32>>>(d);
		cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
		printf("%d\n", h[21]);
		return h[21] != 42;
	}
	END
}

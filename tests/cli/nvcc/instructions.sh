# SPDX-License-Identifier: Apache-2.0
# instructions.sh CUDA
# Functions for dynamic programming, all that CUDA's header has: in host code they are that header's C, and
# device code, which is PTX, gives the same. PTX that the CPU target cannot do is refused where it is written,
# never done in part.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
cuda=$1
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET

grep -h '^__DEVICE_HOST_FUNCTIONS_STATIC_DECL__ ' "$cuda/include/crt/device_functions.h" | awk -F '[(]' '{
	n = split($1, words, " ")
	count = split($2, parameters, ",")
	text = ""
	for (i = 1; i <= count; i++)
		text = text (i > 1 ? ", " : "") (parameters[i] ~ /[*]/ ? "&flag[" i % 2 "]" : substr("abc", i, 1))
	printf "CALL(%s, %s)\n", words[n], text
}' >calls.inc
[ "$(wc -l <calls.inc)" -ge 30 ] || fail "the header has $(wc -l <calls.inc) functions"
cat >dynamic.cu <<'END'
#include <cstdio>
enum { VALUES = 9 };
#define CALL(...) +1
enum { CALLS =
#include "calls.inc"
};
#undef CALL
__host__ __device__ static void call(unsigned *out, int a, int b, int c)
{
#define CALL(name, ...) { bool flag[2] = {}; *out++ = name(__VA_ARGS__); *out++ = 2 * flag[0] + flag[1]; }
#include "calls.inc"
}
static const char *const names[] = {
#undef CALL
#define CALL(name, ...) #name,
#include "calls.inc"
};
__global__ void run(unsigned *out, int a, int b, int c) { call(out, a, b, c); }
int main()
{
	const int value[VALUES] = {0, 1, -1, -7, 0x7fffffff, (int)0x80000000, 0x7fff8000, (int)0x80017ffe, (int)0xfffe0003};
	unsigned *out, wanted[2 * CALLS];
	int bad = 0;
	cudaMallocManaged(&out, sizeof(wanted));
	for (int i = 0; i < VALUES * VALUES * VALUES; i++) {
		int a = value[i % VALUES], b = value[i / VALUES % VALUES], c = value[i / VALUES / VALUES];
		call(wanted, a, b, c);
		run<<<1, 1>>>(out, a, b, c);
		if (cudaDeviceSynchronize())
			return 2;
		for (int n = 0; n < 2 * CALLS; n++)
			if (wanted[n] != out[n] && !bad++)
				printf("%s(%x, %x, %x): %x and %x\n", names[n / 2], a, b, c, wanted[n], out[n]);
	}
	return bad != 0;
}
END
status 0 "$nvcc" --ct-kernels=none -O1 dynamic.cu -o dynamic
lacks err warning
status 0 env CUDATRACE=off ./dynamic
# Those of older architectures are not PTX.
status 0 "$nvcc" --ct-kernels=none -arch=sm_75 -c dynamic.cu

# INSTRUCTION of one output and three inputs, of which each is one that PTX has
refused='add.rn.sat.bf16x2.foo max.relu.u32 min.xorsign.f32 mad.lo.sat.s32 lop3.or.b32 fma.rn.oob.f16x2 cvt.rs.f16x2.f32
	cvt.pack.sat.u16.s32.b32 ld.param.u32 mul24.lo.u32 shf.l.foo.b32 set.eq.or.u32.f16x2 vadd2.s32.u32.s32.foo
	mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 atom.global.foo.add.u32 bar.foo.sync add.s32.foo redux.sync.add.f32
	popc.foo.b32 prmt.b32.foo cp.async.bulk.tensor.1d abs.ftz.f64 setp.eq.foo.s32 mov.foo.b32'
n=0
: >refused.cu
for instruction in $refused; do
	n=$((n + 1))
	echo "__global__ void k$n(unsigned *p) { asm volatile(\"$instruction %0, %1, %2, %3;\" : \"=r\"(p[0]) : \"r\"(p[1]), \"r\"(p[2]), \"r\"(p[3])); }" >>refused.cu
done
echo 'int main() { unsigned *p; cudaMalloc(&p, 16); k1<<<1, 1>>>(p); return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1; }' >>refused.cu
status 0 "$nvcc" refused.cu -o refused
n=0
for instruction in $refused; do
	n=$((n + 1))
	has err "refused.cu:$n: warning: CPU target: PTX instruction '$instruction' is not supported"
done
status 0 env CUDATRACE=off ./refused
has err "PTX instruction 'add.rn.sat.bf16x2.foo' is not supported on the CPU target"
no_leftovers

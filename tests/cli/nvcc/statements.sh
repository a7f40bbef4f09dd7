# SPDX-License-Identifier: Apache-2.0
# Checks what cuda-trace-nvcc says of sources that are wrong, and what code it makes of single
# statements.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
CUDATRACE_TARGET=cpu
export CUDATRACE_TARGET

printf '__global__ void k() {}\nint main() { k << <1, 1>> >(); wrong; asm("" : : "r"(1)  "r"(2)); }\n' >columns.cu
status 1 "$nvcc" -c columns.cu
has err 'columns.cu:2:32: error: use of undeclared identifier'
[ "$(grep -c error: err)" = 1 ] || fail "errors: $(cat err)"

# An initializer of objects in shared memory is refused, as by nvcc.
printf 'struct S { int x; __device__ S(int y = 1) : x(y) {} };\n__global__ void k(int *p) { __shared__ S s(2); *p = s.x; }\n' >written.cu
status 1 "$nvcc" -c written.cu
has err 'written.cu:2:42: error: initialization is not supported for __shared__ variables'
[ "$(grep -c error: err)" = 1 ] || fail "errors: $(cat err)"

# CUTLASS asks for parameters in place, though it sees clang.
printf 'struct S { long a[40]; };\n__device__ __noinline__ long of(const long *a) { return a[threadIdx.x]; }\n' >place.cu
echo '__global__ void in_place(CUTLASS_GRID_CONSTANT S const s, long *o) { *o = of(s.a); }' >>place.cu
status 0 env -u CUDATRACE_TARGET "$nvcc" -ptx -arch=sm_90 place.cu -o place.ptx
lacks place.ptx 'local_depot'

# A macro may stand for a pragma, also one that is defined again, and one in a template.
cat >pragma.cu <<'END'
#define UNROLL #pragma unroll
#define PART #pragma unroll 3
#define PART #pragma unroll 3
#define QUIET #pragma GCC diagnostic ignored "-Wunused-variable"
QUIET
template <class T> __device__ T sum(const T *p)
{
	T s = 0;

	UNROLL
	for (int i = 0; i < 24; i++)
		s += p[i * i];
	return s;
}
__global__ void k(float *p, int n)
{
	float s = sum(p);

	PART
	for (int i = 0; i < n; i++)
		s = s * p[i * i];
	*p = s;
}
END
status 0 env -u CUDATRACE_TARGET "$nvcc" -Xcompiler -Werror -ptx -arch=sm_90 --ct-kernels=none pragma.cu -o pragma.ptx
[ "$(grep -c 'ld.global' pragma.ptx)" = 28 ] || fail "loads: $(grep 'ld.global' pragma.ptx)"

# Roots and quotients are as exact as nvcc's with the same options.
echo '__global__ void k(float *o) { o[0] = sqrtf(o[1]); o[2] = o[3] / o[4]; }' >exact.cu
for words in '-O3 sqrt.rn.f32 div.rn.f32' '-prec-sqrt=false sqrt.approx.f32 div.rn.f32' \
	'-prec-div=false sqrt.rn.f32 div.full.f32' '-ftz=true sqrt.rn.ftz.f32 div.rn.ftz.f32' \
	'-use_fast_math sqrt.approx.ftz.f32 div.approx.ftz.f32'; do
	status 0 env -u CUDATRACE_TARGET "$nvcc" -ptx -arch=sm_90 "${words%% *}" exact.cu -o exact.ptx
	# shellcheck disable=SC2086
	set -- $words
	has exact.ptx "$2"
	has exact.ptx "$3"
done

# atomicCAS orders no memory, as nvcc's.
cat >exchange.cu <<'END'
__global__ void k(int *i, unsigned *u, unsigned long long *l, unsigned short *h)
{
	i[1] = atomicCAS(i, 1, 2) + atomicCAS(u, 1u, 2u) + atomicCAS(l, 1ull, 2ull) + atomicCAS(h, (unsigned short)1, (unsigned short)2);
}
END
status 0 env -u CUDATRACE_TARGET "$nvcc" -ptx -arch=sm_90 --ct-kernels=none exchange.cu -o exchange.ptx
[ "$(grep -c 'atom.relaxed.gpu' exchange.ptx)" = 4 ] || fail "atomics: $(grep atom exchange.ptx)"
lacks exchange.ptx 'fence'
has exchange.ptx 'atom.relaxed.gpu.global.cas.b16'

# Single precision without denormal numbers where the command line says so, on CPU threads as well;
# doubles keep theirs, and so do PTX without .ftz and bf16, which has no .ftz.
cat >denormal.cu <<'end'
#include <cstdio>
#include <cuda_bf16.h>
__global__ void k(float *o, double *d) { asm("add.f32 %0, %1, %1;" : "=f"(o[10]) : "f"(o[0]));
	__nv_bfloat16 b = __ushort_as_bfloat16(o[8] > 0 ? 2 : 3); o[11] = __bfloat16_as_ushort(__hmax(b, __ushort_as_bfloat16(1))) == 2; float x = o[0], y = o[1]; o[2] = x + y; o[3] = y * .5f; o[4] = x == 0;
	o[5] = fminf(x, 1); o[6] = (float)d[0]; o[7] = 1 / o[8]; o[9] = (float)((double)x * 0x1p60); d[1] = d[0] * .5; d[2] = d[2] * .5;
	// Rounding makes these the least normal number.
	o[14] = o[12] * o[13]; o[15] = fmaf(o[12], o[13], o[17]); o[16] = (float)d[3]; }
int main() { float *o, h[18] = {1e-40f, 1.5e-38f, 0, 0, 0, 0, 0, 0, 1e38f, 0, 0, 0, 0x1p-126f, 0x1.fffffep-1f};
	double *d, e[4] = {1e-40, 0, 1e-310, 0x1.fffffep-127};
	cudaMalloc(&o, sizeof h); cudaMalloc(&d, sizeof e); cudaMemcpy(o, h, sizeof h, cudaMemcpyDefault);
	cudaMemcpy(d, e, sizeof e, cudaMemcpyDefault); k<<<1, 1>>>(o, d); cudaMemcpy(h, o, sizeof h, cudaMemcpyDefault);
	cudaMemcpy(e, d, sizeof e, cudaMemcpyDefault);
	for (int i : {10, 11, 2, 3, 4, 5, 6, 7, 9, 14, 15, 16}) printf("%d", h[i] != 0); printf(" %g %g\n", e[1], e[2]); }
end
for words in '-O3 111101111111' '-ftz=true 111010000000' '-use_fast_math 111010000000'; do
	status 0 "$nvcc" "${words% *}" denormal.cu -o denormal
	status 0 ./denormal
	has out "${words#* } 5e-41 5e-311"
done

# A failure that we know says what to do.
printf '#error '"'omp.h' file not found"'\n' >omp.cu
status 1 "$nvcc" -c omp.cu
has err 'install libomp-dev of clang'

# CUDA 13 removed these, or only renamed them; nvcc refuses them as well.
echo 'int main() { return cudaThreadSynchronize(); }' >old.cu
status 1 "$nvcc" old.cu -o old
has err '--ct-old-api gives them back'
status 0 "$nvcc" --ct-old-api old.cu -o old
status 0 ./old
printf 'void host();\n__global__ void k() { host(); }\nint main() {}\n' >sides.cu
status 1 "$nvcc" -c sides.cu
has err 'call to __host__ function from __global__ function'
sed '/^__global__/s/.*/inline __host__ __device__ void both() { host(); }\n__global__ void k() { both(); }/' sides.cu >both.cu
status 0 "$nvcc" -c both.cu
status 1 "$nvcc" -Werror cross-execution-space-call -c both.cu
has err "reference to __host__ function 'host'"
sed -i 's/^inline//' both.cu
status 0 "$nvcc" -c both.cu
has err "'host' is for the other side than this __host__ __device__ function is compiled for"

# Host code names functions for devices; the program calls none, though headers of the system may.
cat >calls.cu <<'END'
#include <algorithm>
struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
struct Held { __device__ ~Held() {} };
__device__ int device(int x) { return x; }
int (*address)(int) = device;
int (*same)(int) = address;
int main() { int a[2] = {1}; if (address != same) std::sort(a, a + 2, Less()); return sizeof(device(1)) - 4; }
END
status 0 "$nvcc" calls.cu -o calls
status 0 ./calls
printf 'inline int one() { return device(1); }\nint two(Less l) { Held h; return l(1, 2); }\n' >>calls.cu
status 1 "$nvcc" -c calls.cu
has err "calls.cu:8:27: error: reference to __device__ function 'device' in __host__ function"
has err "calls.cu:9:24: error: reference to __device__ function '~Held' in __host__ function"
has err "calls.cu:9:35: error: reference to __device__ function 'operator()' in __host__ function"
[ "$(grep -c error: err)" = 3 ] || fail "errors: $(cat err)"

# A name that a template has whatever its arguments are is an error once it is instantiated.
printf '__device__ int device(int x) { return x; }\ntemplate <class T> T f(T x) { return x ? x : device(1); }\nint main() { return f(0); }\n' >fixed.cu
status 1 "$nvcc" -c fixed.cu
has err "fixed.cu:2:46: error: reference to __device__ function 'device' in __host__ function"
sed 's/device(1)/device(x)/' fixed.cu >chosen.cu
status 0 "$nvcc" chosen.cu -o chosen
status 1 ./chosen
printf '__device__ constexpr int one() { return 1; }\nint a = one();\nint main() { return one(); }\n' >in_host.cu
status 1 "$nvcc" -c in_host.cu
has err "in_host.cu:3:21: error: reference to __device__ function 'one' in __host__ function"
echo 'int host; __device__ int reads() { return host; }' >variable.cu
status 1 "$nvcc" -c variable.cu
has err "host variable 'host' is used in code for devices"

# Values of functions without one, and constants that do not fit; those that become a bool do (taken.cu).
cat >refused.cu <<'END'
void returns(int a) { return a; }
struct Made { Made() { return 1; } };
enum Small : unsigned char { big = 300 };
template <unsigned char N> struct Sized {};
Sized<300> sized;
template <unsigned N> struct Counted {};
template <int N> struct Derived : Counted<N> {};
Derived<-4> derived;
__global__ void k(unsigned *o) { switch (*o) { case -1: *o = 1; } }
END
status 1 "$nvcc" -c refused.cu
[ "$(sed -n 's/^refused.cu:\([0-9]*\):.*error: .*/\1/p' err | sort -n | tr '\n' ' ')" = '1 2 3 5 7 9 ' ] ||
	fail "errors: $(cat err)"

no_leftovers

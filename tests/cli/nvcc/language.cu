/* SPDX-License-Identifier: Apache-2.0 */
/* nvcc takes this and plain clang does not: no header but CUDA's, and __NVCC__ defined. */
#include <cooperative_groups.h>
#include <cuda/std/limits>

#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12 || !defined(__CUDACC__)
#error "not as under nvcc"
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace cg = cooperative_groups;

__global__ void stores(float4 *four, float *one, char *byte, int n)
{
	unsigned at = cg::this_grid().thread_rank();

	if (at >= min(n, 64))
		return;
	__stcs(four + at, make_float4(1, 2, 3, at));
	__stcg(one + at, isfinite(one[at]) ? 5.f : cuda::std::numeric_limits<float>::max());
	__stwb(byte + at, (char)at);
	assert(n > 0);
}

/* nvcc warns of calls of the other side that are never made there. */
static int reads(int x)
{
	return getenv("PATH") ? x : -1;
}
template <class T> __host__ __device__ T checked(T x)
{
	return x < 0 ? (T)reads(x) : x;
}

/* Neither constructed nor destroyed: nvcc warns. Operands without a comma, a register with one %.
 * Fields that change and fields that do not: one access each way. */
struct Held {
	int x;
	__device__ ~Held()
	{
		x = 1000;
	}
};
struct Made {
	int x;
	__device__ Made(int y = 1000) : x(y)
	{
	}
};
template <class T> __device__ T in_shared(T more)
{
	__shared__ Made made;
	auto add = [&] { made.x += more; };

	if (threadIdx.x == 0) {
		made.x = nan("") != nan("") ? 4 : 1000;
		add();
	}
	__syncthreads();
	return made.x;
}
__managed__ int both_sides = 5;
template <class T> __global__ void old_ways(float4 *four, T *to)
{
	__shared__ Held held;
	__shared__ Held several[2];
	__shared__ Made made;
	T sum, lane;

	made.x = 15;
	held.x = several[1].x = made.x + in_shared<T>(1);
	// clang-format off
	asm("mov.u32 %0, %laneid;" : "=r"(lane));
	held.x += lane >= 32;
	asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(held.x) "r"(several[1].x));
	// clang-format on
	float4 moved = four[threadIdx.x];
	moved.y += sum;
	four[64 + threadIdx.x] = moved;
	*to = sum;
	if (threadIdx.x == 0)
		both_sides += 2;
}

/* 64 threads add their numbers, 2016 in all. */
__global__ void atomics(int *sum, float *real)
{
	int last = __nv_atomic_fetch_add(sum, (int)threadIdx.x, __NV_ATOMIC_RELAXED,
					 __NV_THREAD_SCOPE_DEVICE);

	__nv_atomic_add(real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
	__nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL);
	if (last + (int)threadIdx.x == 2016)
		__nv_atomic_store_n(
		    sum + 1, __nv_atomic_load_n(sum, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE),
		    __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

/* No launch. */
struct Sum {
	int x;
};
template <class T> Sum operator<<(Sum sum, T more)
{
	return {sum.x + (int)more};
}

template <class F> __global__ void apply(F f, int *to)
{
	*to = f(checked(*to));
}

/* clang has warnings of these, nvcc none. */
// clang-format off
template <class T> struct Guided {
	T x;
	__host__ __device__ Guided(T x) : x(x) {}
};
template <class T> __host__ __device__ Guided(T) -> Guided<T>;
inline long double operator"" _guided(long double x)
{
	#pragma unroll (2)
	for (int i = 0; i < 2; i++)
		x += i;
	return x;
}
// clang-format on

/* For which sides a lambda is, in templates as well; only what depends can be asked of a type. */
template <class T, class = void> struct Sides {
	static const int value = __nv_is_extended_host_device_lambda_closure_type(T) ? 3 : 1;
};
template <class T>
struct Sides<T, std::enable_if_t<__nv_is_extended_device_lambda_closure_type(T)>> {
	static const int value = 2;
};
template <class T> int sides(T)
{
	return Sides<const T>::value;
}
template <class T> int sides_within(T x)
{
	return sides([=] __device__(T y) -> T { return x + y; });
}

/* A bool that is neither 0 nor 1, numbers that do not fit. */
__global__ void undefined(const char *byte, float big, int *to)
{
	int least = __builtin_inff();

	to[0] = *(const bool *)byte ? (unsigned char)big : -1;
	to[1] = (short)big + (least == 0x7fffffff);
}

int main()
{
	register int three = 3;
	unsigned seven = 7;
	char narrowed[] = {(char)1, three};
	typeof(clock()) begin = clock();
	float4 *four;
	float *one;
	char *byte;
	int *to, value = 0;

	cudaMallocManaged(&four, 128 * sizeof(*four));
	cudaMallocManaged(&one, 64 * sizeof(*one));
	cudaMallocManaged(&byte, 64);
	cudaMallocManaged(&to, 2 * sizeof(*to));
	memset(one, 0, 64 * sizeof(*one));
	stores<<<1, 64>>>(four, one, byte, 64);
	*to = 1;
	apply<<<1, 1>>>([=] __host__ __device__(int x) { return x + three; }, to);
	both_sides++;
	// clang-format off
	old_ways << <dim3(1), 64>> >(four, to + 1);
	value = operator<< <int>(Sum{-1}, 1).x;
	// clang-format on
	value += -checked(0) + (checked(-4) == -4 ? 0 : 1000);
#ifdef CT_NVCC_OLD_API
	cudaThreadSynchronize();
#else
	cudaDeviceSynchronize();
#endif
	for (int i = 0; i < 64; i++)
		value += four[i].w == i && one[i] == 5.f && byte[i] == i;
	printf("%d %d %d %u %g %g %d %s %d %d\n", value, *to,
	       to[1] + (four[67].y == 42) + both_sides, max(three, seven), min(1.5f, 2.5),
	       max(1.f, 2.f), isfinite(one[0]) != 0, TEXT(__NVCC__), narrowed[1],
	       begin != (clock_t)-1);
	printf("sides %d%d%d%d\n", sides([] {}), sides([] __device__(int x) { return x; }),
	       sides([] __host__ __device__(int x) { return x; }), sides_within(1));
	to[0] = 0;
	one[0] = 0;
	atomics<<<1, 64>>>(to, one);
	cudaDeviceSynchronize();
	printf("%d %d %g\n", to[0], to[1], one[0]);
	undefined<<<1, 1>>>(byte + 2, 70000.f, to);
	cudaDeviceSynchronize();
	printf("undefined %d %d\n", to[0], to[1]);
	return 0;
}

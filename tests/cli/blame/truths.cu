/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of a kernel each whose blame is known by hand: w(n) costs n times what its loop has. */
#include <cuda_runtime.h>

#define N 1000

__device__ __noinline__ int w(int n)
{
	volatile int step = 3;
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum = sum * step + i;
	return sum;
}

__device__ __noinline__ void put(int *to, int n)
{
	*to = w(n);
}

__global__ void two(int *x, int *y)
{
	x[0] = w(N);
	y[0] = w(3 * N);
}

__device__ __noinline__ int busy(int *x)
{
	*x = w(N);
	return *x;
}

/* Seed 003, slide 5. */
__global__ void slide5(int *A, int *B, int *C)
{
	A[1] = busy(&B[1]) + busy(&C[0]) + busy(&C[2]);
}

__global__ void through(int *t, int *y)
{
	t[0] = w(N);
	y[0] = t[0] + w(N);
}

__global__ void branch(int *y, int *out)
{
	int z = 2;

	if (w(N) > 0)
		y[0] = 1;
	out[0] = z;
}

__global__ void index(int *y, const int *a)
{
	int index = w(N) & 1;

	y[0] = a[index];
}

struct Part {
	int b, c;
};
struct Whole {
	int a;
	Part p;
};

__device__ __noinline__ void keep(Whole *s, int *to)
{
	to[0] = s->a;
	to[1] = s->p.b;
}

__global__ void fields(int *to)
{
	Whole s;

	s.p.c = 0;
	s.a = w(N);
	s.p.b = w(3 * N);
	keep(&s, to);
}

__global__ void argument(int *to)
{
	int u, v;

	put(&u, N);
	put(&v, 3 * N);
	to[0] = u;
	to[1] = v;
}

__device__ __noinline__ int bar(int n)
{
	return w(n);
}

__device__ __noinline__ int foo(int n)
{
	return bar(n);
}

/* Seed 003, slide 9. */
__global__ void paths(int *x, int *y)
{
	x[0] = foo(N);
	y[0] = bar(3 * N);
}

__device__ inline int once(int n)
{
	return w(n) + 1;
}

__global__ void inlined(int *x, int *y)
{
	// clang-format off
	x[0] = once(N); y[0] = once(3 * N);
	// clang-format on
}

__device__ __noinline__ int deep(int level)
{
	if (level == 0)
		return w(N);
	return deep(level - 1) + 1;
}

__global__ void recursion(int *x, int *y)
{
	x[0] = deep(4);
	y[0] = w(3 * N);
}

__device__ int once_more(int n)
{
	return w(n);
}
__device__ int three_times(int n)
{
	return w(3 * n);
}
__device__ int (*const table[2])(int) = {once_more, three_times};

__global__ void indirect(int *x, int *y, int which)
{
	x[0] = table[which](N);
	y[0] = table[1 - which](N);
}

__global__ void atomics(int *x, int *y)
{
	atomicAdd(&x[0], w(N));
	atomicExch(&y[0], w(3 * N));
}

__global__ void shared(int *y)
{
	__shared__ int tile[2], other[2];

	tile[0] = w(N);
	other[0] = w(3 * N);
	__syncthreads();
	y[0] = tile[0];
}

/* A scalar that is overwritten carries nothing on. */
__global__ void overwritten(int *x, int *y)
{
	int v = w(N);

	x[0] = v;
	v = w(3 * N);
	y[0] = v;
}

template <int Times> __device__ __noinline__ int times(int n)
{
	return w(Times * n);
}

__global__ void templates(int *x, int *y)
{
	x[0] = times<1>(N);
	y[0] = times<3>(N);
}

int main(int argc, char **)
{
	int *x, *y, *z;

	cudaMalloc(&x, 64);
	cudaMalloc(&y, 64);
	cudaMalloc(&z, 64);
	cudaMemset(x, 0, 64);
	cudaMemset(y, 0, 64);
	cudaMemset(z, 0, 64);
	two<<<1, 1>>>(x, y);
	slide5<<<1, 1>>>(x, y, z);
	through<<<1, 1>>>(x, y);
	branch<<<1, 1>>>(x, y);
	index<<<1, 1>>>(x, y);
	fields<<<1, 1>>>(x);
	argument<<<1, 1>>>(x);
	paths<<<1, 1>>>(x, y);
	inlined<<<1, 1>>>(x, y);
	recursion<<<1, 1>>>(x, y);
	indirect<<<1, 1>>>(x, y, argc - 1);
	atomics<<<1, 1>>>(x, y);
	shared<<<1, 1>>>(x);
	overwritten<<<1, 1>>>(x, y);
	templates<<<1, 1>>>(x, y);
	cudaFree(x);
	cudaFree(y);
	cudaFree(z);
	return cudaDeviceSynchronize() != cudaSuccess;
}

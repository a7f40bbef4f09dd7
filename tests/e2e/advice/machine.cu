// SPDX-License-Identifier: Apache-2.0
// How kernels fill a device, what bounds them, and such as are too short for it.
// judged: idle-sms, kernel-bound, part-of-a-warp
#include "cases.h"

static const int row = 4096;

// case one_cta
// All of the work by one thread block; beside it a kernel that is slower on threads alone.
static __global__ void sum_of_all(const float *x, float *out)
{
	float v = 0;

	for (int i = (int)threadIdx.x; i < row; i += (int)blockDim.x)
		v += x[i] * x[i];
	out[threadIdx.x] = v;
}

static __global__ void twice_in_many(float *x)
{
	x[index()] *= 2;
}

// has idle-sms of sum_of_all: 1 thread block in the smallest launch
// has kernel-bound of sum_of_all: issue twice as many loads
CASE(one_cta)
{
	ALLOCATE(float, x, 128 * row);
	ALLOCATE(float, out, 64);

	copy_in(x, filled<float>(128 * row, noise));
	twice_in_many<<<128 * row / 32, 32>>>(x);
	sum_of_all<<<1, 64>>>(x, out);
	copy_out(out, 64);
}

// case streams
// The same in four streams: SMs that one leaves idle another one has.
// has kernel-bound of sum_of_all
CASE(streams)
{
	ALLOCATE(float, x, row);
	ALLOCATE(float, out, 4 * 64);
	cudaStream_t stream[4];

	copy_in(x, filled<float>(row, noise));
	for (int i = 0; i < 4; i++) {
		OK(cudaStreamCreate(&stream[i]));
		sum_of_all<<<1, 64, 0, stream[i]>>>(x, out + 64 * i);
	}
	OK(cudaDeviceSynchronize());
	copy_out(out, 4 * 64);
}

// case launching
// One thread block as well, of so little that its launch takes longer.
static __global__ void next(int *step)
{
	*step += 1;
}

CASE(launching)
{
	ALLOCATE(int, step, 1);

	OK(cudaMemset(step, 0, sizeof(int)));
	for (int i = 0; i < 8; i++)
		next<<<1, 1>>>(step);
	copy_out(step, 1);
}

// case in_step
// Most of the time goes to barriers, which are there for a reason.
static __global__ void in_step(const unsigned *x, unsigned *y)
{
	__shared__ unsigned first;
	unsigned v = x[index()];

	for (int i = 0; i < 48; i++) {
		__syncthreads();
		if (threadIdx.x == 0)
			first = v;
		__syncthreads();
		v ^= first;
	}
	y[index()] = v;
}

CASE(in_step)
{
	ALLOCATE(unsigned, x, 16 * 512);
	ALLOCATE(unsigned, y, 16 * 512);

	copy_in(x, filled<unsigned>(16 * 512, [](int i) { return (unsigned)i * 2654435761u; }));
	in_step<<<16, 512>>>(x, y);
	copy_out(y, 16 * 512);
}

// case half_warps
// An SM is full of blocks before it is full of threads.
static __global__ void count_up(unsigned *x)
{
	x[index()] += 1;
}

CASE(half_warps)
{
	const int n = 1 << 17;
	ALLOCATE(unsigned, x, n);

	copy_in(x, filled<unsigned>(n, [](int i) { return (unsigned)i; }));
	count_up<<<n / 16, 16>>>(
	    x); // has part-of-a-warp of count_up: an SM holds at most 32 blocks
	copy_out(x, n);
}

// case half_a_last_warp
CASE(half_a_last_warp)
{
	const int n = 48 * 1024;
	ALLOCATE(unsigned, x, n);

	copy_in(x, filled<unsigned>(n, [](int i) { return (unsigned)i; }));
	count_up<<<n / 48, 48>>>(
	    x); // has part-of-a-warp of count_up: the last warp of each has 16 of 32 lanes
	copy_out(x, n);
}

// case nearly_full_warps
// Six of 256 lanes are idle; and launches whose warps have each a scheduler to themselves.
CASE(nearly_full_warps)
{
	const int n = 250 * 256;
	ALLOCATE(unsigned, x, n);

	copy_in(x, filled<unsigned>(n, [](int i) { return (unsigned)i; }));
	count_up<<<n / 250, 250>>>(x);
	for (int i = 0; i < 4; i++)
		count_up<<<100, 16>>>(x);
	copy_out(x, n);
}

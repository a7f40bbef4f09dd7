// SPDX-License-Identifier: Apache-2.0
// Redundant accesses here follow from the text: 32 threads, volatile accesses. Behind a line
// stands how many of its accesses there are and how many are redundant, as "expect OPERATION ALL
// REDUNDANT"; behind an allocation which patterns the object's values have, or have not, as "has:
// …" and "not: …", and what is loaded from it as "holds: LOADS DISTINCT SPATIAL TYPES", TYPES
// being the narrower ones that hold all of it exactly.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

const int threads = 32, numbers = 1000;

__global__ void reads(volatile int *p, int *out)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += p[threadIdx.x]; // expect load 320 288
	out[threadIdx.x] = sum;
}

__global__ void increments(volatile int *p)
{
	for (int i = 0; i < 10; i++) {
		int value = p[threadIdx.x]; // expect load 320 0
		p[threadIdx.x] = value + 1; // expect store 320 0
	}
}

__global__ void same(volatile int *q)
{
	for (int i = 0; i < 10; i++)
		q[threadIdx.x] = 7; // expect store 320 288
}

__global__ void alternate(volatile int *q)
{
	for (int i = 0; i < 10; i++)
		q[threadIdx.x] = i & 1; // expect store 320 0
}

__global__ void times_one(volatile int *x)
{
	int value = x[threadIdx.x]; // expect load 32 0
	x[threadIdx.x] = value;     // expect store 32 32
}

// It has several CTAs: those that are recorded say nothing of others.
__global__ void keep(volatile int *x)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = x[i]; // expect load 32 0
	x[i] = value;     // expect store 32 32
}

// All zeros, in each of 40 CTAs.
__global__ void flat(volatile int *even)
{
	(void)even[blockIdx.x * blockDim.x + threadIdx.x]; // expect load 1280 0
}

// In two launches: the first changes it once, as far as anybody knows, the second never.
__global__ void five(volatile int *flag)
{
	*flag = 5; // expect store 64 63
}

__global__ void number(volatile int *flag)
{
	*flag = (int)threadIdx.x; // expect store 32 0
}

__global__ void dot(volatile float *x, float *out)
{
	float sum = 0;

	for (int i = (int)threadIdx.x; i < 64; i += threads) {
		float a = x[i]; // expect load 64 0
		float b = x[i]; // expect load 64 64
		sum += a * b;
	}
	out[threadIdx.x] = sum;
}

// Twice 4 in the first element and 3 in the others; then 4 in every second one, which changes 15.
__global__ void fill(volatile int *out, int every)
{
	out[threadIdx.x] = threadIdx.x % every ? 3 : 4; // expect store 96 49
}

// Behind a memset.
__global__ void clear(volatile int *out)
{
	out[threadIdx.x] = 0; // expect store 32 32
}

__global__ void odds(volatile int *odd)
{
	for (int i = 2 * (int)threadIdx.x + 1; i < numbers; i += 2 * threads)
		(void)odd[i]; // expect load 500 0
}

template <typename T> __global__ void sums(const T *in, T *out, int count)
{
	T sum = 0;

	for (int i = (int)threadIdx.x; i < count; i += threads)
		sum += in[i];
	out[threadIdx.x] = sum;
}

// Each stores one value everywhere, but not the same: the array has others.
__global__ void raise(volatile int *mask)
{
	for (int i = (int)threadIdx.x; i < numbers; i += threads)
		mask[i] = 1;
}

__global__ void lower(volatile int *mask)
{
	for (int i = (int)threadIdx.x; i < numbers; i += threads)
		if (mask[i])
			mask[i] = 0;
}

// All that is loaded here fits a byte, and nothing that is stored.
__global__ void widen(volatile int *grown)
{
	for (int i = (int)threadIdx.x; i < numbers; i += threads)
		grown[i] = (grown[i] + 70000) * (i % 7 + 1);
}

// Each in a sector of its own.
__global__ void apart(volatile int *scattered)
{
	for (int round = 0; round < 8; round++)
		for (int i = (int)threadIdx.x; i < numbers / 8; i += threads)
			(void)scattered[8 * i];
}

__global__ void add(const float4 *wide, const float4 *broad, float4 *out)
{
	float4 a = *wide, b = *broad;

	*out = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

template <typename T, int count = numbers> static T *copied(T *memory, T (*value)(int))
{
	static T host[count];

	for (int i = 0; i < count; i++)
		host[i] = value(i);
	cudaMemcpy(memory, host, sizeof(host), cudaMemcpyHostToDevice);
	return memory;
}

template <typename T, int count = numbers> static void sum_up(T *memory, T (*value)(int))
{
	T *out;

	cudaMalloc(&out, threads * sizeof(T));
	sums<<<1, threads>>>(copied<T, count>(memory, value), out, count);
	cudaFree(out);
}

int main()
{
	int *p, *q, *x, *flag, *out, *filled, *mostly, *often, *bytes, *wider, *zeros, *band, *rows,
	    *bent, *mask, *grown, *scattered, *past, *even, *odd;
	float *f, *g, *levels;
	float4 *wide, *broad, *both;
	static const float four[2][4] = {{120, 86, 17, 17}, {120, 86, 52, 18}};
	double *halves, *tenths, *nans;

	cudaMalloc(&p, threads * sizeof(int));
	cudaMalloc(&q, threads * sizeof(int));
	cudaMalloc(&x, threads * sizeof(int));
	cudaMalloc(&flag, sizeof(int));
	cudaMalloc(&out, threads * sizeof(int));
	cudaMalloc(&filled, threads * sizeof(int));
	cudaMalloc(&f, 64 * sizeof(float));
	cudaMalloc(&g, threads * sizeof(float));
	cudaMalloc(&mostly, numbers * sizeof(int)); // has: frequent value
	cudaMalloc(&often, numbers * sizeof(int));  // not: frequent value
	cudaMalloc(&bytes, numbers * sizeof(int));  // holds: 1000 256 744 int8 int16
	cudaMalloc(&wider, numbers * sizeof(int));  // has: structured
	cudaMalloc(&bent, numbers * sizeof(int));   // has: structured
	cudaMalloc(&band, numbers * sizeof(int));   // not: structured
	cudaMalloc(&rows, numbers * sizeof(int));   // not: structured
	cudaMalloc(&zeros, numbers * sizeof(int));  // has: single zero
	cudaMalloc(&halves, 8 * numbers); // has: single value; holds: 1000 1 999 half float
	cudaMalloc(&tenths, numbers * sizeof(double)); // not: heavy type; holds: 1000 1000 0
	cudaMalloc(&nans, numbers * sizeof(double));   // has: not a number
	cudaMalloc(&mask, numbers * sizeof(int));      // has: single zero
	cudaMalloc(&scattered, numbers * sizeof(int)); // has: heavy type
	cudaMalloc(&grown, numbers * sizeof(int));     // has: heavy type
	cudaMalloc(&past, numbers * sizeof(int));      // holds: 1000 257 743 int16 uint16
	cudaMalloc(&odd, numbers * sizeof(int)); // has: structured; holds: 500 500 0 int16 uint16
	cudaMalloc(&even, 40 * threads * sizeof(int)); // has: single zero
	cudaMalloc(&levels, 500 * sizeof(float));      // holds: 500 500 0
	cudaMalloc(&wide, sizeof(float4));             // holds: 4 3 1 int8 uint8 int16 uint16 half
	cudaMalloc(&broad, sizeof(float4));            // holds: 4 4 0 int8 uint8 int16 uint16 half
	cudaMalloc(&both, sizeof(float4));
	reads<<<1, threads>>>(p, out);
	increments<<<1, threads>>>(p);
	same<<<1, threads>>>(q);
	alternate<<<1, threads>>>(q);
	times_one<<<1, threads>>>(x);
	keep<<<4, threads / 4>>>(x);
	cudaMemset(even, 0, 40 * threads * sizeof(int)); // same: 0
	flat<<<40, threads>>>(even);
	five<<<1, threads>>>(flag);
	five<<<1, threads>>>(flag);
	number<<<1, threads>>>(flag);
	dot<<<1, threads>>>(f, g);
	fill<<<1, threads>>>(filled, 1 << 30);
	fill<<<1, threads>>>(filled, 1 << 30);
	fill<<<1, threads>>>(filled, 2);
	cudaMemset(filled, 0, threads * sizeof(int)); // same: 96
	cudaMemset(filled, 0, threads * sizeof(int)); // same: 128
	clear<<<1, threads>>>(filled);
	sum_up<int>(mostly, [](int i) { return i < 910 ? 0 : 1000 * i; });
	sum_up<int>(often, [](int i) { return i < 900 ? 0 : 1000 * i; });
	sum_up<int>(bytes, [](int i) { return i % 256 - 128; });
	sum_up<int>(wider, [](int i) { return 3 * i; });
	sum_up<int>(bent, [](int i) { return i ? 3 * i - 1 : 0; });
	sum_up<int>(band, [](int i) { return i % 200; }); // columns of a matrix
	sum_up<int>(rows,
		    [](int i) { return i < 500 ? 5 * i : 5 * i + 2; }); // where its rows begin
	sum_up<int>(zeros, [](int) { return 0; });
	sum_up<double>(halves, [](int) { return .5; });
	sum_up<double>(tenths, [](int i) { return .1 * (i + 1); });
	sum_up<double>(nans, [](int i) { return i < 600 ? NAN : 1. + i; });
	sum_up<int>(past, [](int i) { return i % 257; });
	sum_up<float, 500>(levels, [](int i) { return 1 + (float)i / 1e4f; });
	cudaMemcpy(wide, four[0], sizeof(float4), cudaMemcpyHostToDevice);
	cudaMemcpy(broad, four[1], sizeof(float4), cudaMemcpyHostToDevice);
	add<<<1, 1>>>(wide, broad, both);
	odds<<<1, threads>>>(copied<int>(odd, [](int i) { return i; }));
	cudaMemset(mask, 0, numbers * sizeof(int)); // same: 0
	raise<<<1, threads>>>(mask);
	lower<<<1, threads>>>(mask);
	apart<<<1, threads>>>(copied<int>(scattered, [](int i) { return i * i % 100; }));
	widen<<<1, threads>>>(copied<int>(grown, [](int i) { return i * i % 100; }));
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	return 0;
}

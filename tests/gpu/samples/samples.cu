// SPDX-License-Identifier: Apache-2.0
// Kernels that wait for different things, each long enough to be sampled: memory without and with
// other work, shared memory, barriers, atomics, arithmetic of several widths, divergent branches,
// a function that is not inlined. samples LAUNCHES [KERNEL]: each of them so many times; prints
// `kernel NAME LAUNCHES SECONDS`, by CUDA's events around all launches of one. With -DFIXED some
// have what is advised against their waits (docs/validation.md, Blame).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error = (call);                                                        \
		if (error != cudaSuccess) {                                                        \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));             \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static const unsigned N = 1u << 24, STEPS = 1024, SIDE = 1024;

// Each load waits for the one before it: `next` is the producer, the sum uses it.
__global__ void chase(const unsigned *next, unsigned *out)
{
	unsigned at = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		at = next[at];
		sum = sum * 3 + at;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void stream(const float *a, float *b, float factor)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
		b[i] = a[i] * factor + 1.0f;
}

#ifdef FIXED
static const unsigned ROW = 1, COLUMN = SIDE;
#else
static const unsigned ROW = SIDE, COLUMN = 1;
#endif

__device__ __forceinline__ float row_sum(const float *row, const float *x, unsigned n)
{
	float sum = 0;

	for (unsigned j = 0; j < n; j++)
		sum += row[j * COLUMN] * x[j];
	return sum;
}

// Rows of a matrix by one thread each: uncoalesced. Fixed: of one that is stored by columns.
__global__ void rows(const float *a, const float *b, const float *x, float *y)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < SIDE)
		y[i] = 1.5f * row_sum(a + (size_t)i * ROW, x, SIDE) +
		       0.5f * row_sum(b + (size_t)i * ROW, x, SIDE);
}

#ifdef FIXED
static const unsigned PITCH = 33;
#else
static const unsigned PITCH = 32;
#endif

// Columns of a tile meet in the same bank. Fixed: rows of 33 words.
__global__ void transpose(const float *in, float *out)
{
	__shared__ float tile[32][PITCH];

	for (unsigned again = 0; again < 8; again++) {
		unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

		for (unsigned j = 0; j < 32; j += 8)
			tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * 4096 + x];
		__syncthreads();
		x = blockIdx.y * 32 + threadIdx.x;
		y = blockIdx.x * 32 + threadIdx.y;
		for (unsigned j = 0; j < 32; j += 8)
			out[(size_t)(y + j) * 4096 + x] = tile[threadIdx.x][threadIdx.y + j];
		__syncthreads();
	}
}

__global__ void multiply(const float *a, const float *b, float *c)
{
	__shared__ float left[16][16], right[16][16];
	unsigned row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
	float sum = 0;

	for (unsigned k = 0; k < SIDE; k += 16) {
		left[threadIdx.y][threadIdx.x] = a[row * SIDE + k + threadIdx.x];
		right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * SIDE + column];
		__syncthreads();
		for (unsigned i = 0; i < 16; i++)
			sum += left[threadIdx.y][i] * right[i][threadIdx.x];
		__syncthreads();
	}
	c[row * SIDE + column] = sum;
}

#ifdef FIXED
// A histogram for each block, in shared memory.
__global__ void histogram(const unsigned *keys, unsigned *bins)
{
	__shared__ unsigned own[64];

	if (threadIdx.x < 64)
		own[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
		atomicAdd(&own[keys[i] % 64], 1u);
	__syncthreads();
	if (threadIdx.x < 64)
		atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
#else
__global__ void histogram(const unsigned *keys, unsigned *bins)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[keys[i] % 64], 1u);
}
#endif

__global__ void arithmetic(double *out, double seed)
{
	double x = seed + threadIdx.x, y = 1;

	for (unsigned i = 0; i < STEPS; i++) {
		x = sqrt(x * 1.25 + y);
		y = y / (x + 1.0);
		x = fma(x, 0.5, y);
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

#ifdef FIXED
static const unsigned ALIKE = 32;
#else
static const unsigned ALIKE = 1;
#endif

// Lanes take four ways. Fixed: elements are ordered so that those of a warp take one.
__global__ void diverge(const unsigned *keys, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i / ALIKE] % 4;
	float x = (float)i;

	for (unsigned j = 0; j < STEPS; j++) {
		if (key == 0)
			x = __sinf(x) + 1.0f;
		else if (key == 1)
			x = x * 0.99f + 2.0f;
		else if (key == 2)
			x = sqrtf(x + 3.0f);
		else
			x = __expf(-x) + 4.0f;
	}
	out[i] = x;
}

__device__ __noinline__ float polynomial(const float *factors, float x)
{
	float sum = 0;

	for (int i = 15; i >= 0; i--)
		sum = sum * x + factors[i];
	return sum;
}

__global__ void calls(const float *factors, const float *in, float *out)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N / 4;
	     i += gridDim.x * blockDim.x)
		out[i] = polynomial(factors, in[i]) + polynomial(factors + 16, in[i + N / 4]);
}

#ifdef FIXED
static const unsigned LEAST = 32;
#else
static const unsigned LEAST = 1;
#endif

// A tree with a barrier at each level. Fixed: the last five are of one warp, by shuffles.
__global__ void reduce(const float *in, float *out)
{
	__shared__ float part[256];
	float sum = 0;

	for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256)
		sum += in[i];
	for (unsigned again = 0; again < 64; again++) {
		part[threadIdx.x] = sum;
		__syncthreads();
		for (unsigned half = 128; half >= LEAST; half /= 2) {
			if (threadIdx.x < half)
				part[threadIdx.x] += part[threadIdx.x + half];
			__syncthreads();
		}
#ifdef FIXED
		if (threadIdx.x < 32) {
			float own = part[threadIdx.x];

			for (unsigned half = 16; half > 0; half /= 2)
				own += __shfl_down_sync(0xffffffffu, own, half);
			if (threadIdx.x == 0)
				part[0] = own;
		}
		__syncthreads();
#endif
		sum = part[0] * 0.5f;
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}

static unsigned *keys, *next, *bins;
static float *a, *b;
static double *wide;

static void launch(const char *name)
{
	if (!strcmp(name, "chase"))
		chase<<<64, 64>>>(next, bins);
	else if (!strcmp(name, "stream"))
		stream<<<1024, 256>>>(a, b, 3.0f);
	else if (!strcmp(name, "rows"))
		rows<<<8, 128>>>(a, a + SIDE * SIDE, a, b);
	else if (!strcmp(name, "transpose"))
		transpose<<<dim3(128, 128), dim3(32, 8)>>>(a, b);
	else if (!strcmp(name, "multiply"))
		multiply<<<dim3(SIDE / 16, SIDE / 16), dim3(16, 16)>>>(a, a + SIDE * SIDE, b);
	else if (!strcmp(name, "histogram"))
		histogram<<<1024, 256>>>(keys, bins);
	else if (!strcmp(name, "arithmetic"))
		arithmetic<<<256, 128>>>(wide, 2.0);
	else if (!strcmp(name, "diverge"))
		diverge<<<1024, 256>>>(keys, b);
	else if (!strcmp(name, "calls"))
		calls<<<1024, 256>>>(a, a, b);
	else
		reduce<<<1024, 256>>>(a, b);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"chase",    "stream",    "rows",       "transpose",
					    "multiply", "histogram", "arithmetic", "diverge",
					    "calls",    "reduce"};
	int launches = argc > 1 ? atoi(argv[1]) : 10;
	unsigned *numbers = (unsigned *)malloc(N * sizeof(*numbers));
	cudaEvent_t begin, end;

	for (unsigned i = 0, seed = 1; i < N; i++) {
		seed = seed * 1664525u + 1013904223u;
		numbers[i] = seed >> 8;
	}
	CHECK(cudaMalloc(&keys, N * sizeof(*keys)));
	CHECK(cudaMalloc(&next, N * sizeof(*next)));
	CHECK(cudaMalloc(&bins, N * sizeof(*bins)));
	CHECK(cudaMalloc(&a, N * sizeof(*a)));
	CHECK(cudaMalloc(&b, N * sizeof(*b)));
	CHECK(cudaMalloc(&wide, N * sizeof(*wide)));
	CHECK(cudaMemcpy(keys, numbers, N * sizeof(*keys), cudaMemcpyHostToDevice));
	for (unsigned i = 0; i < N; i++)
		numbers[i] %= N;
	CHECK(cudaMemcpy(next, numbers, N * sizeof(*next), cudaMemcpyHostToDevice));
	CHECK(cudaMemset(a, 0, N * sizeof(*a)));
	CHECK(cudaMemset(bins, 0, N * sizeof(*bins)));
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		float ms;

		if (argc > 2 && strcmp(argv[2], names[k]) != 0)
			continue;
		CHECK(cudaEventRecord(begin));
		for (int i = 0; i < launches; i++)
			launch(names[k]);
		CHECK(cudaEventRecord(end));
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		printf("kernel %s %d %.6f\n", names[k], launches, ms / 1e3);
	}
	free(numbers);
	return 0;
}

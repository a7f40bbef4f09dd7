/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels, for one variant: the includer defines VARIANT, and where every access is
 * to be given by hand PROBE_PARAMETER, PROBE_ARGUMENT, LOAD, STORE and
 * ATOMIC_ADD. One access to global memory per line: expect.cpp tells sites by
 * their distance from the line above the kernel.
 */
#include "shapes.h"

#ifndef PROBE_PARAMETER
#define PROBE_PARAMETER
#define PROBE_ARGUMENT
#define LOAD(pointer) (*(pointer))
#define STORE(pointer, value) (*(pointer) = (value))
#define ATOMIC_ADD(pointer, value) atomicAdd(pointer, value)
#endif

namespace VARIANT
{

static __device__ __forceinline__ int thread_x()
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

enum { STREAM = __LINE__ };
__global__ void stream(float *c, const float *a, const float *b, int n PROBE_PARAMETER)
{
	int i = thread_x();

	if (i < n) {
		float x = LOAD(a + i);
		float y = LOAD(b + i);
		STORE(c + i, x + y);
	}
}

enum { STENCIL = __LINE__ };
__global__ void stencil(float *out, const float *in, int n PROBE_PARAMETER)
{
	int x = thread_x(), y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum;

	if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
		sum = LOAD(in + y * n + x);
		sum += LOAD(in + y * n + x - 1);
		sum += LOAD(in + y * n + x + 1);
		sum += LOAD(in + (y - 1) * n + x);
		sum += LOAD(in + (y + 1) * n + x);
		STORE(out + y * n + x, 0.2f * sum);
	}
}

enum { GATHER = __LINE__ };
__global__ void gather(float *c, const float *a, const uint32_t *index, int n PROBE_PARAMETER)
{
	int i = thread_x();

	if (i < n) {
		int from = LOAD(index + i);
		float x = LOAD(a + from);
		STORE(c + i, x);
	}
}

enum { MATMUL = __LINE__ };
__global__ void matmul(float *c, const float *a, const float *b, int n PROBE_PARAMETER)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	float sum = 0;

	for (int first = 0; first < n; first += TILE) {
		tile_a[y][x] = LOAD(a + row * n + first + x);
		tile_b[y][x] = LOAD(b + (first + y) * n + column);
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	STORE(c + row * n + column, sum);
}

enum { HIST = __LINE__ };
__global__ void hist(uint32_t *bins, const uint8_t *bytes, int n PROBE_PARAMETER)
{
	for (int i = thread_x(); i < n; i += gridDim.x * blockDim.x) {
		uint8_t value = LOAD(bytes + i);
		ATOMIC_ADD(bins + value, 1u);
	}
}

enum { ROWSUM = __LINE__ };
__global__ void rowsum(float *sums, const float *a, int n PROBE_PARAMETER)
{
	int row = thread_x();
	float sum = 0;

	if (row < n) {
		for (int k = 0; k < n; k++)
			sum += LOAD(a + row * n + k);
		STORE(sums + row, sum);
	}
}

enum { SCATTER = __LINE__ };
__global__ void scatter(float *c, const float *a, const uint32_t *index, int n PROBE_PARAMETER)
{
	int i = thread_x();

	if (i < n) {
		int to = LOAD(index + i);
		float x = LOAD(a + i);
		STORE(c + to, x);
	}
}

enum { COLUMNSUM = __LINE__ };
__global__ void columnsum(float *sums, const float *a, int n PROBE_PARAMETER)
{
	int column = thread_x();
	float sum = 0;

	if (column < n) {
		for (int k = 0; k < n; k++)
			sum += LOAD(a + k * n + column);
		STORE(sums + column, sum);
	}
}

enum { DIVERGENT = __LINE__ };
__global__ void divergent(float *c, const float *a, int n PROBE_PARAMETER)
{
	int i = thread_x(), trips = hash(i) % 37;
	float sum = 0;

	if (i >= n)
		return;
	for (int k = 0; k < trips; k++) {
		uint32_t g = hash(hash(i) + k);

		if (g & 1) {
			sum += LOAD(a + i * DIVERGENT_ROW + k);
		} else {
			for (uint32_t wait = 0; wait < g >> 28; wait++)
				sum = sum * 1.5f + 1;
			sum -= LOAD(a + i * DIVERGENT_ROW + k + 1);
		}
		if ((g & 0x3f0) == 0x110)
			return;
	}
	STORE(c + i, sum);
}

enum { REDUCTION = __LINE__ };
__global__ void reduction(float *c, const float *a, int n PROBE_PARAMETER)
{
	__shared__ float part[256];
	int i = blockIdx.x * 512 + threadIdx.x;
	float sum = 0;

	if (i < n)
		sum += LOAD(a + i);
	if (i + 256 < n)
		sum += LOAD(a + i + 256);
	part[threadIdx.x] = sum;
	__syncthreads();
	for (uint32_t width = 128; width > 0; width /= 2) {
		if (threadIdx.x < width)
			part[threadIdx.x] += part[threadIdx.x + width];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		STORE(c + blockIdx.x, part[0]);
}

enum { CHASE = __LINE__ };
__global__ void chase(uint32_t *ends, const uint32_t *next, int n PROBE_PARAMETER)
{
	uint32_t i = thread_x(), at = hash(i) & (n - 1);

	for (int step = 0; step < CHASE_STEPS; step++)
		at = LOAD(next + at);
	STORE(ends + i, at);
}

enum { COPY = __LINE__ };
__global__ void copy(float *c, const float *a, int n PROBE_PARAMETER)
{
	for (int i = thread_x(); i < n; i += gridDim.x * blockDim.x) {
		float x = LOAD(a + i);
		STORE(c + i, x);
	}
}

enum { TINY = __LINE__ };
__global__ void tiny(float *c PROBE_PARAMETER)
{
	float x = LOAD(c + threadIdx.x);
	STORE(c + threadIdx.x, x + 1);
}

typedef float four_floats __attribute__((ext_vector_type(4))); /* one access, unlike float4 */

enum { WIDE = __LINE__ };
__global__ void wide(four_floats *c, const four_floats *a, int n PROBE_PARAMETER)
{
	int i = thread_x();

	if (i < n) {
		four_floats x = LOAD(a + i);
		STORE(c + i, x);
	}
}

static dim3 per_element(const data &d)
{
	return dim3((d.elements + 255) / 256);
}

static dim3 resident(const data &d)
{
	uint32_t blocks = per_element(d).x;

	return dim3(blocks < 132 * 8 ? blocks : 132 * 8);
}

static dim3 pixels(const data &d)
{
	return dim3((d.side + 31) / 32, (d.side + 7) / 8);
}

static dim3 tiles(const data &d)
{
	return dim3(d.matrix / TILE, d.matrix / TILE);
}

static dim3 per_row(const data &d)
{
	return dim3((d.matrix + 255) / 256);
}

static dim3 halves(const data &d)
{
	return dim3((d.elements + 511) / 512);
}

static dim3 per_divergent_row(const data &d)
{
	return dim3((d.elements / DIVERGENT_ROW + 255) / 256);
}

static dim3 per_four(const data &d)
{
	return dim3((d.elements / 4 + 255) / 256);
}

static dim3 chasers(const data &d)
{
	return dim3((d.elements / CHASE_STEPS + 255) / 256);
}

static dim3 one(const data &)
{
	return dim3(1);
}

/* A function that launches a kernel in a stream. */
#define LAUNCHER(kernel, ...)                                                                      \
	static void launch_##kernel(const shape &s, const data &d, cudaStream_t in)                \
	{                                                                                          \
		kernel<<<s.grid(d), s.block, 0, in>>>(__VA_ARGS__ PROBE_ARGUMENT);                 \
	}

LAUNCHER(stream, d.c, d.a, d.b, d.elements)
LAUNCHER(stencil, d.c, d.a, d.side)
LAUNCHER(gather, d.c, d.a, d.index, d.elements)
LAUNCHER(matmul, d.c, d.a, d.b, d.matrix)
LAUNCHER(hist, d.bins, d.bytes, d.elements)
LAUNCHER(rowsum, d.c, d.a, d.matrix)
LAUNCHER(scatter, d.c, d.a, d.index, d.elements)
LAUNCHER(columnsum, d.c, d.a, d.matrix)
LAUNCHER(divergent, d.c, d.a, d.elements / DIVERGENT_ROW)
LAUNCHER(reduction, d.c, d.a, d.elements)
LAUNCHER(chase, (uint32_t *)d.c, d.next, d.elements)
LAUNCHER(copy, d.c, d.a, d.elements)
LAUNCHER(tiny, d.c)
LAUNCHER(wide, (four_floats *)d.c, (const four_floats *)d.a, d.elements / 4)

} /* namespace VARIANT */

using namespace VARIANT;

shape SHAPE_TABLE[] = {
    {"stream", STREAM, (const void *)stream, per_element, dim3(256), launch_stream},
    {"stencil", STENCIL, (const void *)stencil, pixels, dim3(32, 8), launch_stencil},
    {"gather", GATHER, (const void *)gather, per_element, dim3(256), launch_gather},
    {"matmul", MATMUL, (const void *)matmul, tiles, dim3(TILE, TILE), launch_matmul},
    {"hist", HIST, (const void *)hist, resident, dim3(256), launch_hist},
    {"rowsum", ROWSUM, (const void *)rowsum, per_row, dim3(256), launch_rowsum},
    {"scatter", SCATTER, (const void *)scatter, per_element, dim3(256), launch_scatter},
    {"columnsum", COLUMNSUM, (const void *)columnsum, per_row, dim3(256), launch_columnsum},
    {"divergent", DIVERGENT, (const void *)divergent, per_divergent_row, dim3(256),
     launch_divergent},
    {"reduction", REDUCTION, (const void *)reduction, halves, dim3(256), launch_reduction},
    {"chase", CHASE, (const void *)chase, chasers, dim3(256), launch_chase},
    {"copy", COPY, (const void *)copy, resident, dim3(256), launch_copy},
    {"tiny", TINY, (const void *)tiny, one, dim3(32), launch_tiny},
    {"wide", WIDE, (const void *)wide, per_four, dim3(256), launch_wide},
};

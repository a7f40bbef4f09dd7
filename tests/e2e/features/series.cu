/* SPDX-License-Identifier: Apache-2.0 */
/* Unrolled loops with more accesses than a unit has code for: at constant distances, in blocks with
 * barriers, in branches, of many widths, copied as structures, in device functions. */
#include "feature.h"
// construct: hundreds of accesses at constant distances
#define TILE 160 /* rows of a warp */
#define WARP 32

struct mixed {
	char c;
	short s;
	int i;
	double d;
	float4 v;
};

struct __align__(16) block
{
	int word[12];
};

/* Loads with stores to shared memory between them, a barrier, stores. */
__global__ void transpose(int *to, const int *from)
{
	__shared__ int tile[TILE * WARP];
	int lane = threadIdx.x;

#pragma unroll
	for (int row = 0; row < TILE; row++)
		tile[row * WARP + lane] = from[row * WARP + lane];
	__syncthreads();
#pragma unroll
	for (int row = 0; row < TILE; row++)
		to[(TILE - 1 - row) * WARP + lane] = tile[row * WARP + (lane ^ 1)];
}

/* Each element is read and written: nothing but its own order tells loads from stores. From the
 * last one down, of a half of the lanes. */
__global__ void add_down(int *data)
{
	int *last = data + (TILE - 1) * WARP + threadIdx.x;

	if (threadIdx.x % 2)
#pragma unroll
		for (int row = 0; row < TILE; row++)
			last[-row * WARP] += row + 1;
}

/* Fields of many widths, and more than one base. */
__global__ void fields(mixed *to, const mixed *from, const int *add)
{
	int i = threadIdx.x * 4;

#pragma unroll
	for (int k = 0; k < 4; k++) {
		to[i + k].c = from[i + k].c;
		to[i + k].s = from[i + k].s;
		to[i + k].i = from[i + k].i + add[k];
		to[i + k].d = from[i + k].d;
		to[i + k].v = from[i + k].v;
	}
}

/* Short blocks: between global and shared memory, and within global memory. */
__global__ void blocks(block *to, const block *from)
{
	__shared__ block held[8 * WARP];

#pragma unroll
	for (int k = 0; k < 8; k++)
		__builtin_memcpy(&held[k * WARP + threadIdx.x], &from[k * WARP + threadIdx.x],
				 sizeof(block));
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 8; k++)
		__builtin_memcpy(&to[k * WARP + threadIdx.x], &held[k * WARP + (threadIdx.x ^ 1)],
				 sizeof(block));
#pragma unroll
	for (int k = 0; k < 2; k++)
		__builtin_memcpy(&to[(8 + k) * WARP + threadIdx.x], &from[k * WARP + threadIdx.x],
				 sizeof(block));
}

/* A device function that is called twice, and after the first call by some lanes only. */
static __device__ __noinline__ void scale(int *row, int factor)
{
#pragma unroll
	for (int k = 0; k < 40; k++)
		row[k * WARP] *= factor;
}

__global__ void scaled(int *data, int lanes)
{
	scale(data + threadIdx.x, 3);
	if (threadIdx.x < lanes)
		scale(data + 40 * WARP + threadIdx.x, 5);
}

static void whole_tiles()
{
	int *from = device_array<int>(TILE * WARP), *to = device_array<int>(TILE * WARP);
	int host[TILE * WARP];

	for (int i = 0; i < TILE * WARP; i++)
		host[i] = 7 * i;
	upload(from, host, TILE * WARP);
	transpose<<<1, WARP>>>(to, from);
	check("transpose", all_equal(to, TILE * WARP, [](size_t i) {
		      size_t row = TILE - 1 - i / WARP;

		      return 7 * (row * WARP + (i % WARP ^ 1));
	      }));
	add_down<<<1, WARP>>>(from);
	check("add_down", all_equal(from, TILE * WARP, [](size_t i) {
		      return 7 * i + (i % 2 ? TILE - i / WARP : 0);
	      }));
	/* A warp of 20 threads. */
	transpose<<<1, 20>>>(to, from);
	need(cudaDeviceSynchronize(), "transpose of 20 threads");
}

static void structures()
{
	mixed *from = device_array<mixed>(4 * WARP), *to = device_array<mixed>(4 * WARP);
	mixed host[4 * WARP] = {}, result[4 * WARP];
	int *add = device_array<int>(4), numbers[4] = {0, 10, 20, 30};
	bool same = true;

	for (int i = 0; i < 4 * WARP; i++)
		host[i] = {(char)i, (short)(i * 3), i * 5, i * 7.0, {1, 2, 3, (float)i}};
	upload(from, host, 4 * WARP);
	upload(add, numbers, 4);
	fields<<<1, WARP>>>(to, from, add);
	download(result, to, 4 * WARP);
	for (int i = 0; i < 4 * WARP; i++)
		same = same && result[i].c == (char)i && result[i].s == i * 3 &&
		       result[i].i == i * 5 + i % 4 * 10 && result[i].d == i * 7.0 &&
		       result[i].v.w == (float)i;
	check("fields", same);

	block *whole = device_array<block>(8 * WARP), *copy = device_array<block>(10 * WARP);
	int words[8 * WARP * 12];

	for (int i = 0; i < 8 * WARP * 12; i++)
		words[i] = 3 * i;
	upload((int *)whole, words, 8 * WARP * 12);
	blocks<<<1, WARP>>>(copy, whole);
	check("blocks", all_equal((int *)copy, 10 * WARP * 12, [](size_t i) {
		      size_t number = i / 12; /* neighbours change places, but in the last two */

		      return 3 *
			     (number < 8 * WARP ? (number ^ 1) * 12 + i % 12 : i - 8 * WARP * 12);
	      }));
}

int main()
{
	int *data = device_array<int>(80 * WARP), ones[80 * WARP];

	whole_tiles();
	structures();
	for (int i = 0; i < 80 * WARP; i++)
		ones[i] = 1;
	upload(data, ones, 80 * WARP);
	scaled<<<1, WARP>>>(data, 8);
	check("scaled", all_equal(data, 80 * WARP, [](size_t i) {
		      return i < 40 * WARP ? 3 : i % WARP < 8 ? 5 : 1;
	      }));
	return finish();
}

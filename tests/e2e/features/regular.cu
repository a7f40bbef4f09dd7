/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses that are recorded together: at equal distances, and in regular loops. */
#include "feature.h"
#include <cstdint>
// construct: accesses at equal distances
// construct: loops with a trip count known at their entry
// construct: indices that wrap

struct pair {
	float first;
	int second;
};
struct arrays {
	int width;
	const int *in;
	int *out;
};

__global__ void stream(int *c, const int *a, const int *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

__global__ void stencil(int *out, const int *in, unsigned n)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;

	if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
		out[y * n + x] = in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
				 in[(y - 1) * n + x] + in[(y + 1) * n + x];
}

/* Distances of a structure that is a parameter, and of its members. */
__global__ void by_value(arrays a)
{
	int i = threadIdx.x;

	a.out[i] = a.in[i] + a.in[i + a.width];
	a.out[i + a.width] = a.in[i + 2 * a.width] - a.in[i];
}

__global__ void members(pair *p)
{
	pair v = p[threadIdx.x];

	p[threadIdx.x + 64] = {v.first + 1, v.second + 1};
}

/* The distance of the second access is not that of the others where i - 1 wraps. */
__global__ void behind(uint8_t *out, const uint8_t *in)
{
	unsigned i = threadIdx.x;

	out[i] = in[i] + in[i - 1];
}

/* Some threads come past the end of 32 bits in this loop, others do not. */
__global__ void around(unsigned *sums, const uint8_t *in, unsigned from, int n)
{
	unsigned i = from + 4 * threadIdx.x, sum = 0;

	for (int k = 0; k < n; k++)
		sum += in[i + 2u * k];
	sums[threadIdx.x] = sum;
}

__global__ void row_sums(int *sums, const int *in, int rows, int width)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	if (row >= rows)
		return;
	for (int k = 0; k < width; k++)
		sum += in[row * width + k];
	sums[row] = sum;
}

/* Every thread runs for another number of times, the first not at all. */
__global__ void triangle(int *sums, const int *in, int width)
{
	int sum = 0;

	for (int k = threadIdx.x - 1; k >= 0; k--)
		sum += in[threadIdx.x * width + k];
	sums[threadIdx.x] = sum;
}

/* Two loops in a third one, the second goes on where the first ends. */
__global__ void in_place(int *a, int n, int half)
{
	for (int row = 0; row < n; row++) {
		int k = 0;

		for (; k < half; k++)
			a[(row * n + k) * 32 + threadIdx.x] += row;
		for (; k < n; k++)
			a[(row * n + k) * 32 + threadIdx.x] -= k;
	}
}

__global__ void pointers(long *sums, const long *from, int n)
{
	const long *end = from + 32 * n;
	long sum = 0;

	for (const long *p = from + threadIdx.x; p < end; p += 32)
		sum += *p;
	sums[threadIdx.x] = sum;
}

__global__ void tiles(int *c, const int *a, const int *b, unsigned n)
{
	__shared__ int tile_a[16][16], tile_b[16][16];
	unsigned x = threadIdx.x, y = threadIdx.y;
	unsigned column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
	int sum = 0;

	for (unsigned first = 0; first < n; first += 16) {
		tile_a[y][x] = a[row * n + first + x];
		tile_b[y][x] = b[(first + y) * n + column];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

/* The number of threads as the step, and a variable of every kind. */
template <typename T> __global__ void grid_stride(int *c, const int *a, T n)
{
	for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		c[i] = a[i] + 1;
}

/* Not regular: it ends when the data say so. */
__global__ void until(int *lengths, const int *in, int n)
{
	int k = 0;

	for (; k < n && in[k * 32 + threadIdx.x] != 7; k++)
		;
	lengths[threadIdx.x] = k;
}

__global__ void exchange(int *sums, const int *in, int n)
{
	int sum = 0;

	for (int k = 0; k < n; k++)
		sum += __shfl_xor_sync(~0u, in[k * 32 + threadIdx.x], 1);
	sums[threadIdx.x] = sum;
}

static void groups()
{
	const int n = 1000, side = 64;
	int *a = device_array<int>(side * side), *b = device_array<int>(side * side);
	int *c = device_array<int>(side * side), host[side * side];

	for (int i = 0; i < side * side; i++)
		host[i] = i;
	upload(a, host, side * side);
	upload(b, host, side * side);
	stream<<<8, 128>>>(c, a, b, n);
	check("stream", all_equal(c, side * side, [](size_t i) { return i < n ? 2 * (int)i : 0; }));
	stencil<<<dim3(2, side), 32>>>(c, a, side);
	check("stencil", all_equal(c + side, side * (side - 2), [](size_t i) {
		      int x = i % side, j = (int)i + side;
		      return x == 0 || x == side - 1 ? (j < n ? 2 * j : 0) : 5 * j;
	      }));
	by_value<<<1, 32>>>({100, a, c});
	check("parameters by value", all_equal(c, 32, [](size_t i) { return 2 * (int)i + 100; }) &&
					 all_equal(c + 100, 32, [](size_t) { return 200; }));

	pair *p = device_array<pair>(128), pairs[64];
	for (int i = 0; i < 64; i++)
		pairs[i] = {(float)i, 2 * i};
	upload(p, pairs, 64);
	members<<<1, 64>>>(p);
	download(pairs, p + 64, 64);
	check("members", pairs[63].first == 64 && pairs[63].second == 127 && pairs[0].second == 1);
}

/* 2^32 bytes, of which only the ends are used */
static void wraps()
{
	const size_t size = 1ull << 32;
	uint8_t *big, *out = device_array<uint8_t>(64), ends[128];
	unsigned *sums = device_array<unsigned>(64);

	need(cudaMalloc(&big, size), "cudaMalloc of 4 GiB");
	for (int i = 0; i < 128; i++)
		ends[i] = i;
	upload(big + size - 128, ends, 128);
	upload(big, ends, 128);
	behind<<<1, 64>>>(out, big);
	check("a distance that wraps",
	      all_equal(out, 64, [](size_t i) { return i ? (uint8_t)(2 * i - 1) : (uint8_t)127; }));
	around<<<1, 48>>>(sums, big, 0u - 128, 20);
	check("a loop that wraps", all_equal(sums, 48, [](size_t i) {
		      unsigned sum = 0;
		      for (int k = 0; k < 20; k++)
			      sum += (4 * i + 2 * k) % 128;
		      return sum;
	      }));
	cudaFree(big);
}

static void loops()
{
	const int n = 64;
	int *a = device_array<int>(n * n), *b = device_array<int>(n * n);
	int *c = device_array<int>(n * n), host[n * n];
	long *from = device_array<long>(320), *sums = device_array<long>(32), numbers[320];

	for (int i = 0; i < n * n; i++)
		host[i] = i % 11;
	upload(a, host, n * n);
	row_sums<<<1, 64>>>(c, a, 50, 61);
	check("sums of rows", all_equal(c, 64, [&](size_t row) {
		      int sum = 0;
		      for (int k = 0; row < 50 && k < 61; k++)
			      sum += host[row * 61 + k];
		      return sum;
	      }));
	triangle<<<1, 64>>>(c, a, n);
	check("other counts", all_equal(c, 64, [&](size_t row) {
		      int sum = 0;
		      for (size_t k = 0; k < row; k++)
			      sum += host[row * n + k];
		      return sum;
	      }));
	grid_stride<int><<<3, 32>>>(c, a, n * n - 7);
	grid_stride<unsigned><<<5, 32>>>(c, c, n * n - 7);
	grid_stride<size_t><<<7, 32>>>(c, c, n * n - 7);
	check("grid stride", all_equal(c, n * n - 7, [&](size_t i) { return host[i] + 3; }));
	for (int i = 0; i < 320; i++)
		numbers[i] = i;
	upload(from, numbers, 320);
	pointers<<<1, 32>>>(sums, from, 10);
	check("pointers", all_equal(sums, 32, [](size_t i) { return (long)(10 * i + 32 * 45); }));
	until<<<1, 32>>>(c, a, 100);
	check("until", all_equal(c, 32, [&](size_t i) {
		      int k = 0;
		      while (host[k * 32 + i] != 7)
			      k++;
		      return k;
	      }));
	exchange<<<1, 32>>>(c, a, 9);
	check("exchange", all_equal(c, 32, [&](size_t i) {
		      int sum = 0;
		      for (int k = 0; k < 9; k++)
			      sum += host[k * 32 + (i ^ 1)];
		      return sum;
	      }));
	for (int i = 0; i < n * n; i++)
		host[i] = i % n == i / n;
	upload(b, host, n * n);
	tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
	check("tiles", all_equal(c, n * n, [](size_t i) { return (int)i % 11; }));
	in_place<<<1, 32>>>(c, 11, 4);
	check("in place", all_equal(c, 32 * 121, [](size_t i) {
		      int row = i / 32 / 11, k = i / 32 % 11;
		      return (int)i % 11 + (k < 4 ? row : -k);
	      }));
}

int main()
{
	groups();
	wraps();
	loops();
	return finish();
}

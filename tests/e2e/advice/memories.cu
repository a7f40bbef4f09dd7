// SPDX-License-Identifier: Apache-2.0
// In which memory data should live.
// judged: constant-memory, shared-memory, overwritten-stores
#include "cases.h"

static const int many = 16384;
static const int full = 65536; // as many as keep the load-store units of a device busy
static const int taps = 32;

static float tap(int i)
{
	return noise(i) - 0.5f;
}

// case all_lanes_one_address
static __global__ void filter(const float *weights, const float *in, float *out)
{
	float sum = 0;

	for (int t = 0; t < taps; t++)
		sum += weights[t] * in[index() + t]; // has constant-memory: by value
	out[index()] = sum;
}

CASE(all_lanes_one_address)
{
	ALLOCATE(float, weights, taps);
	ALLOCATE(float, in, full + taps);
	ALLOCATE(float, out, full);

	copy_in(weights, filled<float>(taps, tap));
	copy_in(in, filled<float>(full + taps, noise));
	filter<<<full / 256, 256>>>(weights, in, out);
	copy_out(out, full);
}

// case kernels_make_it
// Innocent: a kernel has made the weights.
static __global__ void weigh(float *weights)
{
	weights[threadIdx.x] = 1.0f / (1 + threadIdx.x);
}

static __global__ void filter_again(const float *weights, const float *in, float *out)
{
	float sum = 0;

	for (int t = 0; t < taps; t++)
		sum += weights[t] * in[index() + t];
	out[index()] = sum;
}

CASE(kernels_make_it)
{
	ALLOCATE(float, weights, taps);
	ALLOCATE(float, in, full + taps);
	ALLOCATE(float, out, full);

	copy_in(in, filled<float>(full + taps, noise));
	weigh<<<1, taps>>>(weights);
	filter_again<<<full / 256, 256>>>(weights, in, out);
	copy_out(out, full);
}

// case rows_of_a_matrix
// No constants, though it is small enough: a warp reads a row of a, another warp another one. The
// rows of b are those of all warps.
static __global__ void multiply(const float *a, const float *b, float *c, int n)
{
	int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum +=
		    a[row * n + k] * b[k * n + column]; // has shared-memory: a part of b and a into
	c[row * n + column] = sum;
}

CASE(rows_of_a_matrix)
{
	const int n = 96;
	ALLOCATE(float, a, n *n);
	ALLOCATE(float, b, n *n);
	ALLOCATE(float, c, n *n);

	copy_in(a, filled<float>(n * n, noise));
	copy_in(b, filled<float>(n * n, noise));
	multiply<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(a, b, c, n);
	copy_out(c, n * n);
}

// case looked_up
// Innocent: each lane looks up an element of its own.
static __global__ void look_up(const float *table, const int *from, float *out)
{
	float sum = 0;

	for (int i = 0; i < 16; i++)
		sum += table[(from[index()] + 7 * i) % 256];
	out[index()] = sum;
}

CASE(looked_up)
{
	ALLOCATE(float, table, 256);
	ALLOCATE(int, from, many);
	ALLOCATE(float, out, many);

	copy_in(table, filled<float>(256, noise));
	copy_in(from, filled<int>(many, [](int i) { return (int)(noise(i) * 255); }));
	look_up<<<many / 128, 128>>>(table, from, out);
	copy_out(out, many);
}

// case one_number
// Innocent: a number that each thread loads once, beside what memory brings.
static __global__ void scale(const float *factor, const float *in, float *out)
{
	out[index()] = *factor * in[index()];
}

CASE(one_number)
{
	ALLOCATE(float, factor, 1);
	ALLOCATE(float, in, many);
	ALLOCATE(float, out, many);

	copy_in(factor, filled<float>(1, noise));
	copy_in(in, filled<float>(many, noise));
	scale<<<many / 128, 128>>>(factor, in, out);
	copy_out(out, many);
}

// case tiles
// Innocent: the same by tiles.
static __global__ void multiply_tiles(const float *a, const float *b, float *c, int n)
{
	__shared__ float rows[16][16], columns[16][16];
	int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;

	for (int first = 0; first < n; first += 16) {
		rows[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
		columns[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += rows[threadIdx.y][k] * columns[k][threadIdx.x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

CASE(tiles)
{
	const int n = 96;
	ALLOCATE(float, a, n *n);
	ALLOCATE(float, b, n *n);
	ALLOCATE(float, c, n *n);

	copy_in(a, filled<float>(n * n, noise));
	copy_in(b, filled<float>(n * n, noise));
	multiply_tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
	copy_out(c, n * n);
}

// case neighbours
// Innocent: what neighbours load again comes from the L1 in time.
static __global__ void smooth(const float *from, float *to, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
	int i = y * n + x;

	to[i] =
	    from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] - 4 * from[i]);
}

CASE(neighbours)
{
	const int n = 258;
	ALLOCATE(float, from, n *n);
	ALLOCATE(float, to, n *n);

	copy_in(from, filled<float>(n * n, noise));
	smooth<<<dim3(8, 32), dim3(32, 8)>>>(from, to, n);
	copy_out(to, n * n);
}

// case sum_in_memory
// Nothing says that out is not in, so the sum is stored each time.
static __global__ void add_columns(const float *in, float *out)
{
	out[index()] = 0;
	for (int i = 0; i < 16; i++)
		out[index()] += in[i * full + index()]; // has overwritten-stores: in a register
}

CASE(sum_in_memory)
{
	ALLOCATE(float, in, 16 * full);
	ALLOCATE(float, out, full);

	copy_in(in, filled<float>(16 * full, noise));
	add_columns<<<full / 256, 256>>>(in, out);
	copy_out(out, full);
}

// case sum_in_a_register
// Innocent: the same, stored once.
static __global__ void add_columns_once(const float *in, float *out)
{
	float sum = 0;

	for (int i = 0; i < 16; i++)
		sum += in[i * full + index()];
	out[index()] = sum;
}

CASE(sum_in_a_register)
{
	ALLOCATE(float, in, 16 * full);
	ALLOCATE(float, out, full);

	copy_in(in, filled<float>(16 * full, noise));
	add_columns_once<<<full / 256, 256>>>(in, out);
	copy_out(out, full);
}

// case a_flag
// Innocent: many threads store the same flag, which is one element.
static __global__ void look_for(const float *in, int *found)
{
	for (int i = 0; i < 4; i++)
		if (in[i * many + index()] > 0)
			*found = 1;
}

CASE(a_flag)
{
	ALLOCATE(float, in, 4 * many);
	ALLOCATE(int, found, 1);

	copy_in(in, filled<float>(4 * many, noise));
	OK(cudaMemset(found, 0, sizeof(int)));
	look_for<<<many / 128, 128>>>(in, found);
	copy_out(found, 1);
}

// SPDX-License-Identifier: Apache-2.0
// Programs as they should be: there is nothing to say of them.
// judged: not-a-number, single-zero, single-value, frequent-value, common-value, structured
// judged: heavy-type, few-values, approximate, dead-write, unused, redundant-loads
// judged: silent-stores, unchanged-stores, agreeing-stores, unchanged-output, redundant-atomics
// judged: redundant-memset
// judged: local, race, same-value-race
#include "cases.h"

static const int many = 4096;

// case dot
// Innocent: a dot product as it should be.
static __global__ void dot_product(const float *a, const float *b, float *out)
{
	__shared__ float part[4];
	float sum = 0;

	for (int i = index(); i < many; i += (int)(gridDim.x * blockDim.x))
		sum += a[i] * b[i];
	for (int d = 16; d; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(out, part[0] + part[1] + part[2] + part[3]);
}

CASE(dot)
{
	ALLOCATE(float, a, many);
	ALLOCATE(float, b, many);
	ALLOCATE(float, out, 1);

	copy_in(a, filled<float>(many, noise));
	copy_in(b, filled<float>(many, [](int i) { return noise(i + 99999); }));
	OK(cudaMemset(out, 0, sizeof(float)));
	dot_product<<<8, 128>>>(a, b, out);
	copy_out(out, 1);
}

// case stencil
// Innocent: two arrays in turns.
static __global__ void smooth(const float *from, float *to)
{
	int i = index();

	to[i] = (from[i ? i - 1 : i] + from[i] + from[i + 1 < many ? i + 1 : i]) / 3;
}

CASE(stencil)
{
	ALLOCATE(float, a, many);
	ALLOCATE(float, b, many);

	copy_in(a, filled<float>(many, noise));
	for (int i = 0; i < 4; i++) {
		smooth<<<many / 128, 128>>>(a, b);
		std::swap(a, b);
	}
	copy_out(a, many);
}

// case matmul
// Innocent: tiles in shared memory.
static __global__ void multiply(const float *a, const float *b, float *c, int n)
{
	__shared__ float s[16][16], t[16][16];
	int x = (int)threadIdx.x, y = (int)threadIdx.y;
	int row = (int)blockIdx.y * 16 + y, column = (int)blockIdx.x * 16 + x;
	float sum = 0;

	for (int k = 0; k < n; k += 16) {
		s[y][x] = a[row * n + k + x];
		t[y][x] = b[(k + y) * n + column];
		__syncthreads();
		for (int i = 0; i < 16; i++)
			sum += s[y][i] * t[i][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

CASE(matmul)
{
	ALLOCATE(float, a, many);
	ALLOCATE(float, b, many);
	ALLOCATE(float, c, many);

	copy_in(a, filled<float>(many, noise));
	copy_in(b, filled<float>(many, [](int i) { return noise(i + 99999); }));
	multiply<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64);
	copy_out(c, many);
}

// case scan
// Innocent: sums of all before, block by block, then of blocks.
static __global__ void scan_blocks(const float *in, float *out, float *sums)
{
	__shared__ float s[256];
	int t = (int)threadIdx.x;

	s[t] = in[index()];
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		float v = t >= d ? s[t - d] : 0;
		__syncthreads();
		s[t] += v;
	}
	out[index()] = s[t];
	if (t == 255)
		sums[blockIdx.x] = s[t];
}

static __global__ void add_blocks(float *out, const float *sums)
{
	float before = 0;

	for (unsigned b = 0; b < blockIdx.x; b++)
		before += sums[b];
	out[index()] += before;
}

CASE(scan)
{
	ALLOCATE(float, in, many);
	ALLOCATE(float, out, many);
	ALLOCATE(float, sums, 16);

	copy_in(in, filled<float>(many, noise));
	scan_blocks<<<16, 256>>>(in, out, sums);
	add_blocks<<<16, 256>>>(out, sums);
	copy_out(out, many);
}

// case generators
// Innocent: states of generators, which stay.
static __global__ void seed(unsigned *state)
{
	state[index()] = (unsigned)index() * 747796405u + 2891336453u;
}

static __global__ void draw(unsigned *state, float *out)
{
	unsigned x = state[index()];

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	state[index()] = x;
	out[index()] = (float)(x >> 8) / 16777216.f;
}

CASE(generators)
{
	ALLOCATE(unsigned, state, many);
	ALLOCATE(float, out, many);

	seed<<<many / 128, 128>>>(state);
	for (int i = 0; i < 3; i++) {
		draw<<<many / 128, 128>>>(state, out);
		copy_out(out, many);
	}
}

// case ways
// Innocent: two ways to one result, of which the second one counts besides.
static __global__ void double_all(const float *from, float *to)
{
	to[index()] = 2 * from[index()];
}

static __global__ void add_twice(const float *from, float *to, int *count)
{
	to[index()] = from[index()] + from[index()];
	if (threadIdx.x == 0)
		atomicAdd(count, 1);
}

CASE(ways)
{
	ALLOCATE(float, from, many);
	ALLOCATE(float, to, many);
	ALLOCATE(int, count, 1);

	copy_in(from, filled<float>(many, noise));
	OK(cudaMemset(count, 0, sizeof(int)));
	double_all<<<many / 128, 128>>>(from, to);
	copy_out(to, many);
	add_twice<<<many / 128, 128>>>(from, to, count);
	copy_out(to, many);
	copy_out(count, 1);
}

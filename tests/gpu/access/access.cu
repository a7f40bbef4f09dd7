// SPDX-License-Identifier: Apache-2.0
// Kernels that access memory in all the ways that docs/access.md tells apart, a kernel each, for
// access.sh to hold `ctpost access` against the device's counters: requests and sectors of global
// memory, bank conflicts, branches; and kernels whose working sets are of L1, of L2 and beyond, for
// the models of caches. Checks itself: prints a sum over all that was stored.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CTAS 64
#define THREADS 256
#define N (CTAS * THREADS)
#define WORDS (8u << 20) /* of in and out */

struct particle {
	float x, y, z;
};

static __device__ int at()
{
	return blockIdx.x * THREADS + threadIdx.x;
}

// Global memory: each stores what it loads, one element a thread, with unit stride if not said
// otherwise.
__global__ void unit(const float *in, float *out)
{
	out[at()] = in[at()];
}
__global__ void misaligned(const float *in, float *out)
{
	out[at()] = in[at() + 1];
}
__global__ void misaligned_half(const float *in, float *out)
{
	out[at() + 4] = in[at() + 4];
}
__global__ void every_second(const float *in, float *out)
{
	out[at()] = in[2 * at()];
}
__global__ void every_eighth(const float *in, float *out)
{
	out[8 * at()] = in[8 * at()];
}
__global__ void every_33rd(const float *in, float *out)
{
	out[at()] = in[33 * at()];
}
__global__ void downward(const float *in, float *out)
{
	out[at()] = in[N - 1 - at()];
}
__global__ void broadcast(const float *in, float *out)
{
	out[at()] = in[blockIdx.x * 8];
}
__global__ void doubles(const double *in, double *out)
{
	out[at()] = in[at()];
}
__global__ void quads(const float4 *in, float4 *out)
{
	out[at()] = in[at()];
}
__global__ void quads_strided(const float4 *in, float4 *out)
{
	out[at()] = in[2 * at()];
}
__global__ void bytes(const char *in, char *out)
{
	out[at()] = in[at()];
}
__global__ void bytes_strided(const char *in, char *out)
{
	out[at()] = in[32 * at()];
}
__global__ void halves(const short *in, short *out)
{
	out[at()] = in[at() + 3];
}
__global__ void structures(const particle *in, float *out)
{
	out[at()] = in[at()].x + in[at()].y + in[at()].z;
}
__global__ void half_warp(const float *in, float *out)
{
	if (threadIdx.x % 32 < 16)
		out[at()] = in[at()];
}
__global__ void even_lanes(const float *in, float *out)
{
	if (threadIdx.x % 2 == 0)
		out[at()] = in[at()];
}
__global__ void one_lane(const float *in, float *out)
{
	if (threadIdx.x % 32 == 5)
		out[at()] = in[at()];
}
__global__ void gather(const float *in, const int *index, float *out)
{
	out[at()] = in[index[at()]];
}
__global__ void scatter(const float *in, const int *index, float *out)
{
	out[index[at()]] = in[at()];
}
__global__ void narrow_rows(const float *in, float *out) // CTAs of 8 x 32
{
	int x = blockIdx.x * 8 + threadIdx.x, y = threadIdx.y;

	out[y * 8 * CTAS + x] = in[y * 8 * CTAS + x];
}
__global__ void stencil(const float *in, float *out)
{
	int i = at() + 512;

	out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - 512] + in[i + 512];
}
__global__ void reduce_one(int *sum)
{
	atomicAdd(sum + 64, (int)threadIdx.x);
}
__global__ void reduce_many(const int *index, int *sum)
{
	atomicAdd(sum + index[at()] % 256, 1);
}
__global__ void exchange(int *sum, int *out)
{
	out[at()] = atomicExch(sum + at(), at());
}

// Shared memory.
template <int PITCH> static __device__ void turn(const float *in, float *out)
{
	__shared__ float tile[32][PITCH];

	for (int y = threadIdx.y; y < 32; y += 8)
		tile[y][threadIdx.x] = in[blockIdx.x * 1024 + y * 32 + threadIdx.x];
	__syncthreads();
	for (int y = threadIdx.y; y < 32; y += 8)
		out[blockIdx.x * 1024 + y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}
__global__ void transpose(const float *in, float *out)
{
	turn<32>(in, out);
}
__global__ void transpose_padded(const float *in, float *out)
{
	turn<33>(in, out);
}
__global__ void shared_strided(float *out)
{
	__shared__ float tile[4 * THREADS];

	tile[4 * threadIdx.x] = (float)threadIdx.x;
	__syncthreads();
	out[at()] = tile[4 * (THREADS - 1 - threadIdx.x)];
}

// Branches: loops whose trip counts are not known, so that none is made of predicates.
static __device__ unsigned spin(unsigned x, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++)
		x = x * 1664525 + (x >> 7);
	return x;
}
__global__ void loop_uniform(unsigned *out, int times)
{
	out[at()] = spin(at(), times);
}
__global__ void loop_by_lane(unsigned *out, int times)
{
	out[at()] = spin(at(), times + threadIdx.x % 32);
}
__global__ void two_ways(unsigned *out, int times)
{
	unsigned x = at();

	if (threadIdx.x % 2)
		x = spin(x, times);
	else
		x = spin(x ^ 5, times + 3) * 7;
	out[at()] = x;
}
__global__ void ways_by_warp(unsigned *out, int times)
{
	unsigned x = at();

	if (threadIdx.x / 32 % 2)
		x = spin(x, times);
	else
		x = spin(x ^ 5, times + 3) * 7;
	out[at()] = x;
}

// Caches: a CTA's 16 KiB and 4 MiB of all, four times each; 32 MiB once and twice; rows and
// columns.
__global__ void sweep_own(const float *in, float *out, int times)
{
	float sum = 0;

	for (int t = 0; t < times; t++)
		for (int i = threadIdx.x; i < 4096; i += THREADS)
			sum += in[blockIdx.x * 4096 + i];
	out[at()] = sum;
}
__global__ void sweep_all(const float *in, float *out, int words, int times)
{
	float sum = 0;

	for (int t = 0; t < times; t++)
		for (int i = at(); i < words; i += N)
			sum += in[i];
	out[at()] = sum;
}
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
__global__ void random_reads(const float *in, float *out, unsigned words, int times)
{
	unsigned x = at() * 2654435761u;
	float sum = 0;

	for (int t = 0; t < times; t++) {
		x = x * 1664525 + 1013904223;
		sum += in[(x >> 4) % words];
	}
	out[at()] = sum;
}

static void check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "access: %s\n", cudaGetErrorString(error));
	exit(1);
}

static void shapes(float *in, int *index, float *out)
{
	unit<<<CTAS, THREADS>>>(in, out);
	misaligned<<<CTAS, THREADS>>>(in, out);
	misaligned_half<<<CTAS, THREADS>>>(in, out);
	every_second<<<CTAS, THREADS>>>(in, out);
	every_eighth<<<CTAS, THREADS>>>(in, out);
	every_33rd<<<CTAS, THREADS>>>(in, out);
	downward<<<CTAS, THREADS>>>(in, out);
	broadcast<<<CTAS, THREADS>>>(in, out);
	doubles<<<CTAS, THREADS>>>((double *)in, (double *)out);
	quads<<<CTAS, THREADS>>>((float4 *)in, (float4 *)out);
	quads_strided<<<CTAS, THREADS>>>((float4 *)in, (float4 *)out);
	bytes<<<CTAS, THREADS>>>((char *)in, (char *)out);
	bytes_strided<<<CTAS, THREADS>>>((char *)in, (char *)out);
	halves<<<CTAS, THREADS>>>((short *)in, (short *)out);
	structures<<<CTAS, THREADS>>>((particle *)in, out);
	half_warp<<<CTAS, THREADS>>>(in, out);
	even_lanes<<<CTAS, THREADS>>>(in, out);
	one_lane<<<CTAS, THREADS>>>(in, out);
	gather<<<CTAS, THREADS>>>(in, index, out);
	scatter<<<CTAS, THREADS>>>(in, index, out);
	narrow_rows<<<CTAS, dim3(8, 32)>>>(in, out);
	stencil<<<CTAS, THREADS>>>(in, out);
	reduce_one<<<CTAS, THREADS>>>((int *)out);
	reduce_many<<<CTAS, THREADS>>>(index, (int *)out);
	exchange<<<CTAS, THREADS>>>((int *)out, (int *)out + N);
}

static void others(float *in, float *out, int times)
{
	transpose<<<CTAS, dim3(32, 8)>>>(in, out);
	transpose_padded<<<CTAS, dim3(32, 8)>>>(in, out);
	shared_strided<<<CTAS, THREADS>>>(out);
	loop_uniform<<<CTAS, THREADS>>>((unsigned *)out, times);
	loop_by_lane<<<CTAS, THREADS>>>((unsigned *)out, times);
	two_ways<<<CTAS, THREADS>>>((unsigned *)out, times);
	ways_by_warp<<<CTAS, THREADS>>>((unsigned *)out, times);
	sweep_own<<<CTAS, THREADS>>>(in, out, 4);
	sweep_all<<<CTAS, THREADS>>>(in, out, 1 << 20, 4);
	sweep_all<<<CTAS, THREADS>>>(in, out, WORDS, 1);
	multiply<<<dim3(16, 16), dim3(16, 16)>>>(in, in + 65536, out, 256);
	random_reads<<<CTAS, THREADS>>>(in, out, 1 << 16, 16);
	random_reads<<<CTAS, THREADS>>>(in, out, WORDS, 16);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 10;
	static int index[N];
	unsigned state = 7;
	uint64_t sum = 0;
	float *in, *out;
	int *indices;
	unsigned *words = (unsigned *)malloc(WORDS * sizeof(*words));

	for (int i = 0; i < N; i++) {
		state = state * 1664525 + 1013904223;
		index[i] = (int)((state >> 8) % N);
	}
	check(cudaMalloc(&in, WORDS * sizeof(*in)));
	check(cudaMalloc(&out, WORDS * sizeof(*out)));
	check(cudaMalloc(&indices, sizeof(index)));
	check(cudaMemcpy(indices, index, sizeof(index), cudaMemcpyHostToDevice));
	for (unsigned i = 0; i < WORDS; i++) {
		float value = (float)(i % 64);

		memcpy(&words[i], &value, sizeof(value));
	}
	check(cudaMemcpy(in, words, WORDS * sizeof(*words), cudaMemcpyHostToDevice));
	check(cudaMemset(out, 0, WORDS * sizeof(*out)));
	shapes(in, indices, out);
	others(in, out, times);
	check(cudaDeviceSynchronize());
	check(cudaMemcpy(words, out, WORDS * sizeof(*words), cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < WORDS; i++) // what depends on who is last is written over by then
		sum += words[i];
	printf("sum %llu\n", (unsigned long long)sum);
	free(words);
	return 0;
}

// construct: facts of basic blocks

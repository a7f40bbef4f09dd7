// SPDX-License-Identifier: Apache-2.0
// One fault of each kind, at the line that says so; each has objects of its own.
#include <cstdlib>
#include <cuda_runtime.h>

#define N 64

__global__ void shift(int *y, const int *x, int by)
{
	y[threadIdx.x] = x[(int)threadIdx.x + by]; // check: out-of-bounds before-begin
}

/* Which object x is of shows although another parameter is null. */
__global__ void other(int *none, int *x, int by)
{
	if (none)
		*none = by;
	x[(int)threadIdx.x + by] = 1; // check: out-of-bounds
}

__global__ void late(int *y, const int *x)
{
	y[threadIdx.x] = x[threadIdx.x]; // check: use-after-free
}

__global__ void pageable(const int *x, int *y)
{
	y[threadIdx.x] = x[threadIdx.x]; // check: host-memory
}

__global__ void sum(const int *x, int *total)
{
	atomicAdd(total, x[threadIdx.x]); // check: uninitialized-read
}

__global__ void twice(int *x)
{
	x[threadIdx.x] *= 2; // check: uninitialized-read
}

struct pair {
	char tag; // and padding behind it
	int value;
};

/* Padding is read where all of it is copied, and does no harm. */
__global__ void fill(pair *x)
{
	x[threadIdx.x].tag = 'a';
	x[threadIdx.x].value = 1;
}

__global__ void copy(pair *to, const pair *from)
{
	to[threadIdx.x] = from[threadIdx.x];
}

/* Neither the blocks nor, without a barrier, the warps of a block are in any order. */
__global__ void reverse(int *x, int *total)
{
	__shared__ int turned[N], sum;

	if (!threadIdx.x)
		*total += x[0];               // check: race
	turned[threadIdx.x] = x[threadIdx.x]; // check: shared-race
	atomicAdd(&sum, 1);                   // check: uninitialized-shared
	x[threadIdx.x + (blockIdx.x + 1) * N] = turned[N - 1 - threadIdx.x];
}

/* The last element has no neighbour; who has counted knows of it, and others do not. */
__global__ void neighbours(int *x, int *total)
{
	__shared__ int tile[N + 1];
	__shared__ int last;

	tile[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
	x[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1]; // check: uninitialized-shared
	if (!threadIdx.x)
		last = atomicAdd(total, 1) == 1; // check: shared-race
	if (last)
		x[N + threadIdx.x] = 1;
}

/* A header of two bytes is before the elements; a warp's half does not wait; a digit is too many.
 */
__global__ void read_file(const char *file, int *x)
{
	x[threadIdx.x] = *(const int *)(file + 2 + 4 * threadIdx.x); // check: misaligned
	if (threadIdx.x < N - 16)
		__syncthreads(); // check: divergent-barrier
}

__global__ void digits(const int *x, int *y, int n)
{
	int list[8];

	for (int i = 0; i < n; i++)
		list[x[i]] = i; // check: local-out-of-bounds
	y[threadIdx.x] = list[x[threadIdx.x % 8]];
}

/* Each in a stream of its own, that no event is between. */
__global__ void produce(int *x)
{
	x[threadIdx.x] = threadIdx.x; // check: race
}

__global__ void consume(const int *x, int *y)
{
	y[threadIdx.x] = x[threadIdx.x];
}

/* Lanes of one warp, which need not run together. */
__global__ void turn(int *x)
{
	__shared__ int tile[32];

	tile[threadIdx.x] = x[threadIdx.x]; // check: shared-race
	x[threadIdx.x] = tile[31 - threadIdx.x];
}

static int *make(size_t count)
{
	int *x;

	cudaMalloc(&x, count * sizeof(*x));
	return x;
}

static void kernels(void)
{
	int *a = make(N), *b = make(N), *hit = make(N), *freed = make(N), *y = make(N),
	    *total = make(1), *half = make(N), *copied = make(N), *turned = make(3 * N),
	    *one = make(1), *numbers = make(N + 1), *host;
	cudaStream_t stream[2];
	pair *from, *to;

	host = (int *)calloc(N, sizeof(*host));
	cudaMalloc(&from, N * sizeof(*from));
	cudaMalloc(&to, N * sizeof(*to));
	cudaMemset(a, 0, N * sizeof(*a));
	shift<<<1, N>>>(y, a, 1);
	shift<<<1, N>>>(y, a, -1);
	other<<<1, N>>>(NULL, b, (int)(hit - b));
	cudaFree(freed);
	late<<<1, N>>>(y, freed);
	pageable<<<1, N>>>(host, y);
	sum<<<1, N>>>(y, total);
	cudaMemcpy(half, host, N / 2 * sizeof(*half), cudaMemcpyHostToDevice);
	cudaMemcpy(copied, half, N * sizeof(*half), cudaMemcpyDeviceToDevice);
	twice<<<1, N>>>(copied);
	fill<<<1, N>>>(from);
	copy<<<1, N>>>(to, from);
	for (int i = 0; i < 9; i++)
		host[i] = i;
	cudaMemset(numbers, 0, (N + 1) * sizeof(*numbers));
	cudaMemcpy(numbers, host, 9 * sizeof(*numbers), cudaMemcpyHostToDevice);
	cudaMemset(turned, 0, 3 * N * sizeof(*turned));
	cudaMemset(one, 0, sizeof(*one));
	reverse<<<2, N>>>(turned, one);
	neighbours<<<1, N>>>(turned, one);
	read_file<<<2, N>>>((const char *)numbers, y);
	digits<<<1, 1>>>(numbers, y, 9);
	turn<<<1, 32>>>(numbers);
	cudaDeviceSynchronize();
	for (cudaStream_t &s : stream)
		cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	produce<<<1, N, 0, stream[0]>>>(a);
	consume<<<1, N, 0, stream[1]>>>(a, y);
	cudaDeviceSynchronize();
	for (cudaStream_t s : stream)
		cudaStreamDestroy(s);
	for (void *x : {(void *)a, (void *)b, (void *)hit, (void *)y, (void *)total, (void *)half,
			(void *)copied, (void *)turned, (void *)one, (void *)numbers, (void *)from,
			(void *)to})
		cudaFree(x);
	free(host);
}

int main(int argc, char **argv)
{
	int host[N] = {0}, *x, *pinned, *lost;

	(void)argv;
	if (argc > 1)
		return 5;
	kernels();
	cudaMalloc(&x, N * sizeof(*x));
	cudaMallocHost(&pinned, N * sizeof(*pinned));
	cudaMalloc(&lost, 8); // check: leak
	cudaMemset(x, 0, sizeof(host));
	cudaMemcpy(x + 1, x, 16, cudaMemcpyDeviceToDevice);            // check: copy-overlap
	cudaMemcpy(x + 1, host, sizeof(host), cudaMemcpyHostToDevice); // check: copy-out-of-bounds
	cudaMemcpy(host, x, sizeof(host), cudaMemcpyHostToDevice);     // check: copy-direction
	cudaFree(x + 2);                                               // check: wrong-free
	cudaFree(pinned);                                              // check: wrong-free
	cudaFree(x);
	cudaFree(x); // check: double-free
	cudaFreeHost(pinned);
	return 0;
}

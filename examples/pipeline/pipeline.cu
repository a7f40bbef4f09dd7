/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of data go through two streams in turn, so that copies and kernels overlap; events join
 * them. */
#include "../example.h"

static const int THREADS = 128;
static const int STREAMS = 2;
static const int CHUNKS = 6;

__host__ __device__ static unsigned scramble(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	return x;
}

__global__ void transform(unsigned *out, const unsigned *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = scramble(in[i]);
}

/* Adds the sum of n numbers to *total: one atomic per block. */
__global__ void reduce(unsigned *total, const unsigned *in, int n)
{
	__shared__ unsigned sums[THREADS];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	sums[threadIdx.x] = i < n ? in[i] : 0;
	for (int half = THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		atomicAdd(total, sums[0]);
}

struct lane {
	cudaStream_t stream;
	cudaEvent_t done;
	unsigned *in, *out, *total;
};

static void open_lane(struct lane *lane, size_t bytes)
{
	CHECK(cudaStreamCreate(&lane->stream));
	CHECK(cudaEventCreateWithFlags(&lane->done, cudaEventDisableTiming));
	CHECK(cudaMalloc(&lane->in, bytes));
	CHECK(cudaMalloc(&lane->out, bytes));
	CHECK(cudaMalloc(&lane->total, sizeof(unsigned)));
	CHECK(cudaMemsetAsync(lane->total, 0, sizeof(unsigned), lane->stream));
}

static void close_lane(struct lane *lane)
{
	CHECK(cudaStreamDestroy(lane->stream));
	CHECK(cudaEventDestroy(lane->done));
	CHECK(cudaFree(lane->in));
	CHECK(cudaFree(lane->out));
	CHECK(cudaFree(lane->total));
}

/* One chunk's way through its lane; data is pinned host memory, changed in place. */
static void push(struct lane *lane, unsigned *data, int n)
{
	int blocks = divide_up(n, THREADS);
	size_t bytes = n * sizeof(*data);

	CHECK(cudaMemcpyAsync(lane->in, data, bytes, cudaMemcpyHostToDevice, lane->stream));
	transform<<<blocks, THREADS, 0, lane->stream>>>(lane->out, lane->in, n);
	CHECK(cudaGetLastError());
	reduce<<<blocks, THREADS, 0, lane->stream>>>(lane->total, lane->out, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(data, lane->out, bytes, cudaMemcpyDeviceToHost, lane->stream));
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 1000, 1);
	std::vector<unsigned> expected(CHUNKS * n + 1), result(CHUNKS * n + 1);
	struct lane lanes[STREAMS];
	unsigned *data, totals[STREAMS];
	unsigned seed = 8;

	CHECK(cudaMallocHost(&data, CHUNKS * n * sizeof(*data)));
	for (int i = 0; i < CHUNKS * n; i++) {
		data[i] = example_random(&seed, 1u << 24);
		expected[i] = scramble(data[i]);
		expected[CHUNKS * n] += expected[i];
	}
	for (struct lane &lane : lanes)
		open_lane(&lane, n * sizeof(*data));
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		push(&lanes[chunk % STREAMS], data + chunk * n, n);

	/* The first stream fetches the totals of all, once they are complete. */
	for (int i = 0; i < STREAMS; i++) {
		CHECK(cudaEventRecord(lanes[i].done, lanes[i].stream));
		CHECK(cudaStreamWaitEvent(lanes[0].stream, lanes[i].done, 0));
		CHECK(cudaMemcpyAsync(&totals[i], lanes[i].total, sizeof(totals[i]),
				      cudaMemcpyDeviceToHost, lanes[0].stream));
	}
	CHECK(cudaStreamSynchronize(lanes[0].stream));
	for (int i = 0; i < CHUNKS * n; i++)
		result[i] = data[i];
	for (unsigned total : totals)
		result[CHUNKS * n] += total;
	for (struct lane &lane : lanes)
		close_lane(&lane);
	CHECK(cudaFreeHost(data));
	return example_finish("pipeline", result, expected);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Streams, events and waits: what orders the work of streams is in the trace. */
#include "feature.h"

enum { N = 256 };

__global__ void add(int *data, int value)
{
	data[threadIdx.x] += value;
}

static void streams(int *data)
{
	cudaStream_t made[4];

	need(cudaStreamCreate(&made[0]), "cudaStreamCreate");
	need(cudaStreamCreateWithFlags(&made[1], cudaStreamNonBlocking), "WithFlags");
	need(cudaStreamCreateWithPriority(&made[2], cudaStreamDefault, 0), "WithPriority");
	need(cudaStreamDestroy(made[1]), "cudaStreamDestroy");
	need(cudaStreamCreateWithPriority(&made[3], cudaStreamNonBlocking, -1), "WithPriority");
	add<<<1, N, 0, made[3]>>>(data + 3 * N, 1); /* at any time */
	add<<<1, N, 0, made[0]>>>(data + N, 1);
	add<<<1, N, 0, cudaStreamPerThread>>>(data + 2 * N, 1);
	add<<<1, N>>>(data, 1);
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	check("a stream that is done", cudaStreamQuery(made[3]) == cudaSuccess);
	need(cudaStreamSynchronize(made[0]), "cudaStreamSynchronize");
	need(cudaStreamSynchronize(0), "cudaStreamSynchronize");
	need(cudaStreamDestroy(made[0]), "cudaStreamDestroy");
	need(cudaStreamDestroy(made[2]), "cudaStreamDestroy");
	need(cudaStreamDestroy(made[3]), "cudaStreamDestroy");
}

static void events(int *data)
{
	cudaEvent_t first, second;
	cudaStream_t a, b;

	need(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), "cudaStreamCreate");
	need(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), "cudaStreamCreate");
	need(cudaEventCreate(&first), "cudaEventCreate");
	need(cudaEventCreateWithFlags(&second, cudaEventDisableTiming), "cudaEventCreate");
	add<<<1, N, 0, a>>>(data, 1);
	need(cudaEventRecord(first, a), "cudaEventRecord");
	need(cudaStreamWaitEvent(b, first, 0), "cudaStreamWaitEvent");
	add<<<1, N, 0, b>>>(data, 1);
	need(cudaEventRecordWithFlags(second, b, cudaEventRecordDefault), "WithFlags");
	need(cudaEventSynchronize(second), "cudaEventSynchronize");
	check("an event that is over", cudaEventQuery(first) == cudaSuccess);
	check("in order", all_equal(data, N, [](size_t) { return 3; }));
	need(cudaEventDestroy(first), "cudaEventDestroy");
	need(cudaEventCreate(&first), "cudaEventCreate");
	need(cudaEventRecord(first, 0), "cudaEventRecord");
	need(cudaEventRecord(second, 0), "cudaEventRecord");
	need(cudaEventDestroy(first), "cudaEventDestroy");
	need(cudaEventDestroy(second), "cudaEventDestroy");
}

/* A captured record only orders the nodes of a graph. */
static void captured(int *data)
{
	cudaStream_t a, b;
	cudaEvent_t fork, join;
	cudaGraph_t graph;

	need(cudaStreamCreate(&a), "cudaStreamCreate");
	need(cudaStreamCreate(&b), "cudaStreamCreate");
	need(cudaEventCreate(&fork), "cudaEventCreate");
	need(cudaEventCreate(&join), "cudaEventCreate");
	need(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
	need(cudaEventRecord(fork, a), "cudaEventRecord");
	need(cudaStreamWaitEvent(b, fork, 0), "cudaStreamWaitEvent");
	add<<<1, N, 0, b>>>(data, 1);
	need(cudaMemsetAsync(data + N, 0, 4 * N, b), "cudaMemsetAsync");
	need(cudaEventRecord(join, b), "cudaEventRecord");
	need(cudaStreamWaitEvent(a, join, 0), "cudaStreamWaitEvent");
	need(cudaStreamEndCapture(a, &graph), "cudaStreamEndCapture");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
	need(cudaStreamDestroy(b), "cudaStreamDestroy");
}

int main()
{
	int *data = device_array<int>(4 * N);

	streams(data);
	events(data);
	captured(data);
	return finish();
}

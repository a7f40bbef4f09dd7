/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for what is no memory of the host: clocks, events, what MPI is given (truth.h). */
#include "truth.h"
#include <chrono>
#include <sys/time.h>

/* exchange.c */
extern "C" {
struct type;
extern struct type exchange_int;
int MPI_Send(const void *buffer, int count, struct type *type, int to, int tag, void *communicator);
int MPI_Recv(void *buffer, int count, struct type *type, int from, int tag, void *communicator,
	     void *status);
int MPI_Start(void **request);
}
#define HOST_MEMORY (-1)

static int *device;
static cudaStream_t s1, s2;
static volatile int sum;

/* Work that ends late and makes what no copy has moved before. */
static void produce(cudaStream_t stream)
{
	static int made;

	last<<<1, 1, 0, stream>>>(LONG_MS);
	set<<<1, 32, 0, stream>>>(device, ++made);
}

CASE for_the_clock()
{
	struct timespec now;

	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	clock_gettime(CLOCK_MONOTONIC, &now);
	sum += now.tv_nsec < 0;
	work(LONG_MS);
}

/* Not for that: it is asked for other work before. */
CASE before_work_and_the_clock()
{
	struct timeval now;

	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
	last<<<1, 1, 0, s1>>>(1);
	gettimeofday(&now, NULL);
	sum += now.tv_usec < 0;
}

CASE for_another_clock()
{
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	cudaGetLastError();
	auto now = std::chrono::steady_clock::now();
	sum += now.time_since_epoch().count() < 0;
	work(LONG_MS);
}

CASE for_the_time_of_events()
{
	cudaEvent_t begin, end;
	float ms;

	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	cudaEventRecord(begin, s1);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaEventRecord(end, s1);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&ms, begin, end);
	sum += ms < 0;
	work(LONG_MS);
	cudaEventDestroy(begin);
	cudaEventDestroy(end);
}

/* Memory of its own, that nothing else has used. */
static int *produced(cudaStream_t stream)
{
	int *memory;

	cudaMalloc(&memory, BLOCK);
	last<<<1, 1, 0, stream>>>(LONG_MS);
	set<<<1, 32, 0, stream>>>(memory, 1);
	return memory;
}

CASE sent_from_the_device()
{
	int *memory = produced(s1);

	cudaStreamSynchronize(s1);
	MPI_Send(memory, BLOCK / 4, &exchange_int, 1, 0, NULL);
	work(LONG_MS / 2);
}

CASE received_on_the_device()
{
	int *memory = produced(s1);

	cudaDeviceSynchronize();
	MPI_Recv(memory + 32, 1, &exchange_int, 1, 0, NULL, NULL);
	work(LONG_MS / 2);
}

CASE sent_late_from_the_device()
{
	int *memory = produced(s1);

	cudaStreamSynchronize(s1); // problem: misplaced-synchronization
	work(FAR_MS);
	MPI_Send(memory, BLOCK / 4, &exchange_int, 1, 0, NULL);
}

/* Only the other stream has used what is sent. */
CASE one_of_two_streams_is_sent()
{
	int *memory = produced(s2);

	last<<<1, 1, 0, s2>>>(LONG_MS);
	produced(s1);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
	cudaStreamSynchronize(s2);
	MPI_Send(memory, BLOCK / 4, &exchange_int, 1, 0, NULL);
	work(LONG_MS / 2);
}

/* Kernels of others have made it: it is not known which, or in which stream. */
CASE sent_though_never_made()
{
	int *memory;

	cudaMalloc(&memory, BLOCK);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaStreamSynchronize(s1);
	MPI_Send(memory, BLOCK / 4, &exchange_int, 1, 0, NULL);
}

/* The bytes that arrived lie behind the first ones of the message. */
CASE sent_from_pinned_memory()
{
	int *memory = pinned(2 * BLOCK);

	produce(s1);
	cudaMemcpyAsync(memory + BLOCK / 8, device, BLOCK, cudaMemcpyDeviceToHost, s1);
	cudaStreamSynchronize(s1);
	MPI_Send(memory, 2 * BLOCK / 4, &exchange_int, HOST_MEMORY, 0, NULL);
	work(LONG_MS / 2);
}

CASE sent_from_mapped_memory()
{
	int *memory;

	cudaHostAlloc(&memory, BLOCK, cudaHostAllocMapped);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 32, 0, s1>>>(memory, 7);
	cudaStreamSynchronize(s1);
	MPI_Send(memory + 8, 8, &exchange_int, HOST_MEMORY, 0, NULL);
	work(LONG_MS / 2);
}

/* The request was made before, for memory that is not known. */
CASE sent_again()
{
	void *request = NULL;

	produce(s1);
	cudaStreamSynchronize(s1);
	MPI_Start(&request);
	work(LONG_MS / 2);
}

int main()
{
	cudaStreamCreate(&s1);
	cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
	cudaMalloc(&device, BLOCK);
#define RUN(name)                                                                                  \
	name();                                                                                    \
	printf("%s %d\n", #name, sum);
	RUN(for_the_clock)
	RUN(before_work_and_the_clock)
	RUN(for_another_clock)
	RUN(for_the_time_of_events)
	RUN(sent_from_the_device)
	RUN(received_on_the_device)
	RUN(sent_late_from_the_device)
	RUN(one_of_two_streams_is_sent)
	RUN(sent_though_never_made)
	RUN(sent_from_pinned_memory)
	RUN(sent_from_mapped_memory)
	RUN(sent_again)
	return 0;
}

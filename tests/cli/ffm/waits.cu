/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that a program needs, and does not need, or not yet: a function for each (truth.h). */
#include "truth.h"
#include <cassert>
#include <sys/mman.h>

static int *device, *other_device;
static cudaStream_t s1, s2;
static volatile int sum;

/* Work that ends late and makes what no copy has moved before. */
static void produce(cudaStream_t stream)
{
	static int made;

	last<<<1, 1, 0, stream>>>(LONG_MS);
	set<<<1, 32, 0, stream>>>(device, ++made);
}

static void fetch(int *to, cudaStream_t stream)
{
	produce(stream);
	cudaMemcpyAsync(to, device, BLOCK, cudaMemcpyDeviceToHost, stream);
}

CASE nothing_is_used()
{
	int *memory = pinned(BLOCK);

	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	work(LONG_MS);
	fetch(memory, s1);
	cudaStreamSynchronize(s1);
	sum += memory[0];
}

CASE used_at_once()
{
	int *memory = pinned(BLOCK);

	fetch(memory, s1);
	cudaStreamSynchronize(s1);
	sum += memory[1];
	work(LONG_MS);
}

CASE used_late()
{
	int *memory = pinned(BLOCK);

	fetch(memory, s1);
	cudaStreamSynchronize(s1); // problem: misplaced-synchronization
	work(FAR_MS);
	sum += memory[2];
}

/* Both results lie in one page, which the tracer and devices must not open to the program. */
CASE beside_what_is_used()
{
	int *memory = pinned(BLOCK);

	produce(s1);
	cudaMemcpyAsync(memory, device, sizeof(*memory), cudaMemcpyDeviceToHost, s1);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
	produce(s1);
	cudaMemcpyAsync(memory + 1, device, sizeof(*memory), cudaMemcpyDeviceToHost, s1);
	cudaStreamSynchronize(s1);
	sum += memory[1];
}

CASE waited_for_late()
{
	int *memory = pinned(BLOCK);

	fetch(memory, s1);
	work(LONG_MS / 4);
	cudaStreamSynchronize(s1);
	sum += memory[3];
}

CASE flag_in_mapped_memory()
{
	int *flag;

	cudaHostAlloc(&flag, BLOCK, cudaHostAllocMapped);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 1, 0, s1>>>(flag, 1);
	cudaStreamSynchronize(s1);
	if (*flag)
		work(LONG_MS);
}

CASE source_is_refilled()
{
	int *memory = pinned(BLOCK);

	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaMemcpyAsync(device, memory, BLOCK, cudaMemcpyHostToDevice, s1);
	cudaStreamSynchronize(s1);
	memory[7] = 2;
}

CASE source_is_read()
{
	int *memory = pinned(BLOCK);

	memory[1] = 3;
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaMemcpyAsync(device, memory, BLOCK, cudaMemcpyHostToDevice, s1);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	sum += memory[1];
}

CASE free_of_another()
{
	int *memory = pinned(BLOCK), *other;

	cudaMalloc(&other, BLOCK);
	fetch(memory, s1);
	cudaFree(other);
	sum += memory[8];
}

CASE first_of_two_waits()
{
	int *memory = pinned(BLOCK);

	fetch(memory, s1);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	cudaDeviceSynchronize();
	sum += memory[2];
}

CASE one_of_two_streams()
{
	int *first = pinned(BLOCK), *second = pinned(BLOCK);

	fetch(first, s1);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	fetch(second, s2);
	cudaStreamSynchronize(s2);
	sum += second[3];
}

CASE event_in_time()
{
	int *memory = pinned(BLOCK), *later = pinned(BLOCK);
	cudaEvent_t event;

	cudaEventCreate(&event);
	fetch(memory, s1);
	cudaEventRecord(event, s1);
	fetch(later, s1);
	cudaEventSynchronize(event);
	sum += memory[4];
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	work(LONG_MS);
	cudaEventDestroy(event);
}

CASE stream_waits_for_event()
{
	int *memory = pinned(BLOCK);
	cudaEvent_t event;

	cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
	produce(s1);
	cudaEventRecord(event, s1);
	cudaStreamWaitEvent(s2, event, 0);
	cudaMemcpyAsync(memory, device, BLOCK, cudaMemcpyDeviceToHost, s2);
	cudaStreamSynchronize(s2);
	sum += memory[5];
	cudaEventDestroy(event);
}

CASE polled()
{
	int *memory = pinned(BLOCK);

	fetch(memory, s1);
	while (cudaStreamQuery(s1) == cudaErrorNotReady)
		usleep(1000);
	sum += memory[6];
}

CASE used_by_the_system()
{
	int *memory = pinned(BLOCK), pipes[2];

	fetch(memory, s1);
	cudaStreamSynchronize(s1);
	if (pipe(pipes) || write(pipes[1], memory, 64) != 64)
		abort();
	close(pipes[0]);
	close(pipes[1]);
}

CASE managed_used()
{
	int *memory;

	cudaMallocManaged(&memory, BLOCK);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 32, 0, s1>>>(memory, 4);
	cudaStreamSynchronize(s1);
	sum += memory[9];
}

CASE managed_used_late()
{
	int *memory;

	cudaMallocManaged(&memory, BLOCK);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 32, 0, s1>>>(memory, 4);
	cudaDeviceSynchronize(); // problem: misplaced-synchronization
	work(FAR_MS);
	sum += memory[9];
}

CASE free_in_loop()
{
	for (int i = 0; i < 3; i++) {
		int *memory;

		cudaMalloc(&memory, BLOCK);
		last<<<1, 1, 0, s1>>>(LONG_MS);
		set<<<1, 32, 0, s1>>>(memory, i);
		cudaFree(memory); // problem: unnecessary-synchronization
		work(LONG_MS / 2);
	}
}

CASE free_with_nothing_pending()
{
	int *memory;

	cudaMalloc(&memory, BLOCK);
	cudaFree(memory);
}

/* Waits within copies. */
CASE copy_used()
{
	int *memory = (int *)malloc(1 << 20);

	produce(0);
	cudaMemcpy(memory, device, BLOCK, cudaMemcpyDeviceToHost);
	sum += memory[3];
}

CASE copy_used_late()
{
	int *memory = (int *)malloc(1 << 20);

	produce(0);
	// problem: misplaced-synchronization
	cudaMemcpy(memory, device, BLOCK, cudaMemcpyDeviceToHost);
	work(FAR_MS);
	sum += memory[3];
}

CASE copy_of_what_stays()
{
	int *memory = (int *)malloc(1 << 20);

	memory[0] = 12;
	last<<<1, 1>>>(LONG_MS);
	// problem: unnecessary-synchronization
	cudaMemcpy(other_device, memory, BLOCK, cudaMemcpyHostToDevice);
	work(LONG_MS);
}

/* Copies to pageable memory are not asynchronous, whatever they are called. */
CASE hidden_in_async_copy()
{
	int *memory = (int *)malloc(1 << 20);

	produce(s1);
	// problem: misplaced-synchronization
	cudaMemcpyAsync(memory, device, BLOCK, cudaMemcpyDeviceToHost, s1);
	work(FAR_MS);
	sum += memory[2];
}

CASE hidden_before_a_wait()
{
	int *memory = (int *)malloc(1 << 20);

	produce(s1);
	// problem: unnecessary-synchronization
	cudaMemcpyAsync(memory, device, BLOCK, cudaMemcpyDeviceToHost, s1);
	work(LONG_MS);
	cudaStreamSynchronize(s1);
	sum += memory[2];
}

CASE async_copy_to_pinned()
{
	int *memory = pinned(BLOCK);

	produce(s1);
	cudaMemcpyAsync(memory, device, BLOCK, cudaMemcpyDeviceToHost, s1);
	work(FAR_MS);
	cudaStreamSynchronize(s1);
	sum += memory[2];
}

CASE memset_of_managed()
{
	int *memory;

	cudaMallocManaged(&memory, BLOCK);
	last<<<1, 1>>>(LONG_MS);
	cudaMemset(memory, 0, BLOCK); // problem: unnecessary-synchronization
	work(LONG_MS);
}

CASE memset_on_device()
{
	last<<<1, 1>>>(LONG_MS);
	cudaMemset(device, 0, BLOCK);
	work(2 * LONG_MS);
}

CASE copy_on_device()
{
	last<<<1, 1>>>(LONG_MS);
	cudaMemcpy(other_device, device, BLOCK, cudaMemcpyDeviceToDevice);
	work(2 * LONG_MS);
}

/* These waits are for something other than an access to memory. */
static void CUDART_CB note(void *user)
{
	*(volatile int *)user += 1;
}

CASE by_function_of_the_host()
{
	static int noted;

	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaLaunchHostFunc(s1, note, &noted);
	cudaStreamSynchronize(s1);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaStreamAddCallback(
	    s1, [](cudaStream_t, cudaError_t, void *user) { note(user); }, &noted, 0);
	cudaDeviceSynchronize();
	sum += noted;
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	work(LONG_MS);
}

CASE by_function_in_a_graph()
{
	static int noted;
	struct cudaHostNodeParams params = {note, &noted};
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node;

	cudaGraphCreate(&graph, 0);
	cudaGraphAddHostNode(&node, graph, NULL, 0, &params);
	cudaGraphInstantiate(&exec, graph, 0);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	cudaGraphLaunch(exec, s1);
	cudaStreamSynchronize(s1);
	sum += noted;
}

static __global__ void say(int times)
{
	for (int i = 0; i < times; i++)
		printf("%d of %d\n", i, times);
}

static __global__ void check(int *value)
{
	assert(value[0] == 0);
}

CASE by_what_is_printed()
{
	last<<<1, 1>>>(LONG_MS);
	say<<<1, 1>>>(2);
	cudaDeviceSynchronize();
	work(LONG_MS);
}

CASE by_an_assertion()
{
	cudaMemset(other_device, 0, BLOCK);
	last<<<1, 1>>>(LONG_MS);
	check<<<1, 1>>>(other_device);
	cudaDeviceSynchronize();
}

CASE by_who_asks_for_errors()
{
	cudaGetLastError(); /* of the queries above */
	last<<<1, 1>>>(LONG_MS);
	cudaDeviceSynchronize();
	if (cudaGetLastError() != cudaSuccess)
		abort();
	work(LONG_MS);
}

/* Other processes map it, too. */
CASE in_shared_memory()
{
	int *memory =
	    (int *)mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	fetch(memory, s1);
	cudaStreamSynchronize(s1);
	work(LONG_MS);
}

/* The works of both streams have no memory in common; then they have. */
CASE between_two_streams()
{
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 32, 0, s1>>>(device, 5);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	set<<<1, 32, 0, s2>>>(other_device, 6);
	work(LONG_MS);
	cudaStreamSynchronize(s2);
	last<<<1, 1, 0, s1>>>(LONG_MS);
	set<<<1, 32, 0, s1>>>(device, 5);
	cudaStreamSynchronize(s1); // problem: unnecessary-synchronization
	set<<<1, 32, 0, s2>>>(device, 6);
	work(LONG_MS);
	cudaStreamSynchronize(s2);
}

/* All four are not needed; two wait. */
CASE half_of_them_wait()
{
	for (int i = 0; i < 4; i++) {
		last<<<1, 1, 0, s1>>>(LONG_MS);
		if (i % 2)
			work(FAR_MS);
		cudaStreamSynchronize(s1); // problem: unnecessary-synchronization 4 of 4 times
		work(LONG_MS);
	}
}

int main()
{
	/* Blocks of a driver's that are freed must not make malloc give ours pages of others. */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
	cudaStreamCreate(&s1);
	cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
	cudaMalloc(&device, BLOCK);
	cudaMalloc(&other_device, BLOCK);
#define RUN(name)                                                                                  \
	name();                                                                                    \
	printf("%s %d\n", #name, sum);
	RUN(nothing_is_used)
	RUN(used_at_once)
	RUN(used_late)
	RUN(beside_what_is_used)
	RUN(waited_for_late)
	RUN(flag_in_mapped_memory)
	RUN(source_is_refilled)
	RUN(source_is_read)
	RUN(free_of_another)
	RUN(first_of_two_waits)
	RUN(one_of_two_streams)
	RUN(event_in_time)
	RUN(stream_waits_for_event)
	RUN(polled)
	RUN(used_by_the_system)
	RUN(managed_used)
	RUN(managed_used_late)
	RUN(free_in_loop)
	RUN(free_with_nothing_pending)
	RUN(copy_used)
	RUN(copy_used_late)
	RUN(copy_of_what_stays)
	RUN(hidden_in_async_copy)
	RUN(hidden_before_a_wait)
	RUN(async_copy_to_pinned)
	RUN(memset_of_managed)
	RUN(memset_on_device)
	RUN(copy_on_device)
	RUN(by_function_of_the_host)
	RUN(by_function_in_a_graph)
	RUN(by_what_is_printed)
	RUN(by_an_assertion)
	RUN(by_who_asks_for_errors)
	RUN(in_shared_memory)
	RUN(between_two_streams)
	RUN(half_of_them_wait)
	return 0;
}

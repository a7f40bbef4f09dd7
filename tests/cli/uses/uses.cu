/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits, what they protect and what uses it: a function for each case. Lines marked `// use CASE`
 * have the first access, which is to the byte OFFSET of the case's memory; `// wait CASE` the call
 * that it belongs to. What is expected is in uses.sh.
 */
#include "uses.h"

__global__ void fill(int *data, int value)
{
	data[threadIdx.x] = value;
}

int *device;
cudaStream_t s1, s2;
static volatile int sum;

static int *pinned()
{
	int *memory;

	cudaMallocHost(&memory, 8192);
	memset(memory, 0, 8192);
	return memory;
}

static void fetch(int *to, cudaStream_t stream)
{
	fill<<<1, 32, 0, stream>>>(device, 1);
	cudaMemcpyAsync(to, device, 128, cudaMemcpyDeviceToHost, stream);
}

CASE late_read()
{
	int *memory = pinned();

	fetch(memory + 64, s1);
	cudaStreamSynchronize(s1); // wait late_read
	usleep(1000);
	sum += memory[63];     // a neighbour before it
	memory[96] = 1;        // and behind
	sum += memory[64 + 5]; // use late_read
	sum += memory[64];     // not the first
	cudaFreeHost(memory);
}

CASE never()
{
	static int *memory = pinned();

	fetch(memory, s1);
	cudaStreamSynchronize(s1);
}

CASE refill()
{
	int *memory = pinned();

	cudaMemcpyAsync(device, memory, 128, cudaMemcpyHostToDevice, s1);
	cudaStreamSynchronize(s1); // wait refill
	sum += memory[1];          // reading it is no use
	memory[7] = 2;             // use refill
	cudaFreeHost(memory);
}

CASE two_waits()
{
	int *memory = pinned();

	fetch(memory, s1);
	cudaStreamSynchronize(s1);
	cudaDeviceSynchronize(); // wait two_waits
	sum += memory[2];        // use two_waits
	cudaFreeHost(memory);
}

CASE two_streams()
{
	int *first = pinned(), *second = pinned();

	fetch(first, s1);
	fetch(second, s2);
	cudaStreamSynchronize(s1);
	cudaStreamSynchronize(s2);                                       // wait two_streams
	sum += second[3];                                                // use two_streams
	cudaMemcpyAsync(first, device, 128, cudaMemcpyDeviceToHost, s1); // replaces it
	cudaStreamSynchronize(s1);
	cudaFreeHost(second);
	cudaFreeHost(first); // use freed
}

CASE by_event()
{
	int *memory = pinned(), *later = pinned();
	cudaEvent_t event;

	cudaEventCreate(&event);
	fetch(memory, s1);
	cudaEventRecord(event, s1);
	fetch(later, s1);
	cudaEventSynchronize(event); // wait by_event
	sum += memory[4];            // use by_event
	cudaDeviceSynchronize();     // wait after_event
	sum += later[6];             // use after_event
	cudaEventDestroy(event);
	cudaFreeHost(memory);
	cudaFreeHost(later);
}

CASE pageable()
{
	int *memory = (int *)malloc(1 << 20);

	cudaMemcpy(memory, device, 128, cudaMemcpyDeviceToHost); // wait pageable
	sum += memory[3];                                        // use pageable
	free(memory);
}

CASE managed()
{
	int *memory;

	cudaMallocManaged(&memory, 4096);
	fill<<<1, 32, 0, s1>>>(memory, 4);
	cudaStreamSynchronize(s1); // wait managed
	sum += memory[9];          // use managed
	cudaFree(memory);
}

CASE mapped_flag()
{
	int *memory = pinned();

	fill<<<1, 32, 0, s1>>>(memory, 5);
	cudaStreamSynchronize(s1); // wait mapped_flag
	sum += memory[0];          // use mapped_flag
	cudaFreeHost(memory);
}

CASE other_free()
{
	int *memory = pinned(), *other;

	cudaMalloc(&other, 4096);
	fetch(memory, s1);
	cudaFree(other);  // wait other_free
	sum += memory[8]; // use other_free
	cudaFreeHost(memory);
}

CASE on_stack()
{
	int memory[32];

	cudaMemcpy(memory, device, 128, cudaMemcpyDeviceToHost); // wait on_stack
	sum += memory[sum & 1];                                  // use on_stack
}

CASE copied_on()
{
	int *memory = pinned();

	fetch(memory, s1);
	cudaStreamSynchronize(s1);                                        // wait copied_on
	cudaMemcpyAsync(device, memory, 128, cudaMemcpyHostToDevice, s1); // use copied_on
	cudaStreamSynchronize(s1);                                        // wait freed_source
	cudaFreeHost(memory);                                             // use freed_source
}

CASE in_rows()
{
	char *memory = (char *)pinned();

	cudaMemcpy2DAsync(memory, 256, device, 64, 64, 4, cudaMemcpyDeviceToHost, s1);
	cudaStreamSynchronize(s1);   // wait in_rows
	sum += memory[64];           // between two rows
	sum += memory[2 * 256 + 63]; // use in_rows
	cudaFreeHost(memory);
}

CASE written_out()
{
	int *memory = pinned(), pipes[2];
	static int back[32];

	fetch(memory, s1);
	cudaStreamSynchronize(s1);                                // wait written_out
	if (pipe(pipes) || write(pipes[1], memory + 1, 64) != 64) // use written_out
		abort();
	if (read(pipes[0], back, 64) != 64 || back[0] != 1)
		abort();
	close(pipes[0]);
	close(pipes[1]);
	cudaFreeHost(memory);
}

CASE by_memcpy()
{
	int *memory = pinned();
	static int copy[32];

	fetch(memory, s1);
	cudaStreamSynchronize(s1); // wait by_memcpy
	memcpy(copy, memory, 128); // use by_memcpy
	asm volatile("" : : "r"(copy) : "memory");
	cudaFreeHost(memory);
}

static void *reader(void *memory)
{
	sum += ((int *)memory)[11]; // use by_thread
	return NULL;
}

CASE by_thread()
{
	int *memory = pinned();
	pthread_t thread;

	fetch(memory, s1);
	cudaStreamSynchronize(s1); // wait by_thread
	pthread_create(&thread, NULL, reader, memory);
	pthread_join(thread, NULL);
	cudaFreeHost(memory);
}

CASE by_exception()
{
	int *memory = pinned();

	fetch(memory, s1);
	cudaStreamSynchronize(s1); // wait by_exception
	try {
		if (memory[12] == 1) // use by_exception
			throw 1;
	} catch (int) {
		sum += 1;
	}
	cudaFreeHost(memory);
}

static void print(const char *name)
{
	printf("%s %d\n", name, sum);
	fflush(stdout);
}

int main()
{
	cudaStreamCreate(&s1);
	cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking);
	cudaMalloc(&device, 4096);
	cudaMemset(device, 0, 4096);
#define RUN(name)                                                                                  \
	name();                                                                                    \
	print(#name);
	RUN(late_read)
	RUN(never)
	RUN(refill)
	RUN(two_waits)
	RUN(two_streams)
	RUN(by_event)
	RUN(pageable)
	RUN(managed)
	RUN(mapped_flag)
	RUN(other_free)
	RUN(on_stack)
	RUN(copied_on)
	RUN(in_rows)
	RUN(written_out)
	RUN(by_memcpy)
	RUN(by_exception)
	RUN(by_thread)
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies to pageable memory of all kinds, each of which waits redundantly in a loop: where it is,
 * and where its memory comes from, is marked.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <vector>

#define BYTES (256u << 10)
#define TIMES 10

static char variable[BYTES];
static std::vector<char> early(BYTES); // origin early

__global__ void spin(char *p, int turns)
{
	for (volatile int i = 0; i < turns; i++)
		p[0]++;
}

static char *device;

static void work()
{
	spin<<<1, 1>>>(device, 20000);
}

#define LOOP(memory)                                                                               \
	for (int i = 0; i < TIMES; i++) {                                                          \
		work();                                                                            \
		cudaMemcpyAsync(memory, device, BYTES, cudaMemcpyDeviceToHost);                    \
	}                                                                                          \
	cudaDeviceSynchronize();

static void by_malloc()
{
	char *memory = (char *)malloc(3 * BYTES); // origin malloc

	LOOP(memory + BYTES) // copy malloc
	free(memory);
}

static void freed_before()
{
	char *memory = (char *)malloc(3 * BYTES);

	memset(memory, 1, 3 * BYTES);
	free(memory);
	memory = (char *)calloc(3, BYTES); // origin calloc
	LOOP(memory + BYTES)               // copy calloc
	free(memory);
}

static void grown()
{
	char *memory = (char *)malloc(5000);

	memory = (char *)realloc(memory, 2 * BYTES); // origin realloc
	LOOP(memory)                                 // copy realloc
	free(memory);
}

static void mapped()
{
	const int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *memory = (char *)mmap(NULL, BYTES, access, flags, -1, 0); // origin mmap

	LOOP(memory) // copy mmap
	munmap(memory, BYTES);
}

static void of_cpp()
{
	std::vector<char> memory(BYTES); // origin vector

	LOOP(memory.data()) // copy vector
}

/* Two blocks of one line, by copies of one line: one place to change. */
static void of_one_line()
{
	// clang-format off
	std::vector<char> one(BYTES); std::vector<int> two(BYTES / sizeof(int)); // origin both
	// clang-format on

#define COPY(memory) cudaMemcpyAsync(memory, device, BYTES, cudaMemcpyDeviceToHost)
	for (int i = 0; i < TIMES; i++) {
		work();
		COPY(one.data()), work(), COPY(two.data()); // copy both
	}
	cudaDeviceSynchronize();
	for (volatile int i = 0; i < 1000000; i = i + 1) /* far from the first use, the free */
		;
}

/* Blocks of less than a page are not reported. */
static void small_block()
{
	char *memory = (char *)malloc(2000);

	for (int i = 0; i < TIMES; i++) {
		work();
		cudaMemcpyAsync(memory, device, 2000, cudaMemcpyDeviceToHost); // copy small
	}
	cudaDeviceSynchronize();
	free(memory);
}

static void on_stack()
{
	char memory[BYTES];

	LOOP(memory) // copy stack
}

int main()
{
	cudaMalloc(&device, BYTES);
	by_malloc();
	freed_before();
	grown();
	mapped();
	of_cpp();
	of_one_line();
	small_block();
	on_stack();
	LOOP(variable)     // copy variable
	LOOP(early.data()) // copy early
	puts("done");
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Waits within a library (library.c): needed, and not (truth.h). It has no lines; truth.sh knows
 * what is found in it: library_complete is needless, library_finish comes too early. */
#include "truth.h"

extern "C" {
void library_complete(cudaStream_t stream);
void library_fetch(cudaStream_t stream);
void library_finish(void);
}

static int *device;
static cudaStream_t stream;
static volatile int sum;

static void fetch(int *to)
{
	static int made;

	last<<<1, 1, 0, stream>>>(LONG_MS);
	set<<<1, 32, 0, stream>>>(device, ++made);
	cudaMemcpyAsync(to, device, BLOCK, cudaMemcpyDeviceToHost, stream);
}

int main()
{
	int *memory = pinned(BLOCK);

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	cudaMalloc(&device, BLOCK);
	for (int i = 0; i < 2; i++) {
		last<<<1, 1, 0, stream>>>(LONG_MS);
		library_complete(stream);
		work(LONG_MS / 2);
		fetch(memory);
		library_fetch(stream);
		sum += memory[0];
	}
	fetch(memory);
	library_finish();
	work(FAR_MS);
	sum += memory[1];
	printf("%d\n", sum);
	return 0;
}

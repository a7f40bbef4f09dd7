// SPDX-License-Identifier: Apache-2.0
// Copies between host and device whose bytes are known, and known to be at their target already or
// not. Prints for each, in the order of the calls, its bytes, how many of these the target held in
// the same place of the copy, in blocks of 4096, and a name for the bytes: copies of one name moved
// the same ones. A last line has a checksum of what the program computes.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096u
#define WORDS (8 * BLOCK / sizeof(uint32_t)) // eight blocks
#define BYTES (8 * BLOCK)
#define LARGE ((3u << 20) + 5000u) // several pieces, the last block short

__device__ uint32_t symbol[1024];

__global__ void add_one(uint32_t *data, uint32_t first, uint32_t count)
{
	uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < count)
		data[first + i]++;
}

static void check(cudaError_t error, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
	exit(1);
}
#define CHECK(call) check(call, __LINE__)

static void expect(size_t bytes, size_t same, const char *name)
{
	printf("%zu %zu %s\n", bytes, same, name);
}

// Every word is another, and none is 0.
static void fill(void *data, size_t bytes, uint32_t seed)
{
	uint32_t *word = (uint32_t *)data;

	for (size_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] = (uint32_t)((i + 1) * 2654435761u) ^ seed << 24;
}

static void blocking(uint32_t *host, uint32_t *back, uint32_t *device, uint32_t *other)
{
	fill(host, BYTES, 1);
	memset(back, 0, BYTES);
	CHECK(cudaMemset(device, 0, BYTES));
	CHECK(cudaMemset(other, 0, BYTES));
	CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
	expect(BYTES, 0, "A");
	CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice)); // nothing new
	expect(BYTES, BYTES, "A");
	CHECK(cudaMemcpy(other, host, BYTES, cudaMemcpyDefault)); // the same elsewhere
	expect(BYTES, 0, "A");
	host[2 * BLOCK / 4] ^= 1; // one block of eight
	CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
	expect(BYTES, 7 * BLOCK, "B");
	add_one<<<1, 32>>>(device, 5 * BLOCK / 4, 32); // the device has changed another one
	CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
	expect(BYTES, 7 * BLOCK, "B");
	CHECK(cudaMemcpy(back, device, BYTES, cudaMemcpyDeviceToHost));
	expect(BYTES, 0, "B");
	CHECK(cudaMemcpy(back, device, BYTES, cudaMemcpyDeviceToHost));
	expect(BYTES, BYTES, "B");
	CHECK(cudaMemcpy(device, back, BYTES, cudaMemcpyHostToDevice)); // there and back
	expect(BYTES, BYTES, "B");
	CHECK(cudaMemcpy(device, host, 100, cudaMemcpyHostToDevice)); // less than a block
	expect(100, 100, "C");
	CHECK(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice)); // no copy
}

static void shapes(uint32_t *host, uint32_t *back, uint32_t *device)
{
	uint32_t *large = (uint32_t *)malloc(LARGE), *on_device;
	size_t pitch = 3 * BLOCK;

	fill(host, BYTES, 2);
	CHECK(cudaMemset(device, 0, BYTES));
	// Four rows of a block, two of which are there: rows are one behind another.
	CHECK(cudaMemcpy2D(device, 2 * BLOCK, host, 2 * BLOCK, BLOCK, 2, cudaMemcpyHostToDevice));
	expect(2 * BLOCK, 0, "D");
	CHECK(cudaMemcpy2D(device, 2 * BLOCK, host, 2 * BLOCK, BLOCK, 4, cudaMemcpyHostToDevice));
	expect(4 * BLOCK, 2 * BLOCK, "E");
	memset(back, 0, BYTES);
	CHECK(cudaMemcpy2D(back, BLOCK, device, 2 * BLOCK, BLOCK, 4, cudaMemcpyDeviceToHost));
	expect(4 * BLOCK, 0, "E");
	// Pieces: more bytes, and longer rows, than pass at once.
	fill(large, LARGE / 4 * 4, 3);
	CHECK(cudaMalloc(&on_device, 2 * LARGE));
	CHECK(cudaMemset(on_device, 0, 2 * LARGE));
	CHECK(cudaMemcpy(on_device, large, LARGE, cudaMemcpyHostToDevice));
	expect(LARGE, 0, "F");
	((unsigned char *)large)[LARGE - 1] ^= 1; // in the short block
	CHECK(cudaMemcpy(on_device, large, LARGE, cudaMemcpyHostToDevice));
	expect(LARGE, LARGE / BLOCK * BLOCK, "G");
	CHECK(
	    cudaMemcpy2D(on_device, LARGE, large, LARGE / 2, LARGE / 2, 2, cudaMemcpyHostToDevice));
	expect(LARGE, LARGE / 2 / BLOCK * BLOCK, "G");
	memset(large, 0, LARGE);
	CHECK(cudaMemcpy(large, on_device, LARGE, cudaMemcpyDeviceToHost));
	expect(LARGE, 0, "G");
	CHECK(cudaMemcpy(large, on_device, LARGE, cudaMemcpyDeviceToHost));
	expect(LARGE, LARGE, "G");
	// A symbol; rows in slices.
	CHECK(cudaMemcpyToSymbol(symbol, host, sizeof(symbol)));
	expect(sizeof(symbol), 0, "H");
	CHECK(cudaMemcpyToSymbol(symbol, host, sizeof(symbol)));
	expect(sizeof(symbol), sizeof(symbol), "H");
	CHECK(cudaMemcpyFromSymbol(back, symbol, sizeof(symbol)));
	expect(sizeof(symbol), sizeof(symbol), "H"); // back has that row since cudaMemcpy2D
	{
		cudaMemcpy3DParms copy = {};

		CHECK(cudaMemset(on_device, 0, 2 * LARGE));
		copy.srcPtr = make_cudaPitchedPtr(host, BLOCK, BLOCK, 2);
		copy.dstPtr = make_cudaPitchedPtr(on_device, pitch, BLOCK, 2);
		copy.extent = make_cudaExtent(BLOCK, 2, 2);
		copy.kind = cudaMemcpyHostToDevice;
		CHECK(cudaMemcpy3D(&copy));
		expect(4 * BLOCK, 0, "I");
		CHECK(cudaMemcpy3D(&copy));
		expect(4 * BLOCK, 4 * BLOCK, "I");
	}
	CHECK(cudaFree(on_device));
	free(large);
}

// Behind each other in a stream, though the host has asked for all before any has begun.
static void asynchronous(uint32_t *device)
{
	uint32_t *pinned, *back;
	cudaStream_t stream;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaHostAlloc(&pinned, BYTES, cudaHostAllocDefault));
	CHECK(cudaHostAlloc(&back, BYTES, cudaHostAllocDefault));
	fill(pinned, BYTES, 4);
	memset(back, 0, BYTES);
	CHECK(cudaMemset(device, 0, BYTES));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream));
	expect(BYTES, 0, "J");
	CHECK(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream));
	expect(BYTES, BYTES, "J");
	CHECK(cudaMemcpyAsync(back, device, BYTES, cudaMemcpyDeviceToHost, stream));
	expect(BYTES, 0, "J");
	add_one<<<1, 32, 0, stream>>>(device, 0, 32);
	CHECK(cudaMemcpyAsync(back, device, BYTES, cudaMemcpyDeviceToHost, stream));
	expect(BYTES, 7 * BLOCK, "K");
	CHECK(cudaMemcpyAsync(device, back, BYTES, cudaMemcpyHostToDevice, stream));
	expect(BYTES, BYTES, "K");
	CHECK(cudaStreamSynchronize(stream));
	{
		uint32_t *pageable = (uint32_t *)malloc(BYTES);

		// The call has read it when it returns.
		fill(pageable, BYTES, 5);
		CHECK(cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, stream));
		expect(BYTES, 0, "L");
		fill(pageable, BYTES, 6);
		CHECK(cudaMemcpyAsync(pageable, device, BYTES, cudaMemcpyDeviceToHost, stream));
		expect(BYTES, 0, "L");
		CHECK(cudaStreamSynchronize(stream));
		free(pageable);
	}
	CHECK(cudaFreeHost(pinned));
	CHECK(cudaFreeHost(back));
	CHECK(cudaStreamDestroy(stream));
}

int main(void)
{
	uint32_t *host = (uint32_t *)malloc(BYTES), *back = (uint32_t *)malloc(BYTES);
	uint32_t *device, *other, sum = 0;

	CHECK(cudaMalloc(&device, BYTES));
	CHECK(cudaMalloc(&other, BYTES));
	blocking(host, back, device, other);
	shapes(host, back, device);
	asynchronous(device);
	if (cudaMemcpy(device, host, 1ull << 40, cudaMemcpyHostToDevice) == cudaSuccess)
		return 1; // it moves nothing
	(void)cudaGetLastError();
	CHECK(cudaMemcpy(back, device, BYTES, cudaMemcpyDeviceToHost));
	expect(BYTES, 0, "L");
	for (size_t i = 0; i < WORDS; i++)
		sum = sum * 31 + back[i];
	printf("checksum %08x\n", sum);
	free(host);
	free(back);
	CHECK(cudaFree(device));
	CHECK(cudaFree(other));
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
// The kernel that hashes blocks of device memory (device-rt/digest.cuh) beside XXH3 of the same
// bytes by the host: rows, pitches, slices, starts that are not aligned, last blocks that are
// short.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device-rt/digest.cuh"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct shape {
	uint64_t offset, width, height, depth, row, slice;
};

static const struct shape shapes[] = {
    {0, 4096, 1, 1, 4096, 4096},     {0, 5 * 4096, 1, 1, 0, 0},
    {3, 3 * 4096 + 5, 1, 1, 0, 0},   {0, 1, 1, 1, 0, 0},
    {8, 4095, 1, 1, 0, 0},           {0, 100, 7, 1, 128, 0},
    {0, 4096, 3, 2, 4096, 5 * 4096}, {1, 1001, 20, 3, 1003, 25000},
    {0, 64, 300, 2, 64, 20000},      {16, 1 << 20, 1, 1, 0, 0},
};

static unsigned char *gather(const unsigned char *memory, const struct shape *s, uint64_t *bytes)
{
	uint64_t blocks, at = 0;
	unsigned char *all;

	*bytes = s->width * s->height * s->depth;
	blocks = (*bytes + CT_DIGEST_BLOCK - 1) / CT_DIGEST_BLOCK;
	all = (unsigned char *)calloc(blocks, CT_DIGEST_BLOCK);
	for (uint64_t z = 0; z < s->depth; z++)
		for (uint64_t y = 0; y < s->height; y++, at += s->width)
			memcpy(all + at, memory + s->offset + z * s->slice + y * s->row, s->width);
	return all;
}

static int differs(const unsigned char *memory, unsigned char *device, const struct shape *s)
{
	struct ct_digest d = {};
	uint64_t bytes, blocks, *hashes;
	unsigned char *all = gather(memory, s, &bytes);
	int wrong = 0;

	blocks = (bytes + CT_DIGEST_BLOCK - 1) / CT_DIGEST_BLOCK;
	cudaMallocHost(&hashes, 16 * blocks);
	d.start = (uint64_t)(uintptr_t)device + s->offset;
	d.row = s->row;
	d.slice = s->slice;
	d.width = s->width;
	d.height = s->height;
	d.bytes = bytes;
	d.hashes = (uint64_t)(uintptr_t)hashes;
	memcpy(d.secret, XXH3_kSecret, sizeof(d.secret));
	ct_digest<<<(unsigned)((8 * blocks + 63) / 64), 64>>>(d);
	if (cudaDeviceSynchronize() != cudaSuccess)
		wrong++;
	for (uint64_t b = 0; b < blocks; b++) {
		XXH128_hash_t hash = XXH3_128bits(all + b * CT_DIGEST_BLOCK, CT_DIGEST_BLOCK);

		wrong += hash.low64 != hashes[2 * b] || hash.high64 != hashes[2 * b + 1];
	}
	cudaFreeHost(hashes);
	free(all);
	return wrong;
}

int main(void)
{
	const size_t size = (1 << 20) + 100000;
	unsigned char *memory = (unsigned char *)malloc(size), *device;
	int wrong = 0;

	for (size_t i = 0; i < size; i++)
		memory[i] = (unsigned char)(i * 2654435761u >> 13);
	cudaMalloc(&device, size);
	cudaMemcpy(device, memory, size, cudaMemcpyHostToDevice);
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		int blocks = differs(memory, device, &shapes[i]);

		if (blocks)
			printf("shape %zu: %d blocks have another hash\n", i, blocks);
		wrong += blocks;
	}
	cudaFree(device);
	free(memory);
	printf("%s\n", wrong ? "FAILED" : "ok");
	return wrong != 0;
}

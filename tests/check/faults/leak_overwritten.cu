// SPDX-License-Identifier: Apache-2.0
// A second allocation overwrites the pointer to the first one.
#include <cstdio>

struct image {
	unsigned char *pixels;
	size_t bytes;
};

static void load(image *i, size_t bytes)
{
	i->bytes = bytes;
	cudaMalloc(&i->pixels, bytes); // check: leak
	cudaMemset(i->pixels, 1, bytes);
}

int main()
{
	image i;

	load(&i, 1000);
	load(&i, 2000);
	cudaFree(i.pixels);
	puts("done");
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Loads of shared memory in all widths and many patterns, a kernel each, and what
// docs/shared-memory.md says that each takes: "RULE width pattern wavefronts ideal". banks.sh
// compares it with the counters.
#include <cstdint>
#include <cstdio>
#include <set>

#define CTAS 13200 // as banks.sh knows
#define ELEMENTS 1024

template <class T> __global__ void probe(T *out, const int *place, int lanes)
{
	__shared__ T tile[ELEMENTS];
	int lane = threadIdx.x;

	for (int i = lane; i < ELEMENTS; i += 32)
		*(volatile char *)&tile[i] = 0;
	__syncthreads();
	if (lane < lanes)
		out[lane] = tile[place[lane]];
}

static unsigned random_below(unsigned bound)
{
	static unsigned state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % bound;
}

// Where a lane loads; *lanes: how many do.
static int place_of(int pattern, int lane, int *lanes)
{
	switch (pattern) {
	case 0: // a row
		return lane;
	case 1:
		return 2 * lane;
	case 2: // a column
		return 32 * lane;
	case 3:
		return 31 - lane;
	case 4: // one element
		return 5;
	case 5:
		return random_below(ELEMENTS);
	case 6: // pairs
		return lane / 2;
	case 7:
		*lanes = 20;
		return lane;
	case 8: // halves
		return lane % 16;
	case 9: // a column of a padded tile
		return 33 * lane % ELEMENTS;
	case 10:
		return random_below(64);
	case 11:
		return lane % 8 * 4 + lane / 8;
	case 12:
		return 8 * lane;
	case 13:
		*lanes = 5;
		return 32 * lane;
	case 14:
		*lanes = 17;
		return random_below(ELEMENTS);
	default:
		return lane % 2 * 512 + lane / 2;
	}
}
#define PATTERNS 16

template <class T> static void run(int pattern)
{
	const int words = sizeof(T) > 4 ? sizeof(T) / 4 : 1, part = 32 / words;
	int place[32], lanes = 32, *on_device, wavefronts = 0, ideal = 0;
	T *out;

	for (int lane = 0; lane < 32; lane++)
		place[lane] = place_of(pattern, lane, &lanes);
	for (int first = 0; first < lanes; first += part, ideal++) {
		std::set<size_t> bank[32];
		size_t ways = 0;

		for (int lane = first; lane < first + part && lane < lanes; lane++)
			for (int i = 0; i < words; i++) {
				size_t word = place[lane] * sizeof(T) / 4 + i;

				bank[word % 32].insert(word);
			}
		for (const auto &of : bank)
			ways = of.size() > ways ? of.size() : ways;
		wavefronts += ways;
	}
	cudaMalloc(&on_device, sizeof(place));
	cudaMalloc(&out, 32 * sizeof(T));
	cudaMemcpy(on_device, place, sizeof(place), cudaMemcpyHostToDevice);
	probe<T><<<CTAS, 32>>>(out, on_device, lanes);
	if (cudaDeviceSynchronize() == cudaSuccess)
		printf("RULE %d %d %d %d\n", (int)sizeof(T), pattern, wavefronts, ideal);
	cudaFree(on_device);
	cudaFree(out);
}

int main()
{
	for (int pattern = 0; pattern < PATTERNS; pattern++) {
		run<uint8_t>(pattern);
		run<uint16_t>(pattern);
		run<uint32_t>(pattern);
		run<uint2>(pattern);
		run<double>(pattern);
		run<uint4>(pattern);
	}
	return 0;
}

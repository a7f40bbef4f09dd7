/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes of a warp that go different ways and access memory on each: nested
 * loops of different lengths, both sides of branches in a loop, early returns. */
#include "feature.h"
#include <vector>

static const int count = 1 << 14, rounds = 24;

__host__ __device__ static int nested(const int *in, int i)
{
	int sum = 0;

#pragma unroll 1
	for (int k = 0; k < (i & 7); k++) {
		sum += in[(i + k) % count];
#pragma unroll 1
		for (int j = 0; j < (i & 3); j++)
			sum ^= in[(i * 3 + j + k) % count];
	}
	return sum;
}

__host__ __device__ static int branching(const int *in, int *out, int i)
{
	unsigned state = i;

#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
		if ((state + r) % 3 == 0) {
			state += in[(state * 7 + r) % count];
			if (state & 1)
				out[i + count] = state;
			else
				state += in[(state + r) % count];
		} else {
			state -= in[(state * 5 + r) % count];
		}
	}
	return state;
}

__global__ void nest(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = nested(in, i);
}

__global__ void branch(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = branching(in, out, i);
}

__global__ void leave_early(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (in[i] % 5 == 0)
		return;
	out[i] = in[(i * 11) % count];
	if (i % 7 == 3)
		return;
	out[i] += 1;
}

int main()
{
	std::vector<int> input(count), wanted(2 * count);
	unsigned state = 1;

	for (int &value : input) {
		state = state * 1664525u + 1013904223u;
		value = state >> 8;
	}
	int *in = device_array<int>(count), *out = device_array<int>(2 * count);
	upload(in, input.data(), count);
	nest<<<count / 256, 256>>>(in, out);
	check("nested loops of different lengths",
	      all_equal(out, count, [&](size_t i) { return nested(input.data(), i); }));

	for (int i = 0; i < count; i++)
		wanted[i] = branching(input.data(), wanted.data(), i);
	branch<<<count / 256, 256>>>(in, out);
	check("both sides of branches in a loop",
	      all_equal(out, 2 * count, [&](size_t i) { return wanted[i]; }));

	for (int i = 0; i < count; i++)
		if (input[i] % 5 != 0)
			wanted[i] = input[(i * 11) % count] + (i % 7 != 3);
	leave_early<<<count / 256, 256>>>(in, out);
	check("early returns", all_equal(out, 2 * count, [&](size_t i) { return wanted[i]; }));
	return finish();
}

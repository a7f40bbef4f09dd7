// SPDX-License-Identifier: Apache-2.0
// Accesses that nothing orders, and such as look like them.
// judged: race, same-value race
#include "cases.h"

// case no_barrier
// The tile is read before the other warps have filled it.
static __global__ void turn(const int *in, int *out)
{
	__shared__ int tile[128];

	tile[threadIdx.x] = in[index()]; // has race: Put a __syncthreads() between
	out[index()] = tile[(threadIdx.x + 32) % 128];
}

CASE(no_barrier)
{
	int *in = allocated<int>(512), *out = allocated<int>(512);

	copy_in(in, std::vector<int>(512, 3));
	turn<<<4, 128>>>(in, out);
	copy_out(out, 512);
}

// case barriers
// As above, with barriers.
static __global__ void turn_well(const int *in, int *out)
{
	__shared__ int tile[128];

	tile[threadIdx.x] = in[index()];
	__syncthreads();
	out[index()] = tile[(threadIdx.x + 32) % 128];
}

CASE(barriers)
{
	int *in = allocated<int>(512), *out = allocated<int>(512);

	copy_in(in, std::vector<int>(512, 3));
	turn_well<<<4, 128>>>(in, out);
	copy_out(out, 512);
}

// SPDX-License-Identifier: Apache-2.0
// Accesses that nothing orders, and such as look like them.
// judged: race, same-value-race
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
	ALLOCATE(int, in, 512);
	ALLOCATE(int, out, 512);

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
	ALLOCATE(int, in, 512);
	ALLOCATE(int, out, 512);

	copy_in(in, std::vector<int>(512, 3));
	turn_well<<<4, 128>>>(in, out);
	copy_out(out, 512);
}

// case unrolled
// Copies of a line that unrolling makes are one.
static __global__ void rounds(const int *in, int *out)
{
	__shared__ int tile[128];
	int sum = 0;

	for (int i = 0; i < 4; i++) {
		int v = in[i * 128 + (int)threadIdx.x];

		tile[threadIdx.x] = v; // has race: Put a __syncthreads()
		__syncthreads();
		sum += tile[127 - threadIdx.x];
	}
	out[index()] = sum;
}

CASE(unrolled)
{
	ALLOCATE(int, in, 512);
	ALLOCATE(int, out, 512);
	std::vector<int> host(512);

	for (int i = 0; i < 512; i++)
		host[i] = i * 37;
	copy_in(in, host);
	rounds<<<4, 128>>>(in, out);
	copy_out(out, 512);
}

// case updates
// Loads and stores of one thread are an update, which an atomic would do: reported once, for CTAs
// and warps.
static __global__ void tally(const int *v, int *bins)
{
	bins[v[index()]]++; // has race: Update it by an atomic
}

CASE(updates)
{
	ALLOCATE(int, v, 512);
	ALLOCATE(int, bins, 4);
	std::vector<int> host(512);

	for (int i = 0; i < 512; i++)
		host[i] = i % 4;
	copy_in(v, host);
	OK(cudaMemset(bins, 0, 4 * sizeof(int)));
	tally<<<4, 128>>>(v, bins);
	copy_out(bins, 4);
}

// case greatest
static __global__ void keep_greatest(const int *v, int *most)
{
	if (v[index()] > *most)
		*most = v[index()]; // has race: Update it by an atomic
}

CASE(greatest)
{
	ALLOCATE(int, v, 512);
	ALLOCATE(int, most, 1);
	std::vector<int> host(512);

	for (int i = 0; i < 512; i++)
		host[i] = i * 37 % 509;
	copy_in(v, host);
	OK(cudaMemset(most, 0, sizeof(int)));
	keep_greatest<<<4, 128>>>(v, most);
	copy_out(most, 1);
}

// case neighbours
// An update in place of what a neighbour reads wants a barrier, not an atomic.
static __global__ void add_next(const int *in, int *out)
{
	__shared__ int s[129];
	int t = (int)threadIdx.x;

	s[t] = in[t];
	if (t == 0)
		s[128] = 0;
	__syncthreads();
	s[t] += s[t + 1]; // has race: Put a __syncthreads() between
	__syncthreads();
	out[t] = s[t];
}

CASE(neighbours)
{
	ALLOCATE(int, in, 128);
	ALLOCATE(int, out, 128);

	copy_in(in, std::vector<int>(128, 3));
	add_next<<<1, 128>>>(in, out);
	copy_out(out, 128);
}

// case flags
// All store the same, which does no harm.
static __global__ void find_any(const int *v, int *found)
{
	if (v[index()] >= 0)
		*found = 1; // has same-value-race
}

CASE(flags)
{
	ALLOCATE(int, v, 512);
	ALLOCATE(int, found, 1);

	copy_in(v, std::vector<int>(512, 3));
	find_any<<<4, 128>>>(v, found);
	copy_out(found, 1);
}

// case atomics
static __global__ void tally_well(const int *v, int *bins)
{
	atomicAdd(&bins[v[index()] % 4], 1);
}

CASE(atomics)
{
	ALLOCATE(int, v, 512);
	ALLOCATE(int, bins, 4);

	copy_in(v, std::vector<int>(512, 3));
	OK(cudaMemset(bins, 0, 4 * sizeof(int)));
	tally_well<<<4, 128>>>(v, bins);
	copy_out(bins, 4);
}

// case tree
// A reduction in shared memory, with its barriers; and an exchange within a warp.
static __global__ void reduce(const int *in, int *out)
{
	__shared__ int s[128];
	int t = (int)threadIdx.x;

	s[t] = in[index()];
	for (int half = 64; half; half /= 2) {
		__syncthreads();
		if (t < half)
			s[t] += s[t + half];
	}
	__syncwarp();
	if (t == 0)
		out[blockIdx.x] = s[0];
}

CASE(tree)
{
	ALLOCATE(int, in, 512);
	ALLOCATE(int, out, 4);

	copy_in(in, std::vector<int>(512, 3));
	reduce<<<4, 128>>>(in, out);
	copy_out(out, 4);
}

// case bytes
// Stores side by side in a word.
static __global__ void narrow(const int *in, char *out)
{
	int i = index();

	out[i % 2 * 256 + i / 2] = (char)in[i];
}

CASE(bytes)
{
	ALLOCATE(int, in, 512);
	ALLOCATE(char, out, 512);

	copy_in(in, std::vector<int>(512, 3));
	narrow<<<4, 128>>>(in, out);
	copy_out(out, 512);
}

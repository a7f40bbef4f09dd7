/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failing LAUNCHES trap|assert|fault: after some launches one whose CTAs all
 * record while one thread fails: the others may be waiting for room in the
 * ring. Prints which error came back; exit status 3.
 */
#include "hang.h"
#include <cassert>

enum { CTAS = 512, THREADS = 256 };

__global__ void fill(unsigned *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void fail(unsigned *data, int how, unsigned *nowhere)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	for (unsigned k = 0; k < 32; k++)
		data[(i * 5 + k * 129) % (CTAS * THREADS)] += 1;
	if (i != CTAS / 2 * THREADS + 5)
		return;
	if (how == 't')
		__trap();
	assert(how != 'a');
	*nowhere = 1;
}

int main(int argc, char **argv)
{
	int launches = launches_wanted(argc, argv);
	const char *how = argc > 2 ? argv[2] : "trap";
	unsigned *data = device_array<unsigned>(CTAS * THREADS);
	cudaError_t error;

	for (int launch = 0; launch < launches; launch++)
		fill<<<CTAS, THREADS>>>(data);
	check("before the failure",
	      all_equal(data, CTAS * THREADS, [&](size_t) { return (unsigned)launches; }));
	fail<<<CTAS, THREADS>>>(data, how[0], nullptr);
	error = cudaDeviceSynchronize();
	printf("failing: %s\n", cudaGetErrorName(error));
	return error ? 3 : 4;
}

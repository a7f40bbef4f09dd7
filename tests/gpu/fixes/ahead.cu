// SPDX-License-Identifier: Apache-2.0
// The host computes what each step needs, then the device does the step, in turns. -DFIX_AHEAD: the
// host computes what the next one needs while the device works.
#include "fixes.h"

#include <cmath>

__global__ void walk(double *x, double by, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double at = x[i];

	for (int r = 0; r < rounds; r++)
		at = at * 0.999 + by;
	x[i] = at;
}

static double needed(int step)
{
	double sum = 0;

	for (int i = 1; i < 4000; i++)
		sum += std::sin(step + i) / i;
	return sum;
}

int main(int argc, char **argv)
{
	int n = 256 * (argc > 1 ? atoi(argv[1]) : 2), steps = argc > 2 ? atoi(argv[2]) : 3;
	double *x, first = 0, sum = 0;

	CHECK(cudaMalloc(&x, n * sizeof(double)));
	CHECK(cudaMemset(x, 0, n * sizeof(double)));
	began();
#ifdef FIX_AHEAD
	double next = needed(0);
#endif
	for (int i = 0; i < steps; i++) {
#ifdef FIX_AHEAD
		walk<<<n / 256, 256>>>(x, next, 2000);
		next = needed(i + 1);
#else
		walk<<<n / 256, 256>>>(x, needed(i), 2000);
#endif
		CHECK(cudaMemcpy(&first, x, sizeof(double), cudaMemcpyDeviceToHost));
		sum += first;
	}
	ended();
	printf("%.5g\n", sum);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The C++ half of the project: input, reference, comparison. */
#include "saxpy.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;

	if (n < 1) {
		fprintf(stderr, "usage: %s [SIZE], SIZE at least 1\n", argv[0]);
		return 1;
	}
	std::vector<float> x(n), y(n);

	for (int i = 0; i < n; i++) {
		x[i] = (float)(i % 1000);
		y[i] = (float)(i % 7);
	}
	int error = saxpy(n, 2.0f, x.data(), y.data());

	if (error) {
		fprintf(stderr, "saxpy: CUDA error %d\n", error);
		return 1;
	}
	for (int i = 0; i < n; i++)
		if (y[i] != 2.0f * (i % 1000) + i % 7) {
			printf("saxpy: element %d differs from the reference\n", i);
			return 1;
		}
	printf("saxpy: ok, %d elements\n", n);
	return 0;
}

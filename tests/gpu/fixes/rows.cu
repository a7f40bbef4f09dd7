// SPDX-License-Identifier: Apache-2.0
// Sums over rows with two problems: 16 thread blocks do it all (-DFIX_GRID fixes it: as many as
// there are rows), and a sum that lies in memory is loaded and stored again for each element
// (-DFIX_REGISTER: it is kept in a register).
#include "fixes.h"

#define COLUMNS 256

#ifdef FIX_GRID
#define BLOCKS(rows) (((rows) + 127) / 128)
#else
#define BLOCKS(rows) 16
#endif

__global__ void add_rows(const float *in, const float *weight, float *out, int rows)
{
	for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
	     row += gridDim.x * blockDim.x) {
#ifdef FIX_REGISTER
		float sum = 0;

		for (int i = 0; i < COLUMNS; i++)
			sum += in[i * rows + row] * weight[row];
		out[row] = sum;
#else
		out[row] = 0;
		for (int i = 0; i < COLUMNS; i++)
			out[row] += in[i * rows + row] * weight[row];
#endif
	}
}

int main(int argc, char **argv)
{
	int rows = 128 * (argc > 1 ? atoi(argv[1]) : 20), rounds = argc > 2 ? atoi(argv[2]) : 2;
	std::vector<float> host(rows * COLUMNS), end(rows);
	float *in, *weight, *out;

	for (int i = 0; i < rows * COLUMNS; i++)
		host[i] = i * 2654435761u % 65521 * 0.0001f;
	CHECK(cudaMalloc(&in, rows * COLUMNS * sizeof(float)));
	CHECK(cudaMalloc(&weight, rows * sizeof(float)));
	CHECK(cudaMalloc(&out, rows * sizeof(float)));
	CHECK(cudaMemcpy(in, host.data(), rows * COLUMNS * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(weight, host.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
	began();
	for (int i = 0; i < rounds; i++)
		add_rows<<<BLOCKS(rows), 128>>>(in, weight, out, rows);
	CHECK(cudaMemcpy(end.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost));
	ended();
	printf("%.5g\n", end[rows / 2]);
	return 0;
}

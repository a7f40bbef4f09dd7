// SPDX-License-Identifier: Apache-2.0
// A structure was copied to the device, and what it points to was not.
#include <cstdio>
#include <cstdlib>

struct matrix {
	int rows, columns;
	float *values;
};

__global__ void trace(const matrix *m, float *out)
{
	float sum = 0;

	for (int i = 0; i < m->rows; i++)
		sum += m->values[i * m->columns + i]; // check: none yet, host-memory
	*out = sum;
}

int main()
{
	matrix host = {40, 40, (float *)calloc(1600, sizeof(float))}, *device;
	float *out;

	cudaMalloc(&device, sizeof(matrix));
	cudaMemcpy(device, &host, sizeof(matrix), cudaMemcpyHostToDevice);
	cudaMalloc(&out, sizeof(float));
	trace<<<1, 1>>>(device, out);
	cudaDeviceSynchronize();
	cudaFree(device);
	cudaFree(out);
	free(host.values);
	puts("done");
	return 0;
}

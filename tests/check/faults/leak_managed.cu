// SPDX-License-Identifier: Apache-2.0
// Managed memory of a member that the destructor forgets.
#include <cstdio>

struct mesh {
	float *vertices;
	int *indices;

	explicit mesh(int n)
	{
		cudaMallocManaged(&vertices, n * sizeof(float));
		cudaMallocManaged(&indices, n * sizeof(int)); // check: leak
	}
	~mesh()
	{
		cudaFree(vertices);
	}
};

__global__ void number(mesh *, int *indices)
{
	indices[threadIdx.x] = threadIdx.x;
}

int main()
{
	mesh m(64);

	number<<<1, 64>>>(nullptr, m.indices);
	cudaDeviceSynchronize();
	printf("%d\n", m.indices[63]);
	return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Members of a union are of unequal size, and the kind says which one it is.
#include <cstdio>

struct shape {
	int kind;
	union {
		float radius;
		float sides[3];
	};
};

__global__ void make(shape *shapes)
{
	shape &s = shapes[threadIdx.x];

	s.kind = threadIdx.x % 2;
	if (s.kind == 0) {
		s.radius = 1.f;
	} else {
		s.sides[0] = 3;
		s.sides[1] = 4;
		s.sides[2] = 5;
	}
}

__global__ void extents(const shape *shapes, float *out)
{
	const shape &s = shapes[threadIdx.x];

	if (s.kind == 0)
		out[threadIdx.x] = 6.28f * s.radius;
	else
		out[threadIdx.x] = s.sides[0] + s.sides[1] + s.sides[2];
}

int main()
{
	shape *shapes;
	float *out;

	cudaMalloc(&shapes, 50 * sizeof(shape));
	cudaMalloc(&out, 50 * sizeof(float));
	make<<<1, 50>>>(shapes);
	extents<<<1, 50>>>(shapes, out);
	cudaDeviceSynchronize();
	cudaFree(shapes);
	cudaFree(out);
	puts("done");
	return 0;
}

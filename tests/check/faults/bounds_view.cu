// SPDX-License-Identifier: Apache-2.0
// A view (pointer and extents) by value, whose operator() multiplies with the wrong extent.
#include <cstdio>

template <typename T> struct view {
	T *data;
	int rows, columns;

	__device__ T &operator()(int row, int column) const
	{
		return data[row * rows + column];
	}
};

template <typename T> __global__ void identity(view<T> matrix)
{
	int row = threadIdx.y, column = threadIdx.x;

	if (row < matrix.rows && column < matrix.columns)
		matrix(row, column) = row == column; // check: out-of-bounds
}

int main()
{
	view<float> matrix = {nullptr, 16, 8};

	cudaMalloc(&matrix.data, matrix.rows * matrix.columns * sizeof(float));
	identity<<<1, dim3(8, 16)>>>(matrix);
	cudaDeviceSynchronize();
	cudaFree(matrix.data);
	puts("done");
	return 0;
}

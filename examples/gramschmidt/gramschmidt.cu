/* SPDX-License-Identifier: Apache-2.0 */
/* QR decomposition by modified Gram-Schmidt: three kernels for each column k of an n x n matrix. */
#include "../example.h"

static const int THREADS = 64;

/* One thread: the length of column k. */
__global__ void norm(float *r, const float *a, int k, int n)
{
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum = fmaf(a[i * n + k], a[i * n + k], sum);
	r[k * n + k] = sqrtf(sum);
}

/* A thread per row: column k of q is that of a, scaled to length 1. */
__global__ void normalize(float *q, const float *a, const float *r, int k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		q[i * n + k] = a[i * n + k] / r[k * n + k];
}

/* A thread per column to the right of k: take its part along q's column k away. */
__global__ void project(float *r, float *a, const float *q, int k, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	float along = 0;

	if (j <= k || j >= n)
		return;
	for (int i = 0; i < n; i++)
		along = fmaf(q[i * n + k], a[i * n + j], along);
	r[k * n + j] = along;
	for (int i = 0; i < n; i++)
		a[i * n + j] = fmaf(-q[i * n + k], along, a[i * n + j]);
}

static void reference(std::vector<float> &a, std::vector<float> &q, int n)
{
	for (int k = 0; k < n; k++) {
		float sum = 0;

		for (int i = 0; i < n; i++)
			sum = fmaf(a[i * n + k], a[i * n + k], sum);
		for (int i = 0; i < n; i++)
			q[i * n + k] = a[i * n + k] / sqrtf(sum);
		for (int j = k + 1; j < n; j++) {
			float along = 0;

			for (int i = 0; i < n; i++)
				along = fmaf(q[i * n + k], a[i * n + j], along);
			for (int i = 0; i < n; i++)
				a[i * n + j] = fmaf(-q[i * n + k], along, a[i * n + j]);
		}
	}
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 24, 1);
	int blocks = divide_up(n, THREADS);
	size_t bytes = (size_t)n * n * sizeof(float);
	std::vector<float> matrix(n * n), expected(n * n), result(n * n);
	float *a, *q, *r;
	unsigned seed = 7;

	for (int i = 0; i < n * n; i++)
		matrix[i] = example_random(&seed, 64) / 16.0f + (i % (n + 1) == 0 ? n : 0);
	CHECK(cudaMalloc(&a, bytes));
	CHECK(cudaMalloc(&q, bytes));
	CHECK(cudaMalloc(&r, bytes));
	CHECK(cudaMemcpy(a, matrix.data(), bytes, cudaMemcpyHostToDevice));
	for (int k = 0; k < n; k++) {
		norm<<<1, 1>>>(r, a, k, n);
		CHECK(cudaGetLastError());
		normalize<<<blocks, THREADS>>>(q, a, r, k, n);
		CHECK(cudaGetLastError());
		project<<<blocks, THREADS>>>(r, a, q, k, n);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpy(result.data(), q, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	CHECK(cudaFree(q));
	CHECK(cudaFree(r));

	reference(matrix, expected, n);
	return example_finish_near("gramschmidt", result.data(), expected.data(), result.size(),
				   1e-4f);
}

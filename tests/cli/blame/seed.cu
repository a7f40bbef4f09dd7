/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of seed 003 (slides 11 to 16), as far as their kernels go: a matrix and vectors
 * (Polybench gesummv), Gram-Schmidt, and the search of a particle filter (Rodinia). */
#include <cuda_runtime.h>

#define N 64

__global__ void gesummv(const float *A, const float *B, const float *x, float *tmp, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		for (int j = 0; j < N; j++) {
			tmp[i] += A[i * N + j] * x[j];
			y[i] += B[i * N + j] * x[j];
		}
		y[i] = 1.5f * tmp[i] + 0.5f * y[i];
	}
}

__global__ void norm(const float *a, float *r, int k)
{
	if (threadIdx.x == 0) {
		float nrm = 0;

		for (int i = 0; i < N; i++)
			nrm += a[i * N + k] * a[i * N + k];
		r[k * N + k] = sqrtf(nrm);
	}
}

__global__ void column(const float *a, const float *r, float *q, int k)
{
	int i = threadIdx.x;

	q[i * N + k] = a[i * N + k] / r[k * N + k];
}

__global__ void project(float *a, float *r, const float *q, int k)
{
	int j = threadIdx.x;

	if (j > k) {
		r[k * N + j] = 0;
		for (int i = 0; i < N; i++)
			r[k * N + j] += q[i * N + k] * a[i * N + j];
		for (int i = 0; i < N; i++)
			a[i * N + j] -= q[i * N + k] * r[k * N + j];
	}
}

__global__ void resample(const double *arrayX, const double *arrayY, const double *CDF,
			 const double *u, double *xj, double *yj, int particles)
{
	int i = blockDim.x * blockIdx.x + threadIdx.x;

	if (i < particles) {
		int index = -1;

		for (int x = 0; x < particles; x++)
			if (CDF[x] >= u[i]) {
				index = x;
				break;
			}
		if (index == -1)
			index = particles - 1;
		xj[i] = arrayX[index];
		yj[i] = arrayY[index];
	}
}

template <typename T> static T *filled(int count, T first, T step)
{
	T *values = new T[count], *memory;

	for (int i = 0; i < count; i++)
		values[i] = first + step * (T)(i % (N + 3));
	cudaMalloc(&memory, count * sizeof(T));
	cudaMemcpy(memory, values, count * sizeof(T), cudaMemcpyHostToDevice);
	delete[] values;
	return memory;
}

int main()
{
	float *A = filled(N * N, 1.f, 0.5f), *B = filled(N * N, 2.f, 0.25f),
	      *x = filled(N, 1.f, 1.f);
	float *tmp = filled(N, 0.f, 0.f), *y = filled(N, 0.f, 0.f);
	float *q = filled(N * N, 0.f, 0.f), *r = filled(N * N, 0.f, 0.f);
	double *arrayX = filled(N, 1., 1.), *arrayY = filled(N, 2., 1.);
	double *CDF = filled(N, 0., 1.), *u = filled(N, 0., 1.);
	double *xj = filled(N, 0., 0.), *yj = filled(N, 0., 0.);

	gesummv<<<2, N / 2>>>(A, B, x, tmp, y);
	for (int k = 0; k < N; k++) {
		norm<<<1, 32>>>(A, r, k);
		column<<<1, N>>>(A, r, q, k);
		project<<<1, N>>>(A, r, q, k);
	}
	resample<<<1, N>>>(arrayX, arrayY, CDF, u, xj, yj, N);
	for (void *memory :
	     {(void *)A, (void *)B, (void *)x, (void *)tmp, (void *)y, (void *)q, (void *)r,
	      (void *)arrayX, (void *)arrayY, (void *)CDF, (void *)u, (void *)xj, (void *)yj})
		cudaFree(memory);
	return cudaDeviceSynchronize() != cudaSuccess;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits within NVIDIA's closed libraries, for ffm.sh: cuBLAS brings a result to the host, which is
 * read; cuFFT makes a plan each time around, and destroys it while its transforms are under way,
 * which waits for them though nothing of theirs is read. Prints what it has computed.
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define POINTS (1 << 24)
#define TIMES 4

static __global__ void fill(double *data, double value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static void check(bool is_well, const char *what)
{
	if (!is_well) {
		fprintf(stderr, "%s fails\n", what);
		exit(1);
	}
}

int main()
{
	cublasHandle_t blas;
	double *x, *y, dot, sum = 0;

	check(cudaMalloc(&x, POINTS * sizeof(*x)) == cudaSuccess, "cudaMalloc");
	check(cudaMalloc(&y, POINTS * sizeof(*y)) == cudaSuccess, "cudaMalloc");
	check(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
	for (int i = 0; i < TIMES; i++) {
		cufftHandle plan;

		fill<<<POINTS / 256, 256>>>(x, i + 1);
		fill<<<POINTS / 256, 256>>>(y, 2);
		check(cublasDdot(blas, POINTS, x, 1, y, 1, &dot) == CUBLAS_STATUS_SUCCESS,
		      "cublasDdot");
		sum += dot; /* as soon as it is there */
		check(cufftPlan1d(&plan, POINTS / 2, CUFFT_Z2Z, 1) == CUFFT_SUCCESS, "cufftPlan1d");
		for (int k = 0; k < 50; k++)
			check(cufftExecZ2Z(plan, (cufftDoubleComplex *)x, (cufftDoubleComplex *)x,
					   CUFFT_FORWARD) == CUFFT_SUCCESS,
			      "cufftExecZ2Z");
		check(cufftDestroy(plan) == CUFFT_SUCCESS, "cufftDestroy");
		usleep(10000); /* the host is at other work */
	}
	check(cudaDeviceSynchronize() == cudaSuccess, "a kernel");
	printf("%.1f\n", sum);
	cublasDestroy(blas);
	return 0;
}

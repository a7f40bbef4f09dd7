// SPDX-License-Identifier: Apache-2.0
// Kernels timed by events of CUDA, calls in known numbers, and cuBLAS and cuFFT if they are there.
// Says what it has done:
//	kernel NAME COUNT SECONDS	call NAME COUNT	cublas COUNT	cufft COUNT
#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>

// In a microsecond as many cycles as the device has MHz.
template <int number> __global__ void spin(long long cycles, int *data)
{
	long long begin = clock64();

	while (clock64() - begin < cycles)
		;
	if (data && threadIdx.x == 0)
		data[number] += number;
}

static int *data;
static cudaStream_t stream;

template <int number> __attribute__((noinline)) void timed()
{
	cudaEvent_t begin, end;
	double seconds = 0;
	float ms;

	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 5; i++) {
		// The device is busy until all is asked for: it does not wait between the events.
		spin<0><<<1, 32, 0, stream>>>(1000000, NULL);
		cudaEventRecord(begin, stream);
		spin<number><<<number, 32, 0, stream>>>(2000000ll * (number + 1), data);
		cudaEventRecord(end, stream);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		seconds += ms / 1e3;
	}
	printf("kernel spin<%d> 5 %.9f\n", number, seconds);
}

// As cuBLAS has them, without its header.
typedef int (*create_t)(void **);
typedef int (*gemm_t)(void *, int, int, int, int, int, const float *, const float *, int,
		      const float *, int, const float *, float *, int);

__attribute__((noinline)) int multiply(gemm_t gemm, void *handle, float *matrix)
{
	const float one = 1, none = 0;

	return gemm(handle, 0, 0, 256, 256, 256, &one, matrix, 256, matrix, 256, &none,
		    matrix + 65536, 256);
}

static int cublas()
{
	void *library = dlopen("libcublas.so.13", RTLD_NOW), *handle;
	float *matrix;
	int failures = 0;

	if (!library)
		library = dlopen("libcublas.so.12", RTLD_NOW);
	if (!library || cudaMalloc(&matrix, 2 * 65536 * sizeof(float)) != cudaSuccess)
		return 0;
	if (((create_t)dlsym(library, "cublasCreate_v2"))(&handle))
		return 0;
	for (int i = 0; i < 3; i++)
		failures += multiply((gemm_t)dlsym(library, "cublasSgemm_v2"), handle, matrix);
	return failures ? 0 : 3;
}

typedef int (*plan_t)(int *, int, int, int);
typedef int (*execute_t)(int, void *, void *, int);

__attribute__((noinline)) int transform(execute_t execute, int plan, float *signal)
{
	int failed = execute(plan, signal, signal, -1);

	asm volatile("" ::: "memory"); // no jump in place of the call
	return failed;
}

static int cufft()
{
	void *library = dlopen("libcufft.so.12", RTLD_NOW);
	int plan, failures = 0;
	float *signal;

	if (!library)
		library = dlopen("libcufft.so.11", RTLD_NOW);
	if (!library || cudaMalloc(&signal, 1 << 16) != cudaSuccess)
		return 0;
	if (((plan_t)dlsym(library, "cufftPlan1d"))(&plan, 4096, 0x29, 1))
		return 0;
	for (int i = 0; i < 4; i++)
		failures += transform((execute_t)dlsym(library, "cufftExecC2C"), plan, signal);
	return failures ? 0 : 4;
}

int main()
{
	char host[4096];

	cudaMalloc(&data, 4096);
	cudaStreamCreate(&stream);
	spin<0><<<1, 32, 0, stream>>>(0, NULL); // code is loaded by the first launch
	cudaStreamSynchronize(stream);
	timed<1>(), timed<2>(), timed<3>(), timed<4>(), timed<5>(), timed<6>();
	timed<7>(), timed<8>(), timed<9>(), timed<10>(), timed<11>(), timed<12>();
	for (int i = 0; i < 7; i++)
		cudaMemcpyAsync(data, host, 1024, cudaMemcpyHostToDevice, stream);
	for (int i = 0; i < 3; i++)
		cudaMemcpy(host, data, 2048, cudaMemcpyDeviceToHost);
	cudaMemset(data, 0, 512);
	printf("call cudaMemcpyAsync 7\ncall cudaMemcpy 3\ncall cudaMemset 1\n");
	printf("cublas %d\n", cublas());
	printf("cufft %d\n", cufft());
	return cudaDeviceSynchronize() != cudaSuccess;
}

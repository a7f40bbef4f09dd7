// SPDX-License-Identifier: Apache-2.0
// Kernels of 50 µs to 5 ms, by what bounds them, each launched many times between two events:
// prints "name microseconds" for each launch. What the CTA clock costs is the difference between
// runs (bench.sh). A kernel in front keeps the device busy until the host has asked for all three,
// so that only the device's time is measured.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace
{

void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "cta-clock: %s: %s\n", what, cudaGetErrorString(error));
	exit(1);
}

const size_t Elements = 64u << 20;

// Bound by memory; CTAs as many as fit, each with a part of the array.
__global__ void stream(float *y, const float *x, size_t n)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x)
		y[i] += 2 * x[i];
}

// Bound by memory; a thread for each four elements.
__global__ void vector4(float4 *y, const float4 *x)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	float4 a = x[i], b = y[i];

	y[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Bound by memory; a thread for each element: warps live for a microsecond.
__global__ void element(float *y, const float *x, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < n)
		y[i] += 2 * x[i];
}

// Bound by arithmetic.
__global__ void arithmetic(float *y, int rounds)
{
	float a = threadIdx.x, b = 1.0001f, c = blockIdx.x, d = a + 1, e = a + 2;

	for (int i = 0; i < rounds; i++) {
		a = a * b + c;
		d = d * b + a;
		e = e * b + d;
		c = c * b + e;
	}
	y[blockIdx.x * blockDim.x + threadIdx.x] = a + d + e + c;
}

// Many CTAs of one warp that do next to nothing.
__global__ void tiny(float *y)
{
	y[blockIdx.x * 32 + threadIdx.x] *= 1.5f;
}

// Matrix product in tiles of shared memory: barriers, high occupancy.
const int Tile = 32;
__global__ void __launch_bounds__(Tile *Tile)
    product(float *c, const float *a, const float *b, int n)
{
	__shared__ float of_a[Tile][Tile], of_b[Tile][Tile];
	int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < n; k += Tile) {
		of_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
		of_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
		__syncthreads();
		for (int i = 0; i < Tile; i++)
			sum += of_a[threadIdx.y][i] * of_b[i][threadIdx.x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

// A stencil: a tile with its halo in shared memory, each CTA once.
__global__ void stencil(float *out, const float *in, int n)
{
	__shared__ float tile[10][34];
	int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
	int tx = threadIdx.x + 1, ty = threadIdx.y + 1;

	tile[ty][tx] = in[y * n + x];
	if (threadIdx.x == 0)
		tile[ty][0] = in[y * n + x - 1];
	if (threadIdx.x == 31)
		tile[ty][33] = in[y * n + x + 1];
	if (threadIdx.y == 0)
		tile[0][tx] = in[(y - 1) * n + x];
	if (threadIdx.y == 7)
		tile[9][tx] = in[(y + 1) * n + x];
	__syncthreads();
	out[y * n + x] =
	    0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

__global__ void delay(unsigned long long ns)
{
	unsigned long long begin, now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
	do
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	while (now - begin < ns);
}

cudaEvent_t before, after;
int launches = 20;

template <typename Launch> void measure(const char *name, Launch launch)
{
	float ms;

	launch();
	launch();
	for (int i = 0; i < launches; i++) {
		delay<<<1, 1>>>(1000000);
		check(cudaEventRecord(before), "event");
		launch();
		check(cudaEventRecord(after), "event");
		check(cudaEventSynchronize(after), name);
		check(cudaEventElapsedTime(&ms, before, after), "event");
		printf("%s %.3f\n", name, 1000.0 * ms);
	}
}

} // namespace

int main(int argc, char **argv)
{
	int sms = 0, n = 2048, side = 8194;
	float *x, *y;

	if (argc > 1)
		launches = atoi(argv[1]);
	check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "device");
	check(cudaMalloc(&x, 4 * (Elements + 4 * side)), "memory");
	check(cudaMalloc(&y, 4 * (Elements + 4 * side)), "memory");
	check(cudaMemset(x, 0, 4 * (Elements + 4 * side)), "memory");
	check(cudaMemset(y, 0, 4 * (Elements + 4 * side)), "memory");
	check(cudaEventCreate(&before), "event");
	check(cudaEventCreate(&after), "event");

	measure("memory-bound", [&] { stream<<<sms * 8, 256>>>(y, x, Elements); });
	measure("memory-bound-short", [&] { stream<<<sms * 8, 256>>>(y, x, Elements / 5); });
	measure("compute-bound", [&] { arithmetic<<<sms * 64, 256>>>(y, 1000); });
	measure("many-tiny-ctas", [&] { tiny<<<1 << 20, 32>>>(y); });
	measure("few-long-ctas", [&] { arithmetic<<<sms, 128>>>(y, 500000); });
	measure("shared-memory", [&] {
		product<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(y, x, x + n * n, n);
	});
	measure("stencil", [&] {
		stencil<<<dim3((side - 2) / 32, (side - 2) / 8), dim3(32, 8)>>>(y, x, side);
	});
	measure("four-elements-a-thread",
		[&] { vector4<<<Elements / 1024, 256>>>((float4 *)y, (const float4 *)x); });
	measure("element-a-thread-256", [&] { element<<<Elements / 256, 256>>>(y, x, Elements); });
	measure("element-a-thread-1024",
		[&] { element<<<Elements / 1024, 1024>>>(y, x, Elements); });
	check(cudaDeviceSynchronize(), "kernels");
	return 0;
}

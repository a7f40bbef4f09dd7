#include <cstdio>
typedef unsigned long long u64;
struct T16 { int n; float v[7]; };
extern __shared__ T16 x16;
__global__ void k16(u64 *o) {
	unsigned lane = threadIdx.x;
	(&x16)[lane].n = lane + 5;
	__syncthreads();
	lane = 31 - lane;
	o[threadIdx.x] = (u64)(&x16)[lane].n;
}
int main() { u64 *o; cudaMallocManaged(&o, 256); k16<<<1, 32, 32 * sizeof(T16)>>>(o); printf("%d", cudaDeviceSynchronize()); printf(" %llu\n", o[3]); }

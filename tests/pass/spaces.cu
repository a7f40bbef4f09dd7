// Shared, local, constant and parameter memory make no sites; what may be either is checked.
// RUN: %trace cpu -O1 -fno-unroll-loops --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__constant__ float table[64];
__device__ float total;
struct Args {
	int offset[40];
};
__global__ void elsewhere(Args args, int n, float *out)
{
	__shared__ float tile[64];
	extern __shared__ float dynamic[];
	float local[64];
	for (int i = 0; i < n; i++)
		local[i] = table[i] + args.offset[i];
	tile[threadIdx.x] = dynamic[n] = local[n];
	__syncthreads();
	total = tile[n] + local[n - 1] + dynamic[n + 1];
}
__global__ void either(float *global, int n)
{
	__shared__ float tile[64];
	float *p = n > 3 ? global : tile;
	p[threadIdx.x] = 1;
	__syncthreads();
	global[n] = tile[n];
}
// CHECK: define {{.*}}@__ct__Z6eitherPfi(
// CHECK: call void @__ct_access_checked(
// CHECK: call void @__ct_access(
// UNIT: site 0 global store 4 bytes float32 x 1 at {{.*}}:18:{{.*}} kernel 0 variable total
// UNIT-NEXT: site 1 checked store 4 bytes float32 x 1 at {{.*}}:24:{{.*}} kernel 1{{$}}
// UNIT-NEXT: site 2 global store 4 bytes float32 x 1 at {{.*}}:26:{{.*}} kernel 1 variable global
// UNIT-NOT: site

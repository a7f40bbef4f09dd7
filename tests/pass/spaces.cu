// Shared, local, constant and parameter memory are not recorded; what may be either is checked.
// construct: shared, local, constant and parameter memory
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
// CHECK: call i32 @__ct_access_checked(
// CHECK: call void @__ct_access(
// UNIT: site 0 global store 4 bytes float32 x 1 at {{.*}}:19:{{.*}} kernel 0 variable total
// UNIT-NOT: {{^}}site {{.*}} {{global|checked}} {{load|store}}
// UNIT-DAG: elsewhere load 4 bytes {{.*}}:16:{{.*}} variable table space constant
// UNIT-DAG: elsewhere load 4 bytes {{.*}}:16:{{.*}} variable args space constant
// UNIT-DAG: elsewhere store 4 bytes {{.*}}:16:{{.*}} space local
// UNIT-DAG: elsewhere store 4 bytes {{.*}}:17:{{.*}} variable {{.*}}dynamic space shared
// UNIT: checked store 4 bytes float32 x 1 at {{.*}}:25:{{.*}} kernel 1{{$}}
// UNIT-NEXT: global store 4 bytes float32 x 1 at {{.*}}:27:{{.*}} kernel 1 variable global
// UNIT-NOT: {{^}}site {{.*}} {{global|checked}} {{load|store}}

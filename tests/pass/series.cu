// Accesses at constant distances have one hook in units with hundreds of accesses, with a table of them.
// construct: hundreds of accesses at constant distances
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-groups=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O0 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: call {{.*}}@__ct_series(

// A word: distance << 24 | bytes << 16 | site. Loads: 0, 4, 8 << 24 from the first, stores 64 bytes apart and down.
// CHECK-DAG: @[[LOADS:ct_series[0-9]*]] = internal addrspace(1) constant [300 x i64] [i64 262144, i64 67371009, i64 134479874,
// CHECK-DAG: @[[STORES:ct_series[0-9]*]] = internal addrspace(1) constant [300 x i64] [i64 262144, i64 -1073479679, i64 -2147221502,
__global__ void many(int *to, const int *from)
{
	int v[300];
#pragma unroll
	for (int i = 0; i < 300; i++)
		v[i] = from[300 * threadIdx.x + i];
	__syncthreads();
	int *last = to + threadIdx.x;
#pragma unroll
	for (int i = 0; i < 300; i++)
		last[-16 * i] = v[299 - i];
}
// Behind the last load, before the first store.
// CHECK-LABEL: define {{.*}}@__ct__Z4manyPiPKi(
// CHECK: load i32, ptr addrspace(1) {{.*}}
// CHECK-NOT: @__ct_access
// CHECK: call void @__ct_series(i32 {{[^,]+}}, i64 0, i64 {{%[0-9]+}}, i32 300, i64 ptrtoint (ptr addrspace(1) @[[LOADS]] to i64))
// CHECK-NOT: load i32, ptr addrspace(1)
// CHECK: barrier
// CHECK-NOT: store i32
// CHECK: call void @__ct_series(i32 {{[^,]+}}, i64 300, i64 {{%[0-9]+}}, i32 300, i64 ptrtoint (ptr addrspace(1) @[[STORES]] to i64))
// CHECK-COUNT-300: store i32
// CHECK: call void @__ct_exit

// Two are not worth a table, and volatile accesses, atomics, and what is elsewhere have hooks of their own.
__global__ void few(int *to, const int *from, volatile int *polled, int n)
{
	int i = threadIdx.x, j = from[n];
	to[i] = j;
	to[i + 8] = polled[0] + polled[1] + polled[2];
	atomicAdd(to + i, 1);
	atomicAdd(to + i + 1, 1);
	atomicAdd(to + i + 2, 1);
}
// CHECK-LABEL: define {{.*}}@__ct__Z3fewPiPKiPVii(
// CHECK-NOT: call void @__ct_series(
// CHECK: ret void

// Accesses of a warp at a barrier are not to be reported before it: three series.
__global__ void phases(int *p)
{
	int i = threadIdx.x;
	p[i] = 1;
	p[i + 32] = 2;
	p[i + 64] = 3;
	__syncthreads();
	p[i] = 4;
	p[i + 32] = 5;
	p[i + 64] = 6;
	__syncthreads();
	p[i + 96] = p[i] + p[i + 32] + p[i + 64];
}
// Groups come first, where they are.
// CHECK-LABEL: define {{.*}}@__ct__Z6phasesPi(
// CHECK: call void @__ct_group_far(
// CHECK: barrier
// CHECK: call void @__ct_group_far(
// CHECK: barrier
// CHECK: call void @__ct_group_far(
// CHECK: call void @__ct_exit

// In a function there are none.
__device__ __noinline__ int sum(const int *p) { return p[0] + p[5] + p[9]; }
__global__ void calls(int *to, const int *from) { to[threadIdx.x] = sum(from + threadIdx.x) + sum(from + 7); }
// CHECK-LABEL: define {{.*}}@__ct__Z3sumPKi
// CHECK: call void @__ct_series(i32 {{[^,]+}}, i64 {{[0-9]+}}, i64 {{%[0-9]+}}, i32 3,
// CHECK: ret i32

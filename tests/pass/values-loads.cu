// Loads of values next to each other are under way together: their hooks come behind the last of them, in the program's order.
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@__ct__Z3sumPfPKfS1_i(
// CHECK: load float
// CHECK-NOT: call void @__ct_
// CHECK: load float
// CHECK-NOT: call void @__ct_
// CHECK: load float
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 0,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 0,
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 1,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 1,
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 2,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 2,
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 3,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 3,
// CHECK: store float
__global__ void sum(float *c, const float *a, const float *b, int n)
{
	c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] * c[threadIdx.x + n];
}

// Not across what other threads may wait for, or a store.
// CHECK-LABEL: define {{.*}}@__ct__Z5apartPfPKf(
// CHECK: load float
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 4,
// CHECK: barrier
// CHECK: load float
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 5,
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 6,
// CHECK: store float
// CHECK: load float
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 7,
__global__ void apart(float *c, const float *a)
{
	float first = a[threadIdx.x];
	__syncthreads();
	c[threadIdx.x] = first + a[threadIdx.x + 1];
	c[threadIdx.x + 1] = a[threadIdx.x + 2];
}

// As many as registers are left for.
// CHECK-LABEL: define {{.*}}@__ct__Z4manyPfPKf(
// CHECK-COUNT-8: load float
// CHECK-COUNT-8: call void @__ct_value(
// CHECK: load float
// CHECK: call void @__ct_value(
__global__ void many(float *c, const float *a)
{
	float all = 0;
#pragma unroll
	for (int i = 0; i < 9; i++)
		all += a[threadIdx.x * 10 + i];
	c[threadIdx.x] = all;
}

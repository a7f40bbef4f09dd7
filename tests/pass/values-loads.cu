// Loads of values next to each other are under way together: their hooks come behind the last of them, in the program's order;
// those at distances that all threads share have one hook.
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@__ct__Z3sumPfPKfS1_i(
// CHECK: [[A:%.*]] = load float
// CHECK-NOT: call void @__ct_
// CHECK: [[B:%.*]] = load float
// CHECK-NOT: call void @__ct_
// CHECK: [[C:%.*]] = load float
// CHECK: bitcast float [[A]]
// CHECK: bitcast float [[B]]
// CHECK: bitcast float [[C]]
// CHECK: call void @__ct_group_values(i32 {{[^,]+}}, i64 0, i64 {{[^,]+}}, i32 4, i32 0, i32 2, {{.*}}, i32 3362)
// Where the sum of 32-bit indices wraps the distance is another.
// CHECK: call void @__ct_access_alone(i32 {{[^,]+}}, i64 0,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 0,
// CHECK: call void @__ct_access_far(i32 {{[^,]+}}, i64 1,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 1,
// CHECK: call void @__ct_access_far(i32 {{[^,]+}}, i64 2,
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
// CHECK-COUNT-6: load float
// CHECK: call void @__ct_group_values({{.*}}, i32 5,
// CHECK-COUNT-3: load float
// CHECK: call void @__ct_group_values({{.*}}, i32 2,
__global__ void many(float *c, const float *a)
{
	float all = 0;
#pragma unroll
	for (int i = 0; i < 9; i++)
		all += a[threadIdx.x * 10 + i];
	c[threadIdx.x] = all;
}

// Anywhere, each has a hook of its own, behind the last of at most eight.
// CHECK-LABEL: define {{.*}}@__ct__Z6gatherPfPKfPKi(
// CHECK: call void @__ct_group_values({{.*}}, i32 5,
// CHECK-COUNT-8: load float
// CHECK-COUNT-8: call void @__ct_value(
// CHECK: load float
// CHECK: call void @__ct_value(
__global__ void gather(float *c, const float *a, const int *at)
{
	int from[9];
	float all = 0;

#pragma unroll
	for (int i = 0; i < 9; i++)
		from[i] = at[threadIdx.x * 10 + i];
#pragma unroll
	for (int i = 0; i < 9; i++)
		all += a[from[i]];
	c[threadIdx.x] = all;
}

// A group has words of one type.
// CHECK-LABEL: define {{.*}}@__ct__Z5mixedPfPKfPKi(
// CHECK: call void @__ct_access(
// CHECK: call void @__ct_value(
// CHECK: call void @__ct_group_values({{.*}}, i32 1,
// CHECK: call void @__ct_access(
// CHECK: call void @__ct_value(
// CHECK: store float
__global__ void mixed(float *c, const float *a, const int *i)
{
	float x = i[threadIdx.x] % 3, y = a[threadIdx.x], z = a[threadIdx.x + 7];

	c[threadIdx.x] = x * y + z;
	c[threadIdx.x + 1] = y;
}

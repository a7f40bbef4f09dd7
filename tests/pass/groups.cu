// Accesses of a block whose distances are the same in all threads have one hook; it comes behind their loads and before what waits for these.
// construct: accesses at equal distances
// construct: indices that wrap
// construct: option --ct-groups
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-groups=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O0 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O2 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm -ct-report 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: recorded together in stream(float*, float const*, float const*, int): 3 accesses in 1 groups, 0 in regular loops
// REPORT-NOT: differing(
// REPORT: recorded together in many(int*, int): 72 accesses in 12 groups
// OFF-NOT: call {{.*}}@__ct_group(

__global__ void stream(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}
// CHECK-LABEL: define {{.*}}@__ct__Z6streamPfPKfS1_i(ptr {{[^,]*}}%0, ptr {{[^,]*}}%1, ptr {{[^,]*}}%2,
// CHECK: [[X:%[0-9]+]] = load float
// CHECK: [[Y:%[0-9]+]] = load float
// CHECK-NOT: fadd
// CHECK-DAG: [[C:%[0-9]+]] = ptrtoint ptr %0 to i64
// CHECK-DAG: [[A:%[0-9]+]] = ptrtoint ptr %1 to i64
// CHECK-DAG: [[B:%[0-9]+]] = ptrtoint ptr %2 to i64
// CHECK: call void @__ct_group(i32 {{[^,]+}}, i64 0, i64 {{[^,]+}}, i32 4, i32 0, i32 2, i64 {{[^,]+}}, i64 {{[^,]+}}, i64 0, i64 0, i64 0)
// CHECK-NEXT: fadd contract float [[X]], [[Y]]
// CHECK-NEXT: store float
// CHECK-NOT: @__ct_access
// CHECK: call void @__ct_exit

// Signed indices: overflow does not happen.
__global__ void stencil(float *out, const float *in, int width)
{
	int i = (blockIdx.y + 1) * width + threadIdx.x;
	out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}
// CHECK-LABEL: define {{.*}}@__ct__Z7stencilPfPKfi(
// CHECK-NOT: icmp eq i64
// CHECK: [[W:%[0-9]+]] = sext i32 %2 to i64
// CHECK: [[BELOW:%[0-9]+]] = sub i64 0, {{%[0-9]+}}
// CHECK: call void @__ct_group(i32 {{[^,]+}}, i64 3, i64 {{[^,]+}}, i32 4, i32 0, i32 5, i64 -4, i64 4, i64 [[BELOW]], i64 {{[^,]+}}, i64 {{[^,]+}})
// CHECK-NOT: @__ct_access
// CHECK: call void @__ct_exit

// Unsigned ones may wrap: each thread looks whether they did.
__global__ void unsigned_stencil(float *out, const float *in, unsigned width)
{
	unsigned i = (blockIdx.y + 1) * width + threadIdx.x;
	out[i] = in[i] + in[i - 1] + in[i + width];
}
// CHECK-LABEL: define {{.*}}@__ct__Z16unsigned_stencilPfPKfj(
// CHECK: icmp eq i64 {{%[0-9]+}}, -4
// CHECK: [[BOTH:%[0-9]+]] = and i1
// CHECK: br i1 [[BOTH]], label %[[SAME:[0-9]+]], label %[[OTHER:[0-9]+]]
// CHECK: [[SAME]]:
// CHECK: call void @__ct_group(i32 {{[^,]+}}, i64 9, i64 {{[^,]+}}, i32 4, i32 0, i32 3, i64 -4, i64 {{[^,]+}}, i64 {{[^,]+}}, i64 0, i64 0)
// CHECK-NEXT: br label
// CHECK: [[OTHER]]:
// CHECK: call void @__ct_access_alone(i32 {{[^,]+}}, i64 9, i64 {{[^,]+}}, i32 4)
// CHECK: call void @__ct_access_far(i32 {{[^,]+}}, i64 10, i64 {{[^,]+}}, i32 4)
// CHECK: call void @__ct_access_far(i32 {{[^,]+}}, i64 11, i64 {{[^,]+}}, i32 4)
// CHECK: call void @__ct_access_far(i32 {{[^,]+}}, i64 12, i64 {{[^,]+}}, i32 4)
// CHECK: fadd
// CHECK: store float

// Members of a structure that is a parameter, and the size of the launch.
struct parameters {
	int offset;
	const double *in;
	double *out;
};
__global__ void uniform(parameters p)
{
	int i = threadIdx.x;
	p.out[i] = p.in[i + p.offset] + p.in[i + (long)blockDim.x * gridDim.y];
}
// CHECK-LABEL: define {{.*}}@__ct__Z7uniform10parameters(
// CHECK: call void @__ct_group(i32 {{[^,]+}}, i64 13, i64 {{[^,]+}}, i32 8, i32 0, i32 2,
// CHECK-NOT: @__ct_access
// CHECK: call void @__ct_exit

// A value that a thread has written to its own copy of a parameter is not the launch's.
struct table {
	int at[4];
};
__global__ void written(table t, int *out, const int *in)
{
	int i = threadIdx.x;
	t.at[i & 3] = i;
	out[i] = in[i] + in[i + t.at[1]];
}
// CHECK-LABEL: define {{.*}}@__ct__Z7written5tablePiPKi(
// CHECK-NOT: @__ct_group
// CHECK-COUNT-3: call void @__ct_access(
// CHECK-NOT: @__ct_group
// CHECK: call void @__ct_exit

// Distances that threads or data decide.
__global__ void differing(int *out, const int *in)
{
	out[blockIdx.x] = in[threadIdx.x] + in[2 * threadIdx.x] + in[in[threadIdx.x]];
}
// CHECK-LABEL: define {{.*}}@__ct__Z9differingPiPKi(
// CHECK-NOT: @__ct_group
// CHECK-COUNT-4: call void @__ct_access(
// CHECK-NOT: @__ct_group
// CHECK: call void @__ct_exit

// Another thread may see this in between.
__global__ void apart(int *p, volatile int *v, int *counter)
{
	int i = threadIdx.x;
	p[i] = 1;
	__syncthreads();
	p[i + 32] = 2;
	atomicAdd(counter, 1);
	p[i + 64] = 3;
	__threadfence();
	p[i + 96] = 4;
	v[i] = 5;
	v[i + 32] = 6;
}
// CHECK-LABEL: define {{.*}}@__ct__Z5apartPiPViS_(
// CHECK-NOT: @__ct_group
// CHECK-COUNT-7: call void @__ct_access(
// CHECK-NOT: @__ct_group
// CHECK: call void @__ct_exit

// More than six: several; and no more than twelve of a kernel, those in loops first.
__global__ void many(int *p, int n)
{
	int *q = p + threadIdx.x;
#pragma unroll
	for (int k = 0; k < 13; k++) {
#pragma unroll
		for (int i = 0; i < 6; i++)
			q[128 * k + 2 * i] = i;
		__syncthreads();
	}
	for (int i = 0; q[32 * i] < n; i++) {
		q[32 * i + 7] = i;
		q[32 * i + 9] = i;
		q[32 * i + 11] = i;
		q[32 * i + 13] = i;
		q[32 * i + 15] = i;
		q[32 * i + 17] = i;
		q[32 * i + 19] = i;
	}
}
// CHECK-LABEL: define {{.*}}@__ct__Z4manyPii(
// CHECK-DAG: call void @__ct_group(i32 {{[^,]+}}, i64 {{[^,]+}}, i64 {{[^,]+}}, i32 4, i32 0, i32 5, i64 8, i64 16, i64 24, i64 32, i64 40)
// CHECK-DAG: call void @__ct_group(i32 {{[^,]+}}, i64 {{[^,]+}}, i64 {{[^,]+}}, i32 4, i32 10, i32 5,
// CHECK-DAG: call void @__ct_group(i32 {{[^,]+}}, i64 {{[^,]+}}, i64 {{[^,]+}}, i32 4, i32 11, i32 5, i64 8, i64 16, i64 24, i64 32, i64 40)

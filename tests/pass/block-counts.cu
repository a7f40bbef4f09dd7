// --ct-events=block: a clone of the pristine kernel counts how often its blocks run, as seldom as it can.
// construct: executions of basic blocks
// RUN: %trace gpu -Xclang -mllvm -Xclang -ct-events=block -O2 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %trace cpu -Xclang -mllvm -Xclang -ct-events=block -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=CPU
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __ct_blocks_begin
// OFF-NOT: @__ctb_
__global__ void guarded(float *c, const float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i];
}

// A block that runs in each iteration of a loop whose trip count is known is counted ahead of it.
__global__ void rows(float *c, const float *a, int n)
{
	float sum = 0;

#pragma unroll 1
	for (int k = 0; k < n; k++)
		sum += a[threadIdx.x * n + k];
	c[threadIdx.x] = sum;
}

// Else in a register, and not of the thread alone that returns in the middle.
__global__ void search(int *c, const int *a, int n)
{
	int at = threadIdx.x;

	while (a[at] != n) {
		if (a[at] < 0)
			return;
		at = a[at];
	}
	c[threadIdx.x] = at;
}

// CPU-LABEL: define {{.*}}@__ctb__Z7guardedPfPKfi(
// CPU: [[COUNTERS:%[^ ]+]] = call i64 @__ct_blocks_begin(
// CPU-NOT: @__ct_enter
// One hook stands for the first block and the last: site 0, and the one two behind it.
// CPU: call void @__ct_block(i64 [[COUNTERS]], i32 0, i64 {{[1-9]}})
// CPU: call void @__ct_block(i64 [[COUNTERS]], i32 {{[1-9]}}, i64 0)
// CPU-NOT: call {{.*}}@__ct_block
// CPU: }

// CPU-LABEL: define {{.*}}@__ctb__Z4rowsPfPKfi(
// CPU-COUNT-1: call void @__ct_block_times(i64 {{%[^ ,]+}}, i32 {{[0-9]+}}, i64
// CPU: load float
// CPU-NOT: @__ct_block_step
// CPU: }

// CPU-LABEL: define {{.*}}@__ctb__Z6searchPiPKii(
// CPU: call i64 @__ct_block_step(
// CPU: call void @__ct_block_sum(
// CPU: ret void

// The kernels keep their names, and the pristine ones stay as they are.
// CHECK-LABEL: define {{.*}}@_Z4rowsPfPKfi(
// CHECK-NOT: __ct_block
// CHECK: }
// CHECK-LABEL: define {{.*}}@__ctb__Z7guardedPfPKfi(
// CHECK: call i64 @__ct_blocks_begin(

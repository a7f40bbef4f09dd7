// A loop whose trip count and addresses are known at its entry has a hook there and a copy without hooks.
// construct: loops with a trip count known at their entry
// construct: option --ct-loops
// RUN: %trace cpu -O2 -fno-unroll-loops --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-loops=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O0 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace cpu -O2 -Xclang -mllvm -Xclang -ct-events=barrier --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=EVENTS
// OFF-NOT: call {{.*}}@__ct_loop(

__global__ void row_sums(float *sums, const float *in, int width)
{
	float sum = 0;
	for (int k = 0; k < width; k++)
		sum += in[(long)threadIdx.x * 4096 + k];
	sums[threadIdx.x] = sum;
}
// CHECK-LABEL: define {{.*}}@__ct__Z8row_sumsPfPKfi(
// CHECK: [[TABLE:%[^ ]+]] = alloca [3 x i64], align 8
// The rows of the table: where it starts, what it grows by, bytes.
// CHECK: store i64 {{%[0-9]+}}, ptr {{.*}}
// CHECK: store i64 4, ptr {{.*}}
// CHECK: store i64 4, ptr {{.*}}
// CHECK: [[ITERATIONS:%[0-9]+]] = add i64 {{%[0-9]+}}, 1
// CHECK-NEXT: [[ADDRESS:%[0-9]+]] = ptrtoint ptr {{.*}} to i64
// CHECK-NEXT: [[RESULT:%[0-9]+]] = call i32 @__ct_loop(i32 {{[^,]+}}, i64 0, i32 1, i64 [[ITERATIONS]], i64 [[ADDRESS]])
// CHECK-NEXT: [[DONE:%[^ ]+]] = icmp ne i32 [[RESULT]], 0
// CHECK-NEXT: br i1 [[DONE]], label %[[COPY:[^,]+]], label %[[LOOP:[^ ,]+]]
// The copy is entered from where the hook was called.
// CHECK: [[COPY]]:
// CHECK-NOT: @__ct_access
// CHECK: load float
// CHECK-NOT: @__ct_access
// CHECK: [[LOOP]]:
// CHECK: load float
// CHECK-NEXT: ptrtoint
// CHECK-NEXT: call void @__ct_access(i32 {{[^,]+}}, i64 0, i64 {{[^,]+}}, i32 4)

// Barriers of the CTA may be copied; the product of two unsigned numbers may
// wrap, which is looked at before the hook.
__global__ void tiles(float *c, const float *a, const float *b, unsigned n)
{
	__shared__ float tile_a[16][16], tile_b[16][16];
	unsigned x = threadIdx.x, y = threadIdx.y;
	float sum = 0;
	for (unsigned first = 0; first < n; first += 16) {
		tile_a[y][x] = a[y * n + first + x];
		tile_b[y][x] = b[(first + y) * n + x];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}
// CHECK-LABEL: define {{.*}}@__ct__Z5tilesPfPKfS1_j(
// CHECK: icmp ult i64 {{%[0-9]+}}, 4294967296
// CHECK: br i1 {{%[0-9]+}}, label %[[CALL:[0-9]+]], label %[[JOIN:[0-9]+]]
// CHECK: [[CALL]]:
// CHECK: [[RESULT:%[0-9]+]] = call i32 @__ct_loop(i32 {{[^,]+}}, i64 2, i32 2,
// CHECK-NEXT: br label %[[JOIN]]
// CHECK: [[JOIN]]:
// CHECK-NEXT: phi i32 [ [[RESULT]], %[[CALL]] ], [ 0, %{{[0-9]+}} ]
// CHECK: call void @llvm.nvvm.barrier
// CHECK: call void @llvm.nvvm.barrier
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 2,
// CHECK: call void @llvm.nvvm.barrier
// EVENTS-LABEL: define {{.*}}@__ct__Z5tilesPfPKfS1_j(
// EVENTS-NOT: call {{.*}}@__ct_loop
// EVENTS-LABEL: define {{.*}}@__ct__Z4copyPfPKfj(

// The step is a value.
__global__ void copy(float *c, const float *a, unsigned n)
{
	for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
		c[i] = a[i];
}
// CHECK-LABEL: define {{.*}}@__ct__Z4copyPfPKfj(
// CHECK: udiv i32
// CHECK: call i32 @__ct_loop(i32 {{[^,]+}}, i64 {{[0-9]+}}, i32 2,

// It ends when the data say so.
__global__ void until(int *out, const int *in, int n)
{
	int k = 0;
	for (; k < n; k++)
		if (in[k * 32 + threadIdx.x] == 7)
			break;
	out[threadIdx.x] = k;
}
// CHECK-LABEL: define {{.*}}@__ct__Z5untilPiPKii(
// CHECK-NOT: call {{.*}}@__ct_loop

// An address depends on what was loaded.
__global__ void gather(int *out, const int *in, const int *index, int n)
{
	int sum = 0;
	for (int k = 0; k < n; k++)
		sum += in[index[k * 32 + threadIdx.x]];
	out[threadIdx.x] = sum;
}
// CHECK-LABEL: define {{.*}}@__ct__Z6gatherPiPKiS1_i(
// CHECK-NOT: call {{.*}}@__ct_loop

// Lanes that wait for each other.
__global__ void exchange(int *out, const int *in, int n)
{
	int sum = 0;
	for (int k = 0; k < n; k++)
		sum += __shfl_xor_sync(~0u, in[k * 32 + threadIdx.x], 1);
	out[threadIdx.x] = sum;
}
// CHECK-LABEL: define {{.*}}@__ct__Z8exchangePiPKii(
// CHECK-NOT: call {{.*}}@__ct_loop

// Not in every iteration.
__global__ void sometimes(int *out, const int *in, int n)
{
	int sum = 0;
	for (int k = 0; k < n; k++) {
		if ((k ^ threadIdx.x) % 3 == 0)
			out[k * 32 + threadIdx.x] = sum;
		sum += in[k];
	}
}
// CHECK-LABEL: define {{.*}}@__ct__Z9sometimesPiPKii(
// CHECK-NOT: call {{.*}}@__ct_loop

__global__ void atomics(int *out, int n)
{
	for (int k = 0; k < n; k++)
		atomicAdd(out + k * 32 + threadIdx.x, k);
}
// CHECK-LABEL: define {{.*}}@__ct__Z7atomicsPii(
// CHECK-NOT: call {{.*}}@__ct_loop
// CHECK: ret void

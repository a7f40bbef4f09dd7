// Prefetches, textures and surfaces are events; barriers and blocks are, if asked for.
// construct: prefetch
// construct: texture fetch
// construct: surface load and store
// construct: barriers as events
// construct: basic blocks as events
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - -Xclang -mllvm -Xclang -ct-events=barrier,block | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s --check-prefix=MORE
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - -Xclang -mllvm -Xclang -ct-values | FileCheck %s --check-prefix=VALUES
// RUN: %more gpu -O0 -c %s -o %t.o -Xclang -mllvm -Xclang -ct-events=barrier,block
__global__ void images(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out)
{
	float x;
	out[0] = tex2D<float>(t, 1, 2);
	surf2Dread(&x, s, 4, 2);
	surf2Dwrite(x, s, 8, 2);
}
__global__ void prefetches(int *p)
{
	__builtin_prefetch(p + 32);
	asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
	asm volatile("prefetchu.L1 [%0];" ::"l"(p));
	asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(p));
	asm volatile("discard.global.L2 [%0], 128;" ::"l"(p) : "memory");
}
__global__ void barriers(int *p)
{
	__syncthreads();
	if (threadIdx.x < 16)
		p[threadIdx.x] = __syncthreads_count(p[1]);
	__syncwarp();
	asm volatile("barrier.sync 1, 64;" ::: "memory");
}
// CHECK: site 0 definite texture_load {{.*}} kernel 0 reason: {{.*}}tex{{.*}}2d
// CHECK-NEXT: site 1 global store 4 bytes
// CHECK-NEXT: site 2 definite surface_load {{.*}} kernel 0 reason: {{.*}}suld
// CHECK-NEXT: site 3 definite surface_store {{.*}} kernel 0 reason: {{.*}}sust
// CHECK-NEXT: site 4 definite prefetch {{.*}} kernel 1 reason: llvm.prefetch
// CHECK-NEXT: site 5 definite prefetch {{.*}} kernel 1 reason: prefetch.global.L2 [$0]
// CHECK-NEXT: site 6 definite prefetch {{.*}} kernel 1 reason: prefetchu.L1
// CHECK-NEXT: site 7 definite prefetch {{.*}} kernel 1 reason: applypriority
// CHECK-NEXT: site 8 definite prefetch {{.*}} kernel 1 reason: discard
// CHECK-NEXT: site 9 global load 4 bytes {{.*}} kernel 2
// CHECK-NEXT: site 10 global store 4 bytes {{.*}} kernel 2
// CHECK-NOT: {{site [0-9]+ [^e]}}
// MORE: events barrier,block
// MORE: definite block {{.*}} kernel 2 branch,entry branch line 31
// MORE-NEXT: definite barrier {{.*}} kernel 2 reason: llvm.nvvm.barrier
// MORE-NEXT: definite block {{.*}} kernel 2
// MORE-NEXT: global load
// MORE-NEXT: definite barrier {{.*}} kernel 2 reason: llvm.nvvm.barrier
// MORE-NEXT: global store
// MORE-NEXT: definite block {{.*}} kernel 2 return
// MORE-NEXT: definite barrier {{.*}} kernel 2 reason: llvm.nvvm.bar.warp.sync
// MORE-NEXT: definite barrier {{.*}} kernel 2 reason: barrier.sync 1, 64
// IR: define {{.*}}@__ct__Z8barriersPi(
// IR: call i32 @__ct_enter(
// IR: call void @__ct_event(
// IR-NEXT: call void @__ct_event(
// IR-NEXT: call void @llvm.nvvm.barrier
// Fetches have coordinates, image and value: behind what is read, ahead of what is written.
// VALUES: define {{.*}}@__ct__Z6imagesyyPf(
// VALUES: asm "tex.2d
// VALUES: call void @__ct_event(i32 [[S:%[^,]+]], i64 0, i32 0)
// VALUES: call void @__ct_value(i32 [[S]], i64 0, i32 12, i32 8, i64 4611686019492741120, i64 0, i64 0, i32 0)
// VALUES: call void @__ct_value(i32 [[S]], i64 0, i32 13, i32 8, i64 [[T:%[^,]+]], i64 0, i64 0, i32 0)
// VALUES: call void @__ct_value(i32 [[S]], i64 0, i32 0, i32 16, i64 %{{[^,]+}}, i64 %{{[^,]+}}, i64 0, i32 0)
// VALUES: asm {{.*}}"suld
// VALUES: call void @__ct_event(i32 [[S]], i64 2, i32 0)
// VALUES: call void @__ct_value(i32 [[S]], i64 2, i32 12, i32 8, i64 8589934596,
// VALUES: call void @__ct_value(i32 [[S]], i64 2, i32 0, i32 4,
// VALUES: call void @__ct_event(i32 [[S]], i64 3, i32 0)
// VALUES: call void @__ct_value(i32 [[S]], i64 3, i32 12, i32 8, i64 8589934600,
// VALUES: call void @__ct_value(i32 [[S]], i64 3, i32 0, i32 4,
// VALUES: asm sideeffect "sust

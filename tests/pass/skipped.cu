// What cannot be instrumented is a skipped site with a reason, never nothing.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
#include <mma.h>
__device__ int (*function)(int);
struct Block {
	int x[64];
};
__global__ void texture(cudaTextureObject_t t, float *out) { out[0] = tex2D<float>(t, 1, 2); }
__global__ void indirect(int *out) { out[0] = function(3); }
__global__ void block(Block *a, Block *b) { *a = *b; }
__global__ void assembly(int *p) { asm volatile("red.add.s32 [%0], 1; red.add.s32 [%0], 2;" ::"l"(p) : "memory"); }
__global__ void shared_assembly(unsigned p) { asm volatile("st.shared.u32 [%0], 1;" ::"r"(p) : "memory"); }
__global__ void tensor(half *a)
{
	using namespace nvcuda::wmma;
	fragment<accumulator, 16, 16, 16, half> f;
	load_matrix_sync(f, a, 16, mem_row_major);
	store_matrix_sync(a + 256, f, 16, mem_row_major);
}
// CHECK: skipped {{.*}} kernel 0 reason: inline assembly: tex.2d.v4.f32.f32
// CHECK: skipped {{.*}} kernel 1 reason: indirect call
// CHECK: skipped copy {{.*}} kernel 2 reason: memcpy of 256 bytes is not one access
// CHECK: skipped {{.*}} kernel 3 reason: inline assembly: red.add.s32
// CHECK-NOT: kernel 4
// CHECK: skipped {{.*}} kernel 5 reason: llvm.nvvm.wmma{{.*}}load{{.*}} is not instrumented
// CHECK: skipped {{.*}} kernel 5 reason: llvm.nvvm.wmma{{.*}}store{{.*}} is not instrumented

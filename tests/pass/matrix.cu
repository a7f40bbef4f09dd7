// Matrix loads and stores of a warp are tiles; ldmatrix is seen where shared memory is recorded.
// construct: wmma load and store
// construct: wmma through inline PTX
// construct: ldmatrix
// construct: stmatrix
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s
// RUN: %trace gpu -O2 -c %s -o %t.o -Xclang -mllvm -Xclang -ct-spaces=global,shared
// RUN: %dump | FileCheck %s --check-prefix=SHARED
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=VALUES
// RUN: %more gpu -O0 -c %s -o %t.o
#include <mma.h>
using namespace nvcuda;
__global__ void half_tiles(half *a, half *b, float *c)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
	wmma::load_matrix_sync(fa, a, 32);
	wmma::load_matrix_sync(fb, b, 24);
	wmma::fill_fragment(fc, 0.f);
	wmma::store_matrix_sync(c, fc, 20, wmma::mem_row_major);
	b[0] = fb.x[0] + fa.x[0];
}
__global__ void other_tiles(unsigned *a, int stride)
{
	unsigned x, y;
	asm volatile("wmma.load.a.sync.aligned.row.m8n8k128.global.b1 {%0}, [%1], %2;" : "=r"(x) : "l"(a), "r"(stride));
	asm volatile("wmma.load.b.sync.aligned.col.m8n8k32.global.s4 {%0}, [%1+32];" : "=r"(y) : "l"(a));
	a[threadIdx.x] = x + y;
}
__global__ void rows(unsigned *out)
{
	__shared__ __align__(16) unsigned s[128];
	unsigned a, from = (unsigned)__cvta_generic_to_shared(s + 4 * threadIdx.x);
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(from) : "memory");
	asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(from), "r"(a) : "memory");
	out[threadIdx.x] = a;
}
// CHECK: site 0 global matrix_load 0 bytes float16 x 1 {{.*}} kernel 0 variable a range
// CHECK-NEXT: site 1 global matrix_load 0 bytes float16 x 1 {{.*}} kernel 0 variable b range
// CHECK-NEXT: site 2 global matrix_store 0 bytes float32 x 1 {{.*}} kernel 0 variable c range
// CHECK-NEXT: site 3 global store 2 bytes
// CHECK-NEXT: site 4 global matrix_load 0 bytes integer1 x 1 {{.*}} kernel 1 variable a range
// CHECK-NEXT: site 5 global matrix_load 0 bytes integer4 x 1 {{.*}} kernel 1 variable a range
// CHECK-NEXT: site 6 global store 4 bytes
// CHECK-NEXT: site 7 global store 4 bytes {{.*}} kernel 2
// CHECK-NEXT: site 8 elsewhere matrix_load 16 bytes integer16 x 8 {{.*}} kernel 2 {{.*}}space shared
// CHECK-NEXT: site 9 elsewhere matrix_store 16 bytes integer16 x 8 {{.*}} kernel 2 {{.*}}space shared
// CHECK-NOT: site
// SHARED: definite matrix_load 16 bytes integer16 x 8 {{.*}} kernel 2 {{.*}}space shared
// SHARED: definite matrix_store 16 bytes integer16 x 8 {{.*}} kernel 2 {{.*}}space shared
// IR: define {{.*}}@__ct__Z10half_tilesP6__halfS0_Pf(
// IR: call i32 @__ct_access_tile(i32 {{%[^,]+}}, i64 0, i64 {{%[^,]+}}, i32 32, i32 16, i64 64)
// IR: call i32 @__ct_access_tile(i32 {{%[^,]+}}, i64 1, i64 {{%[^,]+}}, i32 32, i32 8, i64 48)
// IR: call i32 @__ct_access_tile(i32 {{%[^,]+}}, i64 2, i64 {{%[^,]+}}, i32 64, i32 16, i64 80)
// IR: define {{.*}}@__ct__Z11other_tilesPji(
// IR: call i32 @__ct_access_tile(i32 {{%[^,]+}}, i64 4, i64 {{%[^,]+}}, i32 16, i32 8, i64 {{%[^,]+}})
// IR: call i32 @__ct_access_tile(i32 {{%[^,]+}}, i64 5, i64 {{%[^,]+}}, i32 16, i32 8, i64 16)
// A tile holds this: before it is loaded, after it was stored.
// VALUES: define {{.*}}@__ct__Z10half_tilesP6__halfS0_Pf(
// VALUES: call i32 @__ct_tile_content(i32 {{%[^,]+}}, i64 0, i64 {{[^,]+}}, i32 32, i32 16, i64 64)
// VALUES: wmma.m16n16k16.load.a
// VALUES: wmma.m16n16k16.store.d
// VALUES: call i32 @__ct_tile_content(i32 {{%[^,]+}}, i64 2, i64 {{[^,]+}}, i32 64, i32 16, i64 80)

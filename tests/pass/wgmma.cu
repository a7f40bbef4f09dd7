// Matrix products of a warp group are events where they read shared memory; mma, which reads registers only, is none.
// construct: mma
// construct: wgmma
// RUN: env CT_TEST_ARCH=sm_90a %trace gpu -O2 -c %s -o %t.o
// RUN: %dump | FileCheck %s
__global__ void product(float *out, unsigned long long a, unsigned long long b)
{
	float d[4] = {0, 0, 0, 0};
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
	asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
		     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
__global__ void registers(float *out, unsigned a, unsigned b)
{
	float d[4] = {0, 0, 0, 0};
	asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};"
		     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b));
	out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// CHECK: site 0 definite matrix_multiply {{.*}} kernel 0 reason: wgmma.mma_async
// CHECK-NEXT: site 1 global store 4 bytes {{.*}} kernel 0
// CHECK-NEXT: site 2 global store 4 bytes {{.*}} kernel 1
// CHECK-NOT: site

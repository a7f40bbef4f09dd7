// Calls out of the translation unit are reported; those of the CUDA runtime are not.
// RUN: %trace cpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
#include <cstdio>
extern __device__ int elsewhere(int *p);
__global__ void kernel(int *p)
{
	printf("%d\n", p[0]);
	int *q = static_cast<int *>(malloc(4));
	free(q);
	p[1] = elsewhere(p);
}
// CHECK: site 0 global load
// CHECK-NEXT: site 1 skipped other 0 bytes {{.*}} reason: call of external device function elsewhere(int*), not compiled here
// CHECK-NEXT: site 2 global store
// CHECK-NOT: site

// At most eight patterns per function; further ones go to the entry pattern. Patterns without effect share a clone.
// construct: bounded growth of specialised clones
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | grep -c '^define.*@__ct__Z3sumPiS_S_S_' | FileCheck %s --check-prefix=COUNT
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__device__ __noinline__ int sum(int *a, int *b, int *c, int *d) { return *a + *b + *c + *d; }
__device__ __noinline__ int ignore(int *a, int *b, bool never) { return never ? 0 : *b + (a != nullptr); }
__global__ void kernel(int *g)
{
	__shared__ int s[4];
	int r = 0;
	s[threadIdx.x & 3] = 1;
	__syncthreads();
#define CALL(n) r += sum(n & 1 ? g : s, n & 2 ? g + 1 : s + 1, n & 4 ? g + 2 : s + 2, n & 8 ? g + 3 : s + 3);
	CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
	CALL(8) CALL(9) CALL(10) CALL(11) CALL(12) CALL(13) CALL(14) CALL(15)
	r += ignore(s, g, r == 77) + ignore(g, g, r == 78);
	g[threadIdx.x] = r;
}
// COUNT: {{^[89]$}}
// CHECK: call {{.*}}@__ct__Z6ignorePiS_b[[SUFFIX:[.a-z_]*]](
// CHECK: call {{.*}}@__ct__Z6ignorePiS_b[[SUFFIX]](

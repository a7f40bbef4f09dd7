// --ct-sample-sites=P,R: of the accesses, those of sites n with (n + R) % P = 0 are recorded.
// construct: option --ct-sample-sites
// RUN: %trace cpu -O1 -Xclang -mllvm -Xclang -ct-sample-sites=3,1 -Xclang -mllvm -Xclang -ct-groups=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
// RUN: %trace cpu -O1 -Xclang -mllvm -Xclang -ct-sample-sites=1 -Xclang -mllvm -Xclang -ct-groups=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=ALL
// RUN: not %trace cpu -O1 -Xclang -mllvm -Xclang -ct-sample-sites=0 --cuda-device-only -emit-llvm -S %s -o - 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %trace cpu -O1 -Xclang -mllvm -Xclang -ct-sample-sites=3,3 --cuda-device-only -emit-llvm -S %s -o - 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %trace cpu -O1 -Xclang -mllvm -Xclang -ct-sample-sites=x --cuda-device-only -emit-llvm -S %s -o - 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: cuda-trace: --ct-sample-sites={{.*}}: expected P or P,R with P from 1 on and R from 0 to P - 1
__global__ void kernel(int *a, int *b, int *c)
{
	b[threadIdx.x] = a[threadIdx.x];	// 0, 1
	__syncthreads();
	c[threadIdx.x] = b[31 - threadIdx.x];	// 2, 3
	__syncthreads();
	a[threadIdx.x] = c[31 - threadIdx.x];	// 4, 5
}
// CHECK: define {{.*}}@__ct__Z6kernel
// CHECK-NOT: @__ct_access(
// CHECK: call void @__ct_access(i32 %{{[^ ]+}}, i64 2,
// CHECK-NOT: @__ct_access(
// CHECK: call void @__ct_access(i32 %{{[^ ]+}}, i64 5,
// CHECK-NOT: @__ct_access(
// CHECK: {{^}}}
// ALL-COUNT-6: call void @__ct_access(
// UNIT: site 0 {{.*}}not sampled (--ct-sample-sites)
// UNIT-NEXT: site 1 {{.*}}not sampled (--ct-sample-sites)
// UNIT-NEXT: site 2 global load
// UNIT-NEXT: site 3 {{.*}}not sampled (--ct-sample-sites)
// UNIT-NEXT: site 4 {{.*}}not sampled (--ct-sample-sites)
// UNIT-NEXT: site 5 global store

// Short copies are recorded as the loads and stores that code generation makes of them.
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
struct Odd {
	short x[5];
};
__global__ void four(float4 *a, const float4 *b) { a[threadIdx.x] = b[threadIdx.x]; }
__global__ void odd(Odd *a, const Odd *b) { a[threadIdx.x] = b[threadIdx.x]; }
// CHECK: .entry _Z4fourP6float4PKS_(
// CHECK-COUNT-2: ld.global.{{.*}}b64
// CHECK-COUNT-2: st.global.b64
// CHECK-NOT: st.global
// CHECK: ret;
// CHECK: .entry _Z3oddP3OddPKS_(
// CHECK-COUNT-5: st.global.b16
// UNIT: site 0 global load 8 bytes integer64 {{.*}} kernel 0 variable b
// UNIT-NEXT: site 1 global load 8 bytes
// UNIT-NEXT: site 2 global store 8 bytes integer64 {{.*}} kernel 0 variable a
// UNIT-NEXT: site 3 global store 8 bytes
// UNIT-NEXT: site 4 global load 2 bytes integer16 {{.*}} kernel 1 variable b
// UNIT: site 9 global store 2 bytes integer16 {{.*}} kernel 1 variable a
// UNIT: site 13 global store 2 bytes
// UNIT-NOT: site

// Short copies are recorded as the loads and stores that code generation makes of them.
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o %t.ptx
// RUN: sed -n -e '/^\.visible \.entry _Z4four/,/^}/p' %t.ptx | grep -c "ld.global.*b64\|st.global.b64" | FileCheck %s --check-prefix=FOUR
// RUN: sed -n -e '/^\.visible \.entry _Z3odd/,/^}/p' %t.ptx | grep -c "ld.global.*b16\|st.global.b16" | FileCheck %s --check-prefix=ODD
// RUN: %dump | FileCheck %s --check-prefix=UNIT
struct Odd {
	short x[5];
};
__global__ void four(float4 *a, const float4 *b) { a[threadIdx.x] = b[threadIdx.x]; }
__global__ void odd(Odd *a, const Odd *b) { a[threadIdx.x] = b[threadIdx.x]; }
// FOUR: {{^4$}}
// ODD: {{^10$}}
// UNIT: site 0 global load 8 bytes integer64 {{.*}} kernel 0 variable b
// UNIT-NEXT: site 1 global load 8 bytes
// UNIT-NEXT: site 2 global store 8 bytes integer64 {{.*}} kernel 0 variable a
// UNIT-NEXT: site 3 global store 8 bytes
// UNIT-NEXT: site 4 global load 2 bytes integer16 {{.*}} kernel 1 variable b
// UNIT: site 9 global store 2 bytes integer16 {{.*}} kernel 1 variable a
// UNIT: site 13 global store 2 bytes
// UNIT-NOT: site

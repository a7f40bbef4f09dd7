// Behaviour that C++ leaves undefined means what it means to nvcc: by flags, and with -ct-nvcc-values, as cuda-trace-nvcc
// has it, by the pass. Loops and accesses through null stay, any bool but 0 is true, numbers become integers by cvt alone.
// construct: access as another type
// construct: function that ends without a value
// construct: shift by the width or more
// construct: variable that some lanes have not set
// RUN: %trace gpu -O2 --cuda-device-only -S -Xarch_device -fno-strict-float-cast-overflow -Xclang -mllvm -Xclang -ct-nvcc-values %s -o %t.ptx
// RUN: sed -n -e '/^\.visible \.entry _Z/,/^}/p' %t.ptx | FileCheck %s --check-prefixes=CHECK,NVCC
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o %t.ptx
// RUN: sed -n -e '/^\.visible \.entry _Z/,/^}/p' %t.ptx | FileCheck %s --check-prefixes=CHECK,CLANG
__global__ void spin(int *flag, int *out) { while (!*flag) ; *out = 1; }
// CHECK-LABEL: entry _Z4spin
// CHECK: bra.uni [[SELF:.*]];
// CHECK: [[SELF]]:
// CHECK-NEXT: bra.uni [[SELF]];
__global__ void null(int *out, int n) { if (n) *(int *)nullptr = 5; *out = 1; }
// CHECK-LABEL: entry _Z4null
// CHECK: bra
// CHECK: st.{{.*}}5;
__global__ void truth(bool *b, int *out) { out[0] = b[0] ? 10 : 20; }
// CHECK-LABEL: entry _Z5truth
// CHECK: ld.global.b8
// NVCC-NOT: and.b16
// NVCC: setp.{{ne|eq}}.b16
// CLANG: and.b16
__global__ void narrow(short *out, float f) { out[0] = (short)f; }
// CHECK-LABEL: entry _Z6narrow
// NVCC: cvt.rzi.s32.f32
// NVCC-NEXT: st.global
// CLANG: cvt.rzi.s16.f32
__global__ void constant(int *out) { int least = __builtin_inff(); out[0] = least; }
// CHECK-LABEL: entry _Z8constant
// NVCC: st.global.b32 {{.*}}, 2147483647;
__global__ void product(int *out, int a) { out[0] = __mul24(a, a) ? 5 : 7; }
// CHECK-LABEL: entry _Z7product
// CHECK: mul.lo.s32
__global__ void alias(int *i, float *f) { *i = 1; *f = 2.f; i[1] = *i; }
// CHECK-LABEL: entry _Z5alias
// CHECK: st.global
// CHECK: st.global
// CHECK: ld.global
// CHECK: st.global
__device__ int nothing(int a, int *out) { if (a) { out[1] = 7; return 5; } }
__global__ void ends(int *out, int a) { out[0] = nothing(a, out); }
// CHECK-LABEL: entry _Z4ends
// CHECK: bra
// CHECK: st.global.b32 {{.*}}, 7;
__global__ void shift(unsigned *out) { out[0] = 1u << 32; }
// CHECK-LABEL: entry _Z5shift
// CHECK: st.global.b32 {{.*}}, 0;
__global__ void lanes(int *next, int *out) {
  int row;
  if (threadIdx.x == 0) row = atomicAdd(next, 1);
  out[threadIdx.x] = __shfl_sync(~0u, row, 0);
}
// CHECK-LABEL: entry _Z5lanes
// CHECK: bra
// CHECK: atom{{.*}}add
// CHECK: shfl

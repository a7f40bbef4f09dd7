// With -ct-copy-fields, as cuda-trace-nvcc has it, a float4 of which one field changes is loaded and stored at
// once, as by nvcc; a field alone is loaded alone.
// RUN: %trace gpu -O2 --cuda-device-only -S -Xarch_device -fstrict-aliasing -Xclang -mllvm -Xclang -ct-copy-fields %s -o %t.ptx
// RUN: %dump | FileCheck %s --check-prefix=UNIT
// RUN: sed -n -e '/^\.visible \.entry _Z/,/^}/p' %t.ptx | FileCheck %s
struct __align__(16) Particle {
	float x, y;
	int of;
	short cells[2];
};
__global__ void part(float4 *a, const float4 *b) { float4 v = b[threadIdx.x]; v.x += v.w; a[threadIdx.x] = v; }
__global__ void two(double2 *a, const double2 *b) { a[threadIdx.x] = b[threadIdx.x]; }
__global__ void same(float4 *a) { float4 v = a[threadIdx.x]; v.x += v.y; v.z += v.w; a[threadIdx.x] = v; }
__global__ void one(float *a, const float4 *b) { float4 v = b[threadIdx.x]; a[threadIdx.x] = v.y; }
__global__ void mixed(Particle *a, const Particle *b) { a[threadIdx.x] = b[threadIdx.x]; }
// CHECK-LABEL: entry _Z4part
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK-LABEL: entry _Z3two
// CHECK: ld.global.v2.b64
// CHECK: st.global.v2.b64
// CHECK-NOT: {{ld|st}}.global
// CHECK-LABEL: entry _Z4same
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK-LABEL: entry _Z3one
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK-LABEL: entry _Z5mixed
// CHECK: ld.global
// UNIT: site 0 global load 16 bytes float32
// UNIT: site 1 global store 16 bytes float32
// UNIT: site 2 global load 16 bytes float64

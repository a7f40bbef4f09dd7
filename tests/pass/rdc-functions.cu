// -fgpu-rdc: clones for other units, tagged sites, internal clones of what every unit has for itself.
// construct: separate compilation of device code (-fgpu-rdc)
// construct: static and inline functions in several units
// RUN: %trace cpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=BOUNDS < %t.ll
// RUN: %trace gpu -O1 -fgpu-rdc -c %s -o %t.o
extern __device__ int other(int *p);
__device__ __noinline__ int offered(int *p) { return p[0]; }
static __device__ __noinline__ int own(int *p) { return p[1]; }
inline __device__ __noinline__ int inlined(int *p) { return p[2]; }
__global__ void __launch_bounds__(256) calls(int *p) { p[3] = other(p) + own(p) + inlined(p); }
__global__ void __launch_bounds__(256) alone(int *p) { p[3] = offered(p); }
// CHECK: define {{.*}}@__ct__Z5callsPi(
// CHECK: call {{.*}}@__ct_access(i32 {{.*}}, i64 {{-?[0-9][0-9][0-9][0-9][0-9]+}},
// CHECK: define {{.*}}@__ct__Z5alonePi(
// CHECK-DAG: define internal {{.*}}@__ct__ZL3ownPi.g(
// CHECK-DAG: define internal {{.*}}@__ct__Z7inlinedPi.g(
// CHECK-DAG: define internal {{.*}}@__ct__Z7offeredPi.u(
// CHECK-DAG: define {{(dso_local )?(noundef )?}}i32 @__ct__Z7offeredPi(
// CHECK-DAG: define weak {{.*}}i32 @__ct__Z5otherPi(
// BOUNDS: define {{.*}}@__ct__Z5callsPi({{.*}}) [[UNBOUND:#[0-9]+]]
// BOUNDS-NOT: attributes [[UNBOUND]] = {{.*}}"nvvm.maxntid"

// Kernels of every kind are instrumented and registered, whatever their linkage; those that several units may hold get clones of their unit.
// construct: kernel template
// construct: kernel that takes a lambda
// construct: static kernel
// construct: kernel in an anonymous namespace
// construct: inline kernel in a header that two units include
// construct: kernel template in several translation units
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %dump | FileCheck %s
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %trace cpu -O2 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=CPU
template <typename T> __global__ void scaled(T *p) { p[0] *= 2; }
template <typename F> __global__ void applied(F f, int *p) { p[1] = f(p[1]); }
static __global__ void internal(int *p) { p[2] = 1; }
namespace {
__global__ void unnamed(int *p) { p[3] = 1; }
}
inline __global__ void shared_by_units(int *p) { p[4] = 1; }
int main()
{
	int *p = nullptr, add = 3;
	scaled<int><<<1, 1>>>(p);
	applied<<<1, 1>>>([=] __device__(int x) { return x + add; }, p);
	internal<<<1, 1>>>(p);
	unnamed<<<1, 1>>>(p);
	shared_by_units<<<1, 1>>>(p);
}
// CHECK-NOT: no clone
// CHECK-DAG: global load 4 bytes {{.*}} in _Z6scaledIiEvPT_
// CHECK-DAG: global store 4 bytes {{.*}} in _Z6scaledIiEvPT_
// CHECK-DAG: global load 4 bytes {{.*}} in _Z7applied
// CHECK-DAG: global store 4 bytes {{.*}} in _Z7applied
// CHECK-DAG: global store 4 bytes {{.*}} in _ZL8internalPi
// CHECK-DAG: global store 4 bytes {{.*}} in _ZN{{.*}}7unnamedEPi
// CHECK-DAG: global store 4 bytes {{.*}} in _Z15shared_by_unitsPi
// CPU-DAG: define {{.*}}@__ct_{{[0-9a-f]+}}__Z6scaledIiEvPT_(
// CPU-DAG: define {{.*}}@__ct_{{[0-9a-f]+}}__Z15shared_by_unitsPi(
// HOST-DAG: call void @__ct_register_kernel({{.*}}@_Z21__device_stub__scaledIiEvPT_,
// HOST-DAG: call void @__ct_register_kernel({{.*}}__device_stub__applied
// HOST-DAG: call void @__ct_register_kernel({{.*}}__device_stub__internalPi,
// HOST-DAG: call void @__ct_register_kernel({{.*}}__device_stub__unnamedEPi,
// HOST-DAG: call void @__ct_register_kernel({{.*}}@_Z30__device_stub__shared_by_unitsPi,

// Virtual functions are reached through tables: overrides get clones, others do not.
// construct: virtual function
// construct: lambda behind a type-erased wrapper
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -O1 -c %s -o %t.o
#include <new>
struct Shape {
	__device__ virtual float area(const float *p) const = 0;
};
struct Square : Shape {
	__device__ float area(const float *p) const override { return p[0] * p[0]; }
};
struct Box : Shape {
	__device__ float area(const float *p) const override { return p[1] * p[2]; }
};
__global__ void make(Shape **shapes)
{
	shapes[0] = new Square;
	shapes[1] = new Box;
}
__global__ void use(Shape **shapes, float *p) { p[threadIdx.x] = shapes[threadIdx.x & 1]->area(p); }
// A function made for the type of a lambda, as std::function has it.
__device__ __noinline__ int apply(int (*call)(const void *, int), const void *object) { return call(object, 3); }
template <typename F> __device__ int erased(const F &f)
{
	return apply([](const void *object, int i) { return (*(const F *)object)(i); }, &f);
}
__global__ void wrapped(int *p) { p[0] = erased([=](int i) { return p[i]; }) + erased([=](int i) { return p[i + 1]; }); }
// CHECK: define {{.*}}@__ct__Z3usePP5ShapePf(
// CHECK: [[CLONE:%[^ ]+]] = call ptr @__ct_resolve(ptr
// CHECK: call {{.*}}float [[CLONE]](
// CHECK-DAG: define internal {{.*}}float @__ct__ZNK6Square4areaEPKf(
// CHECK-DAG: define internal {{.*}}float @__ct__ZNK3Box4areaEPKf(
// CHECK-DAG: define internal {{.*}}i32 @__ct__ZZ6erasedIZ7wrappedPiEUliE{{[_0-9]*}}{{.*}}(
// CHECK-DAG: define internal {{.*}}i32 @__ct__Z5applyPFiPKviES0_{{.*}}

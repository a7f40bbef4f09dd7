// C++ files that use the CUDA runtime are augmented as well; they need not be CUDA.
// RUN: %trace gpu -O1 -isystem %cuda/include -emit-llvm -S %s -o - | FileCheck %s
#include <cuda_runtime.h>
void *get(size_t n)
{
	void *p = nullptr;
	cudaMalloc(&p, n);
	return p;
}
// CHECK: c"A\1F{{[^"]*}}plain-cpp.cpp\1F7\1F2\1Fget\1Fp\1Fn\1Fpassed on\00"
// CHECK: [[SIZE:%[^ ]+]] = {{.*}}call i64 @__ct_alloc_site(i64 {{[^,]*}}, ptr
// CHECK: call i32 @cudaMalloc(ptr {{[^,]*}}, i64 {{[^,]*}}[[SIZE]])

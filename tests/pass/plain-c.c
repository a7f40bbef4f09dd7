// And so are C files.
// RUN: %trace gpu -x c -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -isystem %cuda/include -emit-llvm -S %s -o - | FileCheck %s
#include <cuda_runtime_api.h>
int get(void **p, size_t n) { return cudaMalloc(p, n) == cudaSuccess; }
// CHECK: c"A\1F{{[^"]*}}plain-c.c\1F4\1F38\1Fget\1Fp\1Fn\1Fpassed on\00"
// CHECK: call i64 @__ct_alloc_site(

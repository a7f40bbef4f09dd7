// Managed variables as cuda-trace-nvcc's headers write them: PTX's attribute on the device; on the host each use
// asks for the address, once.
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %trace gpu -O2 --cuda-host-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=HOST
#undef __managed__
#define __managed__ __attribute__((device)) __attribute__((section("ct_managed")))
__managed__ int counter = 3;
__device__ int other;
__global__ void add() { counter += 1 + other; }
int twice() { return 2 * counter; }
int *address(bool first) { return first ? &counter : nullptr; }
// DEVICE: .attribute(.managed) .align 4 .u32 counter = 3;
// DEVICE: .global .align 4 .u32 other;
// HOST-DAG: @counter.ct_managed = internal global ptr null
// HOST-LABEL: define {{.*}}@_Z5twicev
// HOST: load ptr, ptr @counter.ct_managed
// HOST: call i32 @cudaGetSymbolAddress(ptr {{.*}}@counter.ct_managed, ptr {{.*}}@counter)
// HOST-LABEL: define {{.*}}@_Z7addressb
// HOST: @cudaGetSymbolAddress

// A kernel whose parameters leave no room for the launch block has no clone, and says why.
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
template <int bytes> struct Block { char bytes_of[bytes]; };
__global__ void full(Block<32752> b, char *p) { *p = b.bytes_of[*p]; }
__global__ void over(Block<32712> b, char *p) { *p = b.bytes_of[*p]; }
__global__ void fits(const __grid_constant__ Block<32704> b, char *p) { *p = b.bytes_of[*p]; }
// CHECK-NOT: @__ct__Z4full
// CHECK-NOT: @__ct__Z4over
// CHECK: @__ct__Z4fits
// UNIT: kernel _Z4full{{.*}} no clone: has 32760 bytes of parameters; tracing needs 48 more, and 32764 is the limit
// UNIT: kernel _Z4over{{.*}} no clone: has 32720 bytes of parameters
// UNIT: kernel _Z4fits{{.*}}p){{$}}

// Every architecture leaves a blob of its own; the host object carries them all.
// RUN: %trace gpu -O1 --cuda-gpu-arch=sm_80 -c %s -o %t.o
// RUN: ls %t.units | FileCheck %s
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT
__global__ void kernel(int *p) { *p = 1; }
// CHECK: [[ID:[0-9a-f]+]]-sm_80.unit
// CHECK-NEXT: [[ID]]-sm_90.unit
// OBJECT-DAG: r __ct_unit
// OBJECT-DAG: r __ct_unit.{{[0-9]+}}
// OBJECT-DAG: U ct_abi_v6

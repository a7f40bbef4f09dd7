// Host and device compilations agree on the unit when preprocessed files lie between.
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir
// RUN: %trace gpu -O1 -save-temps -c %s -o a.o
// RUN: llvm-nm a.o | FileCheck %s
__global__ void kernel(int *p) { *p = 1; }
// CHECK: r __ct_unit

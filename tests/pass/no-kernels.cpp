// A unit without kernels is left alone: it depends on nothing of ours.
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
int twice(int x) { return 2 * x; }
// CHECK: T _Z5twicei
// CHECK-NOT: ct_

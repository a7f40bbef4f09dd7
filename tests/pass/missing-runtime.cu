// Without a device runtime a GPU compilation fails with one clear line.
// RUN: export CT_TEST_RUNTIME=; not %trace gpu -O1 -c %s -o %t.o > %t.none 2>&1
// RUN: FileCheck %s --check-prefix=NONE < %t.none
// RUN: export CT_TEST_RUNTIME=/nonexistent/rt.bc; not %trace gpu -O1 -c %s -o %t.o > %t.absent 2>&1
// RUN: FileCheck %s --check-prefix=ABSENT < %t.absent
__global__ void kernel(int *p) { *p = 1; }
// NONE: error: cuda-trace: -ct-target=gpu needs the device runtime: add -mllvm -ct-device-rt=FILE
// ABSENT: error: cuda-trace: cannot read the device runtime /nonexistent/rt.bc: {{.*}}

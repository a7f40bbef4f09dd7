// Clones keep the user's launch bounds; without any they take blocks of every size.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void open(int *p) { *p = 1; }
__global__ void __launch_bounds__(128, 4) bound(int *p) { *p = 2; }
// CHECK: define {{.*}}@_Z4openPi({{.*}} [[PRISTINE:#[0-9]+]]
// CHECK: define {{.*}}@__ct__Z4openPi({{.*}} [[OPEN:#[0-9]+]]
// CHECK: define {{.*}}@__ct__Z5boundPi({{.*}} [[BOUND:#[0-9]+]]
// CHECK: attributes [[PRISTINE]] = {
// CHECK-NOT: nvvm.maxntid
// CHECK-SAME: }
// CHECK: attributes [[OPEN]] = { {{.*}}"nvvm.maxntid"="1024"
// CHECK: attributes [[BOUND]] = { {{.*}}"nvvm.maxntid"="128"{{.*}}"nvvm.minctasm"="4"

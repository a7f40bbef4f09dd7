// With hundreds of sites in a unit the accesses' inlined path is left out; with few it is not.
// RUN: %trace cpu -O2 -DSTORES=300 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=MANY
// RUN: %trace cpu -O2 -DSTORES=200 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=FEW
__global__ void stores(volatile int *p)
{
#pragma unroll
	for (int i = 0; i < STORES; i++)
		p[2 * i] = i;
}
// MANY-LABEL: define {{.*}}@__ct__Z6storesPVi(
// MANY-NOT: call void @__ct_access(
// MANY-COUNT-300: call void @__ct_access_far(
// MANY: ret void

// FEW-LABEL: define {{.*}}@__ct__Z6storesPVi(
// FEW-COUNT-200: call void @__ct_access(
// FEW-NOT: __ct_access_far
// FEW: ret void

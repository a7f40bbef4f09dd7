// With --ct-share=on clones share the device runtime and bring their own states. Where kernels call
// functions of the user's, functions of the runtime have names by which ct-ptxas compiles them apart; by
// default those that hardly ever run. In a kernel of many hooks these are called, but with --ct-share=off.
// Units that call through pointers, which ct-ptxas makes relocatable, and those that are relocatable (-fgpu-rdc)
// bring their own states as well, so that the runtime's take no room in pristine kernels.
// Where all of the unit is shared, and where it calls through pointers, static shared memory is aligned to 16 bytes, for ptxas does not know
// addresses of linked code, unless a kernel has no room for that.
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=4 -Xclang -mllvm -Xclang -ct-share=on --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=SHARED
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=4 -Xclang -mllvm -Xclang -ct-share=on -DFULL --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=FULL
// RUN: %trace gpu -O2 -DKERNELS=1 -DSTORES=4 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OWN
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=40 -Xclang -mllvm -Xclang -ct-share=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OWN
// RUN: %trace gpu -O2 -DKERNELS=2 -DSTORES=4 -Xclang -mllvm -Xclang -ct-share=apart --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RARE
// RUN: %trace gpu -O2 -DKERNELS=2 -DSTORES=4 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RARE
// From 8 kernels on what full traces call is compiled apart, and from 4 with more than 64 hooks all that is not inlined.
// RUN: %trace gpu -O2 -DKERNELS=8 -DSTORES=4 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RECORDS
// RUN: %trace gpu -O2 -DKERNELS=7 -DSTORES=4 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RARE
// RUN: %trace gpu -O2 -DKERNELS=4 -DSTORES=16 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=LARGE
// RUN: %trace gpu -O2 -DKERNELS=4 -DSTORES=14 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RARE
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=40 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=NEAR
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=4 -Xclang -mllvm -Xclang -ct-share=on -DCALLS --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=ALL
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=4 -Xclang -mllvm -Xclang -ct-share=on -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RDC
// RUN: %trace gpu -O2 -DKERNELS=1 -DSTORES=4 -DPOINTS --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=POINTS
// RUN: %trace gpu -O2 -DKERNELS=3 -DSTORES=4 -DPOINTS -Xclang -mllvm -Xclang -ct-share=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=POINTS
// RUN: %trace gpu -O2 -DKERNELS=1 -DSTORES=17 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=FAR
// RUN: %trace gpu -O2 -DKERNELS=2 -DSTORES=200 -Xclang -mllvm -Xclang -ct-share=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=FAR
__device__ __noinline__ int called(int x) { return clock() + x; }
#ifdef POINTS
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
__device__ int (*const functions[])(int) = {one, two};
__global__ void through(int *p) { p[0] = functions[p[1] & 1](p[2]); }
#endif
template <int which> __global__ void kernel(volatile int *p, int x)
{
	__shared__ int table[16];
	int sum = 0;
#ifdef FULL
	__shared__ volatile int full[12287], one;
	if (which == 2)
		full[x] = one = x;
#endif
	table[threadIdx.x] = x;
	__syncthreads();
	x = table[x];
#ifdef CALLS
	if (which == 2)
		x = called(x);
#endif
#pragma unroll
	for (int i = 0; i < STORES; i++)
		p[2 * i + which] = x;
	p[2] += sum;
}
void launch(int *p)
{
	kernel<0><<<1, 1>>>(p, 1);
#if KERNELS > 1
	kernel<1><<<1, 1>>>(p, 1);
#endif
#if KERNELS > 2
	kernel<2><<<1, 1>>>(p, 1);
#endif
#if KERNELS > 3
	kernel<3><<<1, 1>>>(p, 1);
#endif
#if KERNELS > 4
	kernel<4><<<1, 1>>>(p, 1);
#endif
#if KERNELS > 5
	kernel<5><<<1, 1>>>(p, 1);
	kernel<6><<<1, 1>>>(p, 1);
#endif
#if KERNELS > 7
	kernel<7><<<1, 1>>>(p, 1);
#endif
}
// SHARED-DAG: @{{.*}}ILi0E{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 16
// SHARED-DAG: @{{.*}}ILi1E{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 16
// SHARED-DAG: @[[A:ct_states[.0-9]*]] = internal addrspace(3) global [1024 x i8] poison, align 16
// SHARED-DAG: call i32 @__ct_enter_far({{.*}}, i32 ptrtoint (ptr addrspace(3) @[[A]] to i32))
// SHARED-DAG: define {{.*}}@__ct__Z6kernelILi0EE
// SHARED-DAG: define {{.*}}@__ct__Z6kernelILi1EE
// SHARED-DAG: define {{.*}}@__ct__Z6kernelILi2EE
// SHARED-NOT: call i32 @__ct_enter(
// SHARED-NOT: @__ct_access_far(
// FULL: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 4
// FULL: call i32 @__ct_enter_far(
// OWN: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 4
// OWN: call i32 @__ct_enter(
// OWN-NOT: @__ct_enter_far(
// OWN-NOT: @__ct_access_far(
// OWN-NOT: ct_apart_
// RARE: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 4
// RARE: call void @__ct_access(
// RARE: define internal void @__ct_access(
// RARE: call void @ct_near_ct_record(
// RARE: define internal void @ct_near_ct_record(
// RARE: call void @ct_apart_ct_ship(
// RARE: define internal void @ct_apart_ct_ship(
// ALL: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 4
// ALL: call void @ct_apart___ct_access(
// ALL: define internal void @ct_apart_ct_record(
// RECORDS: define internal void @__ct_access(
// RECORDS: call void @ct_apart_ct_record(
// RECORDS: define internal void @ct_apart_ct_record(
// LARGE: define internal void @ct_apart_ct_record(
// NEAR: define internal void @ct_near_ct_record(
// FAR: call void @__ct_access_far(
// FAR-NOT: call void @__ct_access(
// RDC: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 4
// RDC: @ct_states{{.*}} = internal addrspace(3) global
// RDC: call i32 @__ct_enter_far(
// RDC-NOT: call i32 @__ct_enter(
// POINTS: @{{.*}}table = {{.*}}addrspace(3) global [16 x i32] {{.*}}align 16
// POINTS: @ct_states{{.*}} = internal addrspace(3) global
// POINTS: call i32 @__ct_enter_far(
// POINTS-NOT: call i32 @__ct_enter(
// POINTS-NOT: ct_apart_

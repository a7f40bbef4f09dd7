// Shared memory of other blocks of the cluster is none of ours.
// construct: thread block clusters and distributed shared memory
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s
// RUN: %more gpu -O1 -c %s -o %t.o
__global__ void neighbours(int *out)
{
	__shared__ int mine[64];
	mine[threadIdx.x] = threadIdx.x;
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
	out[threadIdx.x] = ((int *)__cluster_map_shared_rank(mine, 1))[threadIdx.x];
	asm volatile("st.shared::cluster.s32 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(mine) + 4) : "memory");
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
}
// CHECK: global store 4 bytes {{.*}} variable out
// CHECK-NOT: {{skipped|assembly}}
// CHECK-NOT: global load
// IR: define {{.*}}@__ct__Z10neighboursPi(
// IR: call {{.*}}@llvm.nvvm.mapa
// IR-NOT: call {{.*}}@__ct_access{{.*}} i64 1,
// IR: ret void

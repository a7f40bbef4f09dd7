// Programs of Thrust, CUB, cooperative groups and libcu++: the libraries' kernels and functions are instrumented like the program's.
// construct: Thrust
// construct: CUB
// construct: cooperative groups
// construct: libcu++
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cuda/barrier>
#include <cuda/std/array>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
namespace cg = cooperative_groups;
struct Twice {
	__device__ void operator()(int &x) const { x *= 2; }
};
void thrust_kernel(int *p) { thrust::for_each(thrust::device, p, p + 100, Twice()); }
__global__ void cub_block(int *p)
{
	typedef cub::BlockReduce<int, 128> Reduce;
	__shared__ typename Reduce::TempStorage temporary;
	int sum = Reduce(temporary).Sum(p[threadIdx.x]);
	if (threadIdx.x == 0)
		p[128] = sum;
}
__global__ void groups(int *p)
{
	auto tile = cg::tiled_partition<16>(cg::this_thread_block());
	p[threadIdx.x] = cg::reduce(tile, p[threadIdx.x], cg::plus<int>());
}
__global__ void libcudacxx(int *p, cuda::barrier<cuda::thread_scope_device> *b)
{
	cuda::std::array<int, 3> *a = (cuda::std::array<int, 3> *)p;
	(*a)[1] = 7;
	b->arrive_and_wait();
}
// CHECK-DAG: kernel {{.*}} "groups"
// CHECK-DAG: kernel {{.*}} "cub::{{.*}}for_each::static_kernel<{{.*}}Twice
// CHECK-DAG: global load 4 bytes {{.*}} in _Z9cub_blockPi {{.*}} variable p
// CHECK-DAG: global store 4 bytes {{.*}} in _Z9cub_blockPi {{.*}} variable p
// CHECK-DAG: elsewhere store 4 bytes {{.*}} in _Z9cub_blockPi {{.*}} space shared
// CHECK-DAG: global load 4 bytes {{.*}} in _Z6groupsPi {{.*}} variable p
// CHECK-DAG: global store 4 bytes {{.*}} in _Z6groupsPi {{.*}} variable p
// CHECK-DAG: global store 4 bytes {{.*}} in _Z10libcudacxx{{.*}} variable p
// CHECK-DAG: global atomic_{{.*}} in _Z10libcudacxx{{.*}} variable b
// CHECK-DAG: {{global|checked}} load 4 bytes {{.*}} in _ZN3cub{{.*}}for_each{{.*}}Twice
// CHECK-DAG: {{global|checked}} store 4 bytes {{.*}} in _ZN3cub{{.*}}for_each{{.*}}Twice

// A block that ends in a branch stands where the branch is, whatever it begins with, and a branch
// without a line where its condition is. Without optimisation the accesses of CUDA's own functions
// are those of the lines that call them.
// RUN: %trace cpu -O2 -g --cuda-device-only -emit-llvm -S %s -o %t.ll -Xclang -mllvm -Xclang -ct-events=block
// RUN: %dump | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=LINES
// RUN: %trace cpu -O0 -g --cuda-device-only -emit-llvm -S %s -o %t.ll -Xclang -mllvm -Xclang -ct-events=block -Xclang -mllvm -Xclang -ct-spaces=global,local
// RUN: %dump | FileCheck %s --check-prefix=PLAIN
// RUN: %dump | FileCheck %s --check-prefix=LINES
// RUN: %trace gpu -O0 -g --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: %dump | FileCheck %s --check-prefix=PLAIN
// Every site has a line.
// LINES-NOT: at {{[^ ]*}}:0:

// The block begins with the index, which is of a header.
__global__ void edges(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	float s = a[x];
	if (x > 0)
		s += a[x - 1];
	if (x < n - 1)
		s += a[x + 1];
	b[x] = s;
}
// CHECK-DAG: block {{.*}}places.cu:[[#@LINE-6]]:{{[0-9]+}} in _Z5edgesPKfPfi {{.*}} branch line [[#@LINE-6]] 
// CHECK-DAG: block {{.*}}places.cu:[[#@LINE-5]]:{{[0-9]+}} in _Z5edgesPKfPfi {{.*}} branch line [[#@LINE-5]] 

struct node {
	int left, right;
	float key, value;
};
// The branch at the end of a turn was made of two and has no line; its condition has.
__device__ __noinline__ float find(const node *nodes, int i, float key)
{
	float best = -1;
	while (i >= 0) {
		node n = nodes[i];
		if (n.key == key) {
			best = n.value;
			break;
		}
		i = key < n.key ? n.left : n.right;
	}
	return best;
}
// CHECK: places.cu:[[#@LINE-8]]:{{[0-9]+}} in _Z4findPK4nodeif {{.*}} branch line [[#@LINE-8]] 
// CHECK: places.cu:[[#@LINE-9]]:{{[0-9]+}} in _Z4findPK4nodeif {{.*}} branch line [[#@LINE-9]] 
__global__ void lookup(const node *nodes, const float *q, float *out)
{
	out[threadIdx.x] = find(nodes, 0, q[threadIdx.x]);
}

__global__ void count(const int *v, int *h, unsigned *u)
{
	atomicAdd(&h[v[threadIdx.x]], 1);
	if (v[threadIdx.x] > 7)
		atomicMax(&h[16], v[threadIdx.x]);
	atomicCAS(&u[0], 0u, 1u);
}
// PLAIN: atomic_add {{.*}} in _Z5countPKiPiPj {{.*}} <- _Z5countPKiPiPj at {{.*}}places.cu:[[#@LINE-5]]:
// PLAIN: atomic_max {{.*}} in _Z5countPKiPiPj {{.*}} <- _Z5countPKiPiPj at {{.*}}places.cu:[[#@LINE-4]]:
// PLAIN: atomic_cas {{.*}} in _Z5countPKiPiPj {{.*}} <- _Z5countPKiPiPj at {{.*}}places.cu:[[#@LINE-4]]:

// Static facts of basic blocks: instructions by class, chains of uses, loads that wait for one
// another, steps, arcs. The figures are counted by hand from the source.
// construct: facts of basic blocks
// RUN: %trace gpu -O1 -c %s -o %t.o -fno-unroll-loops -Xclang -mllvm -Xclang -ct-events=block
// RUN: %blocks | FileCheck %s
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll -fno-unroll-loops
// RUN: %blocks | FileCheck %s --check-prefix=CPU

// One of each: p[i] and q[i] are loaded side by side, r[...] behind them.
__global__ void mix(const float *__restrict__ p, const int *__restrict__ q, float *__restrict__ r,
		    double d)
{
	int i = threadIdx.x;
	float f = p[i];
	int k = q[i];
	float g = p[k];
	r[i] = __fsqrt_rn(f) + rsqrtf(g);
	((double *)r)[i + 64] = d / (d + 1);
}
// CHECK: block 0 of _Z3mix{{.*}} site 0 at {{.*}}blocks.cu:[[#@LINE-7]]-[[#@LINE-1]] depth 0: {{.*}} waits 2, next{{$}}
// CHECK: mix integer 2, address 5, load global 4 3, divide32 1, sfu 1, fp32 1, store global 4 1, fp64 1, divide64 1, store global 8 1, branch 1{{$}}

// Code generation makes 1 / sqrtf(a) one rsqrt, and 1 / root a second instruction beside the root.
__global__ void roots(float *p, float a, float b, float c)
{
	float root = sqrtf(c);
	p[0] = 1 / sqrtf(a);
	p[1] = 2 / sqrtf(b);
	p[2] = 1 / root;
	p[3] = root;
}
// CHECK: block 0 of _Z5roots
// CHECK: mix sfu 4, store global 4 4, divide32 1, branch 1{{$}}

// A sum of products: a chain of 8 multiply-adds, 16 loads that nothing separates.
__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *c)
{
	float sum = 0;
#pragma unroll
	for (int i = 0; i < 8; i++)
		sum = fmaf(a[i], b[i], sum);
	c[0] = sum;
}
// CHECK: block 0 of _Z3dot{{.*}}: 26 instructions, chain 10, waits 1, next{{$}}
// CHECK: mix load global 4 16, fma32 8, store global 4 1, branch 1{{$}}
// CHECK: step load global 4 at 0 until {{.*}} line
// CHECK: step store global 4 at 24 line

// A list: each load waits for the one before; and a store that what follows may meet.
struct node {
	node *next;
};
__global__ void chase(node *n, int *out, const int *in)
{
	n = n->next->next->next->next;
	*out = (int)(long)n;
	out[1] = in[2];
}
// CHECK: block 0 of _Z5chase{{.*}} waits 5, next{{$}}
// CHECK: mix load global 8 1, load generic 8 3, store global 4 2, load global 4 1, branch 1{{$}}
// CHECK: step load generic 8 at {{[0-9]+}} until 1 behind 1 line
// CHECK-NEXT: step load generic 8 at {{[0-9]+}} until 1 behind 2 line
// CHECK-NEXT: step load generic 8 at {{[0-9]+}} until 1 behind 3 line

// A loop with a barrier and shared memory: two loads of shared memory do not wait for global
// memory, and the block can be next of itself.
__global__ void tile(float *p, int n)
{
	__shared__ float s[64];
	for (int i = 0; i < n; i++) {
		s[threadIdx.x] = p[i];
		__syncthreads();
		p[i] = s[63 - threadIdx.x] + s[5];
		__syncthreads();
	}
}
// CHECK: block [[#]] of _Z4tile{{.*}} depth 1: {{.*}} waits 1, next
// CHECK: mix {{.*}}load global 4 1, {{.*}}store shared 4 1, barrier 2, {{.*}}load shared 4 2, {{.*}}fp32 1, {{.*}}store global 4 1
// CHECK-NEXT: chain store global 4 1, fp32 1, load shared 4 1{{$}}
// CHECK-NEXT: step load global 4 at {{[0-9]+}} until 1 line
// CHECK-NEXT: step store shared 4 at
// CHECK-NEXT: step barrier at
// CHECK-NEXT: step load shared 4 at
// CHECK-NEXT: step load shared 4 at
// CHECK-NEXT: step store global 4 at
// CHECK-NEXT: step barrier at

// A value is used in another block; of a chain of uses the slowest is reported.
__global__ void ahead(const volatile float *p, float *q, float a, float b, int n)
{
	float v = p[0];
	if (n > 3)
		q[0] = a / (v + b) + n;
}
// CHECK: block 0 of _Z5ahead
// CHECK: step load global 4 at 0 used in 1 line
// CHECK: block 1 of _Z5ahead
// CHECK: chain store global 4 1, fp32 2, divide32 1{{$}}

// Branches and arcs: entry to then and end, then to end.
__global__ void branch(int *p, int a)
{
	if (threadIdx.x < 5) {
		p[0] = a / 3 * a;
		__syncwarp();
	}
	p[1] = __shfl_sync(~0u, a, 0) + __popc(a);
}
// CHECK: block 0 of _Z6branch{{.*}} 3 instructions, chain 3, waits 0, next {{[12] [12]$}}
// CHECK: mix integer 2, branch 1{{$}}
// CHECK: block 1 of _Z6branch{{.*}} waits 0, next 2{{$}}
// CHECK: mix integer_divide 1, integer_multiply 1, store global 4 1, barrier 1{{$}}
// CHECK: block 2 of _Z6branch{{.*}} waits 0, next{{$}}
// CHECK: mix exchange 1, integer 2, {{.*}}store global 4 1, branch 1{{$}}
// CPU: block 0 of _Z3dot{{.*}} waits 1
// CPU-NOT: site [[#]] at

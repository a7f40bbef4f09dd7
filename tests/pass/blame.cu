// Which variables what happens at each place flows into: through values, memory, branches and calls.
// RUN: %trace cpu -O2 -g --cuda-device-only -emit-llvm -Xclang -debug-info-kind=constructor -c %s -o %t.bc && %blame | FileCheck %s
// Without variables there are no tables.
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc && %blame | FileCheck --check-prefix=NONE %s
// NONE-NOT: {{^(variable|statement|call|share) }}
struct Pair {
	int a, b;
};
__device__ __noinline__ int work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s = s * 3 + i;
	return s;
}
__device__ __noinline__ void put(Pair *p, int n)
{
	p->b = n;
}
// A local flows into what is stored through the parameter, a branch into what it decides; a read
// is no flow.
__global__ void flow(int *x, int *y, int n)
{
	int v = work(n);
	if (work(n + 1) > 0)
		y[0] = 1;
	x[0] = v + y[1];
}
// A store overwrites a scalar; fields are apart; what a callee writes is the caller's.
__global__ void memory(Pair *q, int n)
{
	int v = 5;
	q[0].a = v;
	v = work(n);
	put(q, v);
}
// An argument that is passed in memory arrives; it is the callee's own.
__device__ __noinline__ int total(Pair p)
{
	p.a = p.a + p.b;
	return p.a;
}
__global__ void passed(int *x, int n)
{
	Pair pair = {1, 2};
	pair.b = work(n);
	x[0] = total(pair);
}
// The second call is the first one, and what is left flows into both.
__global__ void merged(Pair *q, int n)
{
	q[0].a = work(n);
	q[0].b = work(n);
}
// CHECK-DAG: variable q.b part of _Z6memoryP4Pairi type int line 0
// CHECK-DAG: variable v local of _Z4flowPiS_i type int line 24
// CHECK-DAG: variable x parameter of _Z4flowPiS_i type int * line 22
// CHECK: statement _Z4worki:12:26 blamed s,i,'return' nearest i leaving 'return' written i read i
// CHECK: statement _Z3putP4Pairi:18:7 blamed p,p.b,'0*.4:4' nearest p,p.b leaving '0*.4:4' written p.b,'0*.4:4'
// CHECK: statement _Z4flowPiS_i:24:10 blamed x,v,'0*' nearest v leaving '0*'
// CHECK: statement _Z4flowPiS_i:26:8 blamed x,'0*',y,'1*' nearest y leaving '1*' written y,'1*'
// CHECK: statement _Z4flowPiS_i:27:13 blamed x,'0*' nearest x leaving '0*' read y,'1*'
// CHECK: statement _Z6memoryP4Pairi:33:9 blamed q,q.a,'0*.0:4' nearest q,q.a leaving '0*.0:4' written q.a,'0*.0:4'
// CHECK: call _Z4flowPiS_i:25:6 of _Z4worki 'return' blamed x,'0*',y,'1*' nearest y leaving '1*'
// CHECK: call _Z6memoryP4Pairi:34:6 of _Z4worki 'return' blamed q,q.b,v,'0*.4:4' nearest v leaving '0*.4:4'
// CHECK: call _Z6memoryP4Pairi:35:2 of _Z3putP4Pairi '0*.4:4' blamed q,q.b,'0*.4:4' nearest q,q.b leaving '0*.4:4' direct q.b,'0*.4:4'
// CHECK: call _Z6passedPii:46:11 of _Z4worki 'return' blamed x,pair,pair.b,'0*' nearest pair,pair.b leaving '0*'
// CHECK: call _Z6passedPii:47:9 of _Z5total4Pair 'return' blamed x,'0*' nearest x leaving '0*'
// CHECK: call _Z6mergedP4Pairi:52:11 of _Z4worki 'return' blamed q,q.a,'0*.0:4',q.b,'0*.4:4' nearest q,q.a,q.b leaving '0*.0:4','0*.4:4'
// CHECK: share of block 0 of _Z4flowPiS_i: 1 at _Z4flowPiS_i:25:6

// Host code has a unit of its own, and none where blame is left out.
// RUN: %trace cpu -O2 -g --cuda-host-only -c %s -o %t.o && grep -qa CTUN %t.o
// RUN: %trace cpu -O2 -g --cuda-host-only -c %s -o %t.o -Xclang -mllvm -Xclang -ct-blame=off && not grep -qa CTUN %t.o
int first(int n)
{
	int *memory, value;
	cudaMalloc(&memory, n * sizeof(int));
	cudaMemcpy(&value, memory, sizeof(int), cudaMemcpyDeviceToHost);
	return value + n;
}

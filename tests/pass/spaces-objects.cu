// Objects reached through memory: lists, virtual tables, tables of functions.
// construct: linked list in global memory
// construct: virtual function
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
#include <new>
struct Node {
	Node *next;
	int value;
};
// CHECK-DAG: global load 4 bytes {{.*}}:[[#@LINE+10]]:{{.*}} in _Z3sumP4NodePi {{.*}} variable out
// CHECK-DAG: checked load 4 bytes {{.*}}:[[#@LINE+7]]:{{.*}} in _Z3sumP4NodePi
// CHECK-DAG: checked load 8 bytes pointer64 {{.*}}:[[#@LINE+5]]:{{.*}} in _Z3sumP4NodePi
__global__ void sum(Node *list, int *out)
{
	int total = 0;

	for (Node *n = list; n; n = n->next)
		total += n->value;

	*out += total;
}
struct Shape {
	float size;
	__device__ virtual float area(const float *scale) const { return size * *scale; }
};
struct Square : Shape {
	__device__ float area(const float *scale) const override { return size * size * *scale; }
};
// The object and its table of functions lie in memory that the host cannot know.
// CHECK-DAG: checked load {{.*}} in _ZNK{{[56]}}{{.*}}4areaEPKf
__global__ void areas(Shape **shapes, float *scale)
{
	scale[1] = shapes[threadIdx.x]->area(scale);
}
__global__ void make(Shape **shapes) { shapes[threadIdx.x] = new Square; }

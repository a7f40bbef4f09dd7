// Erroneous code gets clang's errors and no crash.
// RUN: not %trace gpu -c %s -o %t.o > %t.errors 2>&1
// RUN: FileCheck %s < %t.errors
__global__ void kernel(int *p) { *p = undeclared; }
template <class T> void go(T t) { kernel<<<t.nothing, 1>>>(t); }
int main()
{
	kernel<<<1, 1>>>(nowhere);
	cudaMalloc(&nowhere, nothing);
	go(3);
}
// CHECK: error: use of undeclared identifier 'undeclared'
// CHECK-NOT: PLEASE submit a bug report

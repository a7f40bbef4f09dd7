// Sites know their loop depth and whether they are volatile.
// RUN: %trace cpu -O1 -fno-unroll-loops --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
__global__ void kernel(volatile int *p, int *q, int n)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			q[i * 32] = p[j];
		q[i] = i;
	}
	q[n] = 0;
}
// CHECK-DAG: global load {{.*}}:8:{{.*}} depth 2 kernel 0 volatile variable p
// CHECK-DAG: global store {{.*}}:9:{{.*}} depth 1 kernel 0 variable q
// CHECK-DAG: global store {{.*}}:11:{{.*}} depth 0 kernel 0 variable q

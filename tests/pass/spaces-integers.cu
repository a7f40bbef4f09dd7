// Pointers that are integers for a while, and addresses that the host passes as integers.
// construct: pointer converted to an integer and back
// construct: pointer chosen between shared and global memory
// RUN: %trace cpu -O0 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
__global__ void integers(float *g, unsigned long long address, int n)
{
	__shared__ float s[64];
	size_t a = (size_t)g, b = (size_t)s;
	a += 16 * n;
	a &= ~15ull;
	b |= 4;
	// CHECK-DAG: global store 4 bytes {{.*}}:[[#@LINE+1]]:{{.*}} variable g
	*(float *)a = 1;
	// CHECK-DAG: elsewhere store 4 bytes {{.*}}:[[#@LINE+1]]:{{.*}} space shared
	*(float *)b = 2;
	// CHECK-DAG: checked store 4 bytes {{.*}}:[[#@LINE+1]]:
	*(float *)address = 3;
	// CHECK-DAG: checked store 4 bytes {{.*}}:[[#@LINE+1]]:
	*(float *)(n ? a : b) = 4;
	// CHECK-DAG: checked store 4 bytes {{.*}}:[[#@LINE+1]]:
	*(float *)(a - b + a) = 5;
}

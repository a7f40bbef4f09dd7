// With -g the instrumented module is valid and ptxas takes it.
// RUN: %trace gpu -g -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc
// Debug information that is not valid would be dropped with a warning.
// RUN: opt -passes=verify -disable-output %t.bc 2>&1 | FileCheck --allow-empty --implicit-check-not={{.}} %s
// RUN: %trace gpu -g -O2 -c %s -o %t.o
// RUN: %trace gpu -g -O0 -c %s -o %t.o
__device__ __noinline__ int get(int *p, int i) { return i ? get(p, i - 1) : p[i]; }
__global__ void kernel(int *p)
{
	for (int i = 0; i < 4; i++)
		p[i] += get(p, i);
}
int main() { kernel<<<1, 1>>>(nullptr); }
// CHECK-NOT: {{.}}

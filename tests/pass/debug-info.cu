// With -g the instrumented module is valid and ptxas takes it.
// RUN: %trace gpu -g -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc
// RUN: opt -passes=verify -disable-output %t.bc
// RUN: %trace gpu -g -O2 -c %s -o %t.o
// RUN: %trace gpu -g -O0 -c %s -o %t.o
__device__ __noinline__ int get(int *p, int i) { return i ? get(p, i - 1) : p[i]; }
__global__ void kernel(int *p)
{
	for (int i = 0; i < 4; i++)
		p[i] += get(p, i);
}
int main() { kernel<<<1, 1>>>(nullptr); }

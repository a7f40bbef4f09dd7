// Pristine kernels and device functions are the same with the pass as without it.
// RUN: %plain -O2 --cuda-device-only -emit-llvm -S %s -o %t.plain.ll
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o %t.traced.ll
// RUN: sed -n -e '/^define.*@_Z/,/^}/p' %t.plain.ll | sed -e 's/, ![a-z.]* ![0-9]*//g;s/ !dbg ![0-9]*//;s/ #[0-9]*//g' > %t.plain
// RUN: sed -n -e '/^define.*@_Z/,/^}/p' %t.traced.ll | sed -e 's/, ![a-z.]* ![0-9]*//g;s/ !dbg ![0-9]*//;s/ #[0-9]*//g' > %t.traced
// RUN: diff %t.plain %t.traced
// RUN: FileCheck %s < %t.traced
// CHECK: define {{.*}}@_Z6devicePii
// CHECK: define {{.*}}@_Z6kernelPiS_i
__device__ __noinline__ int device(int *p, int i) { return p[i] + 1; }
__global__ void kernel(int *p, int *q, int n)
{
	for (int i = 0; i < n; i++)
		p[i * 32 + threadIdx.x] = device(q, i);
}

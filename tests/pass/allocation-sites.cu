// Allocations name their variable and size, in the user's frame and not in the CUDA headers, and whether
// they are for the callers: returned, or stored where a parameter leads.
// RUN: %trace cpu -O0 --cuda-host-only -emit-llvm -S %s -o - | FileCheck %s
#define CHECKED(x) do { cudaError_t e_ = (x); (void)e_; } while (0)
struct Fields {
	int *a, *b[2];
};
template <class T> T *make(size_t n)
{
	T *p;
	CHECKED(cudaMalloc(&p, n * sizeof(T)));
	return p;
}
void all(Fields *f, cudaStream_t stream)
{
	float *x;
	size_t pitch;
	cudaMalloc((void **)&f->a, 256);
	CHECKED(cudaMallocManaged(&f->b[1], 64 * sizeof(int)));
	cudaMallocHost(reinterpret_cast<void **>(&x), 8);
	cudaHostAlloc(&x, 16, cudaHostAllocDefault);
	cudaMallocPitch(&x, &pitch, 12, 3);
	cudaMallocAsync(&x, 77, stream);
	make<float>(100);
}
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F18\1F2\1Fall\1Ff->a\1F256\1Fpassed on\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F19\1F10\1Fall\1Ff->b[1]\1F64 * sizeof(int)\1Fpassed on\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F20\1F2\1Fall\1Fx\1F8\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F21\1F2\1Fall\1Fx\1F16\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F22\1F2\1Fall\1Fx\1F12\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F23\1F2\1Fall\1Fx\1F77\00"
// CHECK-DAG: c"A\1F{{[^"]*}}allocation-sites.cu\1F11\1F10\1Fmake<float>\1Fp\1Fn * sizeof(T)\1Fpassed on\00"
// CHECK-NOT: c"A\1F{{[^"]*}}cuda_runtime.h

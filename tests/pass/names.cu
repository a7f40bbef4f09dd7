// Kernels are described by their source-level names: templates, namespaces, members, statics.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s
namespace n {
template <class T, int N> __global__ void fill(T *out, const T (&)[N]) { out[N] = T(); }
template __global__ void fill<double, 3>(double *, const double (&)[3]);
struct S {
	static __global__ void member(bool *flag) { *flag = true; }
};
__global__ void use(bool *flag) { *flag = &S::member; }
} // namespace n
namespace {
__global__ void hidden(int *) {}
} // namespace
static __global__ void local(unsigned long long *p) { *p = 0; }
extern "C" __global__ void plain(void *p) { *static_cast<char *>(p) = 1; }
int main()
{
	hidden<<<1, 1>>>(nullptr);
	local<<<1, 1>>>(nullptr);
	n::S::member<<<1, 1>>>(nullptr);
}
// CHECK-DAG: kernel {{.*}} "n::fill<double, 3>" at {{.*}}names.cu:5:43 (double * out, const double (&)[3] )
// CHECK-DAG: kernel {{.*}} "n::S::member" at {{.*}}names.cu:8:25 (bool * flag)
// CHECK-DAG: kernel {{.*}} "(anonymous namespace)::hidden" at {{.*}}names.cu:13:17 (int * )
// CHECK-DAG: kernel {{.*}} "local" at {{.*}}names.cu:15:24 (unsigned long long * p)
// CHECK-DAG: kernel plain "plain" at {{.*}}names.cu:16:28 (void * p)
// IR-NOT: ct.kernel
// IR-NOT: llvm.global.annotations

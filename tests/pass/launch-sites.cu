// Launches are described where the user wrote them: templates, macros, lambdas, pointers, members.
// RUN: %trace cpu -O0 --cuda-host-only -emit-llvm -S %s -o - | FileCheck %s
#define LAUNCH(g, ...) n::zero<<<g, 1>>>(__VA_ARGS__)
#define TWICE(x) x; x
template <class T> __global__ void fill(T *p, T v) {}
namespace n {
__global__ void zero(int *p) {}
template <class T> void go(T *p) { fill<T><<<1, 32>>>(p + 0, T(3)); }
} // namespace n
struct Member {
	int *a;
	void inl() { n::zero<<<2, 2>>>(a); }
	template <class F> void run(F f) { f(a); fill<<<1, 1, 0, nullptr>>>(a, 5); }
};
int at_start = (n::zero<<<9, 9>>>(nullptr), 1);
void all(int *a, double *b, cudaStream_t stream)
{
	n::go(a);
	n::go(b);
	LAUNCH(3, a);
	void (*pointer)(int *) = n::zero;
	pointer<<<1, 1, 64, stream>>>(a);
	Member{a}.inl();
	Member{a}.run([](int *p) { n::zero<<<1, 1>>>(p); });
	auto generic = [](auto *p) { n::zero<<<2, 1>>>(p); };
	generic(a);
	n::zero<<<1,
		  1>>>(a
		       + 1);
}
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F15\1F17\1Fat_start\1Fn::zero\1Fnullptr\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F8\1F36\1Fn::go<int>\1Ffill<T>\1Fp + 0\1FT(3)\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F8\1F36\1Fn::go<double>\1Ffill<T>\1Fp + 0\1FT(3)\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F20\1F2\1Fall\1Fn::zero\1Fa\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F22\1F2\1Fall\1Fpointer\1Fa\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F12\1F15\1FMember::inl\1Fn::zero\1Fa\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F24\1F29\1Fall\1Fn::zero\1Fp\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F13\1F43\1FMember::run<{{[^"]*}}>\1Ffill\1Fa\1F5\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F25\1F31\1F{{[^"]*}}operator()<int>\1Fn::zero\1Fp\00"
// CHECK-DAG: c"L\1F{{[^"]*}}launch-sites.cu\1F27\1F2\1Fall\1Fn::zero\1Fa + 1\00"
// CHECK: [[STREAM:%[^ ]+]] = call ptr @__ct_launch_site(ptr noundef %{{[^,]+}}, ptr noundef @
// CHECK: call i32 @__cudaPushCallConfiguration({{.*}}, ptr noundef [[STREAM]])

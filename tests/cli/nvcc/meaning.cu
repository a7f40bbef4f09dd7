/* SPDX-License-Identifier: Apache-2.0 */
/* nvcc compiles this and clang refuses it; each line that is printed follows from the text. */
#include <cuda/std/cstdlib>
#include <cuda/std/utility>
#include <utility>

/* Attributes on one declaration only, in either order. */
__host__ __device__ int both(int);
int both(int v)
{
	return v + 1;
}
int late(int);
__host__ __device__ int late(int v)
{
	return v + 2;
}
__device__ int alone(int);
int alone(int v)
{
	return v + 3;
}
struct Members {
	int v;
	__host__ __device__ Members(int);
	__device__ int get(int) const;
	template <class T> __host__ __device__ T add(T) const;
	friend __host__ __device__ Members operator+(Members, Members);
};
Members::Members(int v) : v(v)
{
}
int Members::get(int w) const
{
	return v + w;
}
template <class T> T Members::add(T w) const
{
	return v + w;
}
Members operator+(Members a, Members b)
{
	return a.v + b.v;
}
template <class T> __host__ __device__ T special(T v)
{
	return v;
}
template <> int special(int v)
{
	return v + 7;
}
template <class T> static __device__ T zero();
template <> __device__ float zero<float>()
{
	return 0;
}
template <class T> __device__ T twice(T v)
{
	return 2 * v;
}
template <> __device__ __forceinline__ int twice(int v)
{
	return 3 * v;
}
template int special<int>(int);
template unsigned special<unsigned>(unsigned);
__global__ void sides(int *o)
{
	Members m(2);

	o[0] = both(1);
	o[1] = late(1);
	o[2] = alone(1);
	o[3] = m.get(3);
	o[4] = m.add(4);
	o[5] = (m + Members(5)).v;
	o[6] = special(1) + twice(1) - 3 + (int)zero<float>();
}

/* Specialisations for devices alone. */
template <class T> __device__ T down(T w)
{
	return w - 1;
}
template <> __device__ int down(int);
template <> int down(int w)
{
	return w + 1;
}
template <> __device__ float down<float>(float w)
{
	return w + 2;
}
struct Own {
	template <class T> __device__ T up(T w)
	{
		return w - 1;
	}
};
template <> __device__ int Own::up(int w)
{
	return w + 3;
}
template <class T> struct Class {
	__device__ T get(T w)
	{
		return w;
	}
	static __device__ int fixed(int);
	template <class U> __device__ U up(U);
};
template <> __device__ int Class<int>::get(int w)
{
	return w + 4;
}
template <> int Class<float>::fixed(int w)
{
	return w + 5;
}
template <class T> template <class U> __device__ U Class<T>::up(U w)
{
	return w;
}
template <> template <> __device__ int Class<int>::up(int w)
{
	return w + 6;
}
template <class T> __host__ __device__ T either(T w)
{
	return w;
}
template <> __device__ float either(float w)
{
	return w + 7;
}
template <class T> __global__ void specialised(T *o);
template <> __global__ void specialised(int *o)
{
	Own own;
	Class<int> made;

	o[0] = down(0);
	o[1] = (int)down(0.f);
	o[2] = own.up(0);
	o[3] = made.get(0);
	o[4] = Class<float>::fixed(0);
	o[5] = made.up(0);
	o[6] = (int)either(0.f);
}

/* Operands that are not evaluated. */
int on_host(int);
struct OfHost {
	short get();
};
struct OfDevice {
	__device__ int operator()(int x) const
	{
		return x;
	}
};
static_assert(std::is_invocable<OfDevice, int>::value, "");
struct OfBoth {
	int v;
	__host__ __device__ OfBoth(int);
};
template <class A, class B>
__device__ auto sum(A a, B b) -> decltype(std::declval<A>() + std::declval<B>())
{
	return a + b;
}
template <class T> __device__ decltype(std::declval<T>().get()) named(T *)
{
	return 2;
}
__global__ void not_evaluated(int *o)
{
	decltype(on_host(1)) size = sizeof(on_host(2));

	o[0] = sum(1, 2.f);
	o[1] = named((OfHost *)nullptr);
	o[2] = size + sizeof(std::declval<OfHost>().get());
	o[3] = noexcept(on_host(1)) ? 1 : 4;
}

/* The same in host code: names of functions for devices, and their addresses. */
__device__ short on_device(int v)
{
	return v;
}
static const int size_of_call = sizeof(on_device(1));
decltype(on_device(1)) of_its_type = 3;
template <class F> auto result(F f, decltype(f(1)) v) -> decltype(f(1))
{
	return v + sizeof(f(2)) + sizeof(on_device(1));
}
auto made_of = result(OfDevice(), 1);
template <class F, class R = decltype(std::declval<F>()(1))> R result_of(F)
{
	using Same = decltype(std::declval<F>()(2));
	return std::is_same<R, Same>::value ? sizeof(R) : 0;
}
template <class F, std::enable_if_t<sizeof(std::declval<F>()(1)) == 4, int> = 0> int chosen(F)
{
	return 5;
}
int chosen(...)
{
	return 6;
}
template <class F> struct Sizes {
	static const int one = sizeof(std::declval<F>()(1)) + sizeof(on_device(1));
	static int two;
};
template <class F> int Sizes<F>::two = sizeof(std::declval<F>()(1)) + sizeof(on_device(2));
struct Naming {
	int of_field = sizeof(on_device(1)), of_constructor;
	Naming() : of_constructor(sizeof(on_device(2)))
	{
	}
	int method()
	{
		struct Local {
			int get()
			{
				return sizeof(later(1)) + sizeof(on_device(3));
			}
		};
		return Local().get();
	}
	template <class F> auto deduced(F f)
	{
		return sizeof(f(1)) + sizeof(on_device(4));
	}
	static __device__ char later(int);
};
#if __cplusplus >= 202002L
/* clang-format off */
template <class F>
concept Called = requires(F f) {
	{ f(1) } -> std::same_as<int>;
};
/* clang-format on */
template <Called F> int constrained(F f)
{
	return requires
	{
		on_device(1);
	}
	&&requires
	{
		f(3);
	};
}
#else
template <class F> int constrained(F)
{
	return 1;
}
#endif
typedef short (*Address)(int);
template <Address F> __global__ void by_address(int *o)
{
	*o = F(8);
}
Address address = on_device;
static int names(int *o)
{
	Naming of;
	Address here = on_device;
	auto closure = [](auto f) { return sizeof(f(1)); };
	bool same = here == address;

	by_address<on_device><<<1, 1>>>(o);
	cudaDeviceSynchronize();
	return *o + size_of_call * 10 + of_its_type * 10 + made_of * 100 + result_of(OfDevice()) +
	       chosen(OfDevice()) + Sizes<OfDevice>::one + Sizes<OfDevice>::two + of.of_field +
	       of.of_constructor + of.method() + (int)of.deduced(OfDevice()) +
	       (int)closure(OfDevice()) + constrained(OfDevice()) + same;
}

/* Functions that are another one on each side; of those that no kernel reaches one is missing. */
#ifdef __CUDA_ARCH__
template <class T> __device__ inline void split(T &a, T b)
{
	atomicAdd(&a, b);
}
#else
template <class T> inline void split(T &a, T b)
{
	a += b;
}
#endif
void on_either(int &x)
{
	split(x, 1);
}
__device__ int missing(int);
__device__ int unreached(int v)
{
	return missing(v);
}

/* More constants of the host than constant memory has room for, and one that devices use. */
extern const int table[40000];
const int table[40000] = {2, 3};
extern const int used;
const int used = 5;
struct Constants {
	static const int in_class = 6;
	static const int many[30000];
};
const int Constants::many[30000] = {8, 9};
const int Constants::in_class;
__global__ void constants(int *o)
{
	*o = used + Constants::in_class;
}

/* Objects in shared memory. */
struct Head {
	int n;
	float v[32];
};
extern __shared__ Head head;
extern __shared__ int more[];
template <class T> __global__ void shared(T *o)
{
	extern __shared__ double sized[4];

	head.v[threadIdx.x] = threadIdx.x;
	if (threadIdx.x == 0) {
		head.n = 7;
		more[0] = 31;
		sized[3] = 3;
	}
	__syncthreads();
	o[0] = head.n;
	o[1] = more[0] + head.n;
	o[2] = sized[3];
}

/* Calls of member templates without "template", beside comparisons that look like them. */
template <class T> struct Cast {
	template <int N> static __device__ void to(T *p)
	{
		*p = N;
	}
	template <int N> __device__ int plus(int a) const
	{
		return a + N;
	}
	template <int N, int M> __device__ int both(int a) const
	{
		return a + N * M;
	}
};
template <> template <> __device__ void Cast<int>::to<9>(int *p)
{
	*p = 90;
}
struct Data {
	int plus, run;
	static const int to = 1;
};
#define PLUS(c, n) c.plus<n>(1)
template <class T, int N, class L>
__global__ void members(T *o, Cast<T> c, Data d, const Data *e, L later)
{
	typedef Cast<T> C;
	const Cast<T> *q = &c;
	auto generic = [](auto x) { return x.plus<N>(2); };

	Cast<T>::to<N>(o);
	C::to<N * 3>(o + 1);
	o[2] = c.plus<N>(1) + 2 * q->plus<(N > 1)>(c.plus<4>(0));
	o[3] = max(c.both<N, 2>(1), 3), 0;
	o[4] = PLUS((*q), N) > 3 ? (&c)[0].plus<N>(6) : 0;
	o[5] = later.run<N>(5) + generic(c);
	o[6] = (d.plus<N>(0)) + (e[0].run<N>(1)) + (e->run<N>(0));
	o[7] = (Data::to<N>(0)) + 2 * (d.plus < N && N > (0));
	C::template to<5>(o + 8);
}
struct Later {
	template <int N> __device__ int run(int a) const
	{
		return a * N;
	}
};

/* Loads and stores with cache operators, exchanges of 16 bytes, memory at an alignment. */
struct alignas(16) Wide {
	long long a, b;
};
__global__ void memory(int *o, long *l, Wide *w)
{
	__stwt(l, 6l);
	__stcs(l + 1, 30l);
	*o = __ldca(l) + __ldlu((unsigned long *)l + 1);
	Wide was = atomicExch(w, Wide{8, 9});
	o[1] = was.a + was.b;
	o[2] = atomicCAS(w, Wide{8, 9}, Wide{1, 2}).b;
	char *own = (char *)__nv_aligned_device_malloc(64, 256);
	o[3] = (unsigned long)own % 256;
	free(own);
	o[4] = w->a;
	o[5] = cuda::std::move(w->b);
}

/* Clang calls this an error, and nvcc warns of it. */
enum class Colour { red };
static int colour(enum class Colour c)
{
	return (int)c;
}
template <class... A> __device__ bool chain(A... a)
{
	return (1 < ... < a);
}
__device__ int nothing(int v)
{
	if (v < 0)
		return;
	return v;
}
__global__ void warned(int *o)
{
	asm("mov.u32 %0, 5;" : "=r"((int)o[0]));
	o[1] = chain(3, 2) + nothing(4);
}
#define FORMAT "d"

__global__ void grid(int *o)
{
	*o = gridDim.x * 1000 + gridDim.y * 100 + blockDim.x * 10 + blockDim.y;
}
#define LAUNCH(g, b) grid<<<g, b>>>(o)
template <int N, class T> static void launch(T x, int *o)
{
	grid<<<{N, x}, {x + 1, 2}, 0, {}>>>(o);
}

int main()
{
	int x = 2, y = 3, *o;
	long *l;

	cudaMallocManaged(&o, 64);
	cudaMallocManaged(&l, 64);
	grid<<<{x, y}, {4, 2}>>>(o);
	cudaDeviceSynchronize();
	printf("%d", *o);
	grid<<<dim3(2, 3), {4u, 2u, 1u}>>>(o);
	cudaDeviceSynchronize();
	printf(" %d", *o);
	launch<2>(3, o);
	cudaDeviceSynchronize();
	printf(" %d", *o);
	LAUNCH(6, {8});
	cudaDeviceSynchronize();
	printf(" %d\n", *o == 6181 ? 2342 : *o);
	sides<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	printf("sides %d %d %d %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
	specialised<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	printf("specialised %d %d %d %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
	not_evaluated<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	printf("not evaluated %d %d %d %d\n", o[0], o[1], o[2], o[3]);
	printf("named on the host %d\n", names(o));
	constants<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	printf("constants %d %d %d\n", o[0], table[1], Constants::many[1]);
	*(Data *)l = Data{5, 1};
	members<int, 3><<<1, 1>>>(o, Cast<int>(), Data{5, 1}, (Data *)l, Later());
	cudaDeviceSynchronize();
	printf("members");
	for (int i = 0; i < 9; i++)
		printf(" %d", o[i]);
	printf("\n");
	shared<int><<<1, 32, 64>>>(o);
	cudaDeviceSynchronize();
	printf("shared %d %d %d\n", o[0], o[1], o[2]);
	warned<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	/* clang-format off */ /* which would put a blank before the macro */
	printf("warned %d %"FORMAT" %d\n", o[0], o[1], colour(Colour::red));
	/* clang-format on */
	l[4] = 2;
	l[5] = 3;
	memory<<<1, 1>>>(o, l, (Wide *)(l + 4));
	cudaDeviceSynchronize();
	printf("memory %d %d %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4], o[5]);
	on_either(x);
	return both(1) + x - 5;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Overloads, constants and arguments that nvcc takes and clang refuses; what is printed follows
 * from the text. */
#include <cstdarg>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <memory>
#include <string>
#include <type_traits>

/* An rvalue reference before an lvalue reference to another class, for braces. Classes of the host
 * stay as they are: libstdc++.so has the constructor of a string. */
static std::string joined(std::string s)
{
	return std::string("host ") + std::move(s) + "x";
}
struct Raw {
	unsigned short x, y;
};
struct Pair { /* its own assignments are implicit */
	short a, b;
	__host__ __device__ Pair(short a, short b) : a(a), b(b)
	{
	}
	Pair() = default;
	__host__ __device__ Pair &operator=(const Raw &)
	{
		a = b = 99;
		return *this;
	}
};
template <class T> struct Wide {
	T a, b;
	__host__ __device__ Wide(T a, T b) : a(a), b(b)
	{
	}
	Wide() = default;
	__host__ __device__ Wide(const Wide &w) : a(w.a), b(w.b)
	{
	}
	__host__ __device__ Wide(Wide &&w) : a(w.a), b(w.b + 10)
	{
	}
	__host__ __device__ Wide(const Raw &) : a(99), b(99)
	{
	}
	__host__ __device__ Wide &operator=(const Wide &);
	__host__ __device__ Wide &operator=(Wide &&);
	__host__ __device__ Wide &operator=(const Raw &);
};
template <class T> __host__ __device__ Wide<T> &Wide<T>::operator=(const Wide &w)
{
	a = w.a;
	b = w.b;
	return *this;
}
template <class T> __host__ __device__ Wide<T> &Wide<T>::operator=(Wide &&w)
{
	a = w.a;
	b = w.b + 20;
	return *this;
}
template <class T> __host__ __device__ Wide<T> &Wide<T>::operator=(const Raw &)
{
	a = b = 99;
	return *this;
}
struct Member {
	half2 h;
	Pair p;
};
__global__ void braces(int *o, half2 *h, __nv_bfloat162 *b)
{
	h[0] = {};
	h[1] = {half(1), half(2)};
	half2 made({half(3), half(4)});
	h[2] = made;
	b[0] = {};
	b[1] = {__nv_bfloat16(5), __nv_bfloat16(6)};
	Pair p;
	p = {1, 2};
	o[0] = p.a + p.b;
	p = {};
	o[1] = p.a;
	Wide<int> w;
	w = {3, 4};
	o[2] = w.a + w.b;
	Wide<int> v({5, 6});
	o[3] = v.a + v.b;
	Member m = {half2(7, 8), {}}, n;
	n = m;
	n = {};
	o[4] = __low2float(m.h) + __low2float(n.h);
}

/* Constants of an enumeration beyond its enumerators. */
enum Colour { red, blue };
enum Signed { minus = -1, plus };
constexpr Colour other = (Colour)7;
template <Signed S> struct Of {
	static constexpr Signed value = static_cast<Signed>(S - 100);
};
__host__ __device__ static int colour(Colour c)
{
	switch (c) {
	case (Colour)5:
		return 3;
	case other:
		return 4;
	default:
		return 5;
	}
}

/* Objects for an ellipsis: bits on devices, a copy on the host; and as numbers of printf. */
struct Counts {
	int copies;
	__host__ __device__ Counts(int n) : copies(n)
	{
	}
	__host__ __device__ Counts(const Counts &c) : copies(c.copies + 1)
	{
	}
};
struct Real {
	double v;
	__device__ Real(double v) : v(v)
	{
	}
	__device__ Real(const Real &r) : v(r.v)
	{
	}
};
struct Two {
	int v[2];
};
struct Three {
	int v[3];
};
struct Letters {
	char v[3];
};
struct alignas(16) Four {
	int v[4];
};
struct Kept { /* its bytes are printed, and it is destroyed afterwards */
	short v[6];
	int *ends;
	__device__ Kept(int *ends) : v{1, 0, 2, 0, 3, 0}, ends(ends)
	{
	}
	__device__ Kept(const Kept &);
	__device__ ~Kept()
	{
		++*ends;
	}
};
struct Lengths {
	int n;
	__device__ Lengths(Three t) : n(printf("sizes %d %d %d %d\n", t, 4))
	{
	}
};
__host__ __device__ static int any(...)
{
	return 1;
}
static int copies(int n, ...)
{
	va_list list;

	va_start(list, n);
	int result = va_arg(list, Counts *)->copies;
	va_end(list);
	return result;
}
__global__ void passed(int *o)
{
	Counts c(3);

	o[0] = any(c) + any(Counts(1));
	o[1] = other + colour(*o == 2 ? other : red);
	o[2] = Of<minus>::value;
	printf("device %d %x %g\n", c, half(1), Real(2.5));
	/* Each where a structure has it. */
	Four four = {{1, 2, 3, 4}};
	Two two = {{6, 7}};
	auto print = [=](auto x) { return printf("%d %d %d %s\n", 5, x, "8"); };
	printf("%d %d %d %d %g\n", four, 5.f);
	o[3] = print(two) + Lengths(Three{{1, 2, 3}}).n;
	printf("%c %d %lld\n", Letters{{'a', 'b', 'c'}}, 9, 10ll);
	o[4] = 0;
	printf("%d %d %d kept\n", Kept(o + 4));
}

/* A value that becomes a bool need not fit. */
enum Whether : bool { yes = 5 };
template <bool B> struct Flag {
	static const bool value = B;
};
template <int N> struct OfBits : Flag<N & 6> {
};

/* An array in brackets, and `template` without arguments. */
struct Held {
	int a[2];
	Held() : a({1, 2})
	{
	}
	template <class T = int> int get(T i)
	{
		return a[i];
	}
};
template <class T> static int last(T held)
{
	return held.template get(1);
}

/* Operands that are not evaluated, behind what is ready while the body is read: what a template
 * gave, members of a class there. */
int on_host(int);
template <int N> __host__ __device__ constexpr int number()
{
	return N;
}
__global__ void not_evaluated(int *o)
{
	static_assert(std::is_same_v<int, int> && sizeof(on_host(1)) == 4, "");
	static_assert(number<3>() == 3 && !noexcept(on_host(1)), "");
	struct Local {
		__device__ int get()
		{
			return 1;
		}
	};
	__typeof__(on_host(1)) size = sizeof(on_host(2));
	*o = size + Local().get();
}

/* Copies, assignments and destructors never written, of members whose own are for the
 * host and call what devices do not have. */
struct Owner {
	std::shared_ptr<int> of;
	Owner() : of(std::make_shared<int>(1))
	{
	}
	Owner(const Owner &o) : of(o.of)
	{
		on_host(2);
	}
	Owner &operator=(const Owner &o)
	{
		of = o.of;
		return *this;
	}
};
struct Owns {
	Owner owner;
	std::shared_ptr<int> other = std::make_shared<int>(on_host(1));
	int v = 6;
	__host__ __device__ int operator()() const
	{
		return v;
	}
};
template <class F> __host__ __device__ int copied(F f)
{
	F g = f, *h = &g;

	return g() + (*h)();
}
template <class F> __global__ void copies_of_host(int *o, F f)
{
	*o = copied(f);
}

/* Templates whose arguments choose what host code calls; nvcc looks at none of these calls. */
__device__ int on_device(int v)
{
	return v;
}
struct Called {
	__device__ int operator()(int v) const
	{
		return v;
	}
};
template <class T> struct OrDevice {
	T either(T v)
	{
		auto chosen = [](T w) { return w ? w : (T)on_device(w); };

		return chosen(v);
	}
};
template <class F> static int or_called(F f, int v)
{
	return v ? v : f(v);
}

/* Functions of CUDA's headers on the host, and arguments that gcc takes 0 for. */
template <int N> static void on_host_too(const int *p)
{
	float sine, cosine;

	__builtin_prefetch(p, 0, N);
	__builtin_prefetch(p, N);
	__builtin_prefetch(p);
	sincos(0.f, &sine, &cosine);
	static_assert(sizeof(exp10(1.f) + erfinv(1.f) + j0(1.f) + j1(1.f) + jn(1, 1.f) + y0(1.f) +
			     y1(1.f) + yn(1, 1.f)) == sizeof(float) &&
			  sizeof(__nv_bswap16(1)) == 2 && sizeof(__nv_bswap64(1)) == 8,
		      "");
	printf("host %u %u %lld %lld %llu %llu %g %g\n", umin(1u, -1), umax(1u, -1), llmin(-1ll, 1),
	       llmax(-1ll, 1), ullmin(-1ll, 1), ullmax(-1, 1u), sine, cosine);
}
int on_host(int v)
{
	return v;
}

int main()
{
	int *o;
	half2 *h;
	__nv_bfloat162 *b;

	cudaMallocManaged(&o, 64);
	cudaMallocManaged(&h, 64);
	cudaMallocManaged(&b, 64);
	h[0] = half2(9, 9);
	b[0] = __nv_bfloat162(9, 9);
	braces<<<1, 1>>>(o, h, b);
	cudaDeviceSynchronize();
	for (int i = 0; i < 3; i++)
		printf("%g %g ", __low2float(h[i]), __high2float(h[i]));
	printf("%g %g %g", __low2float(b[0]), __low2float(b[1]), __high2float(b[1]));
	printf(" braces %d %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4]);
	passed<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	Counts c(3);
	printf("passed %d %d %d %d %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4], any(c),
	       copies(0, c), last(Held()));
	not_evaluated<<<1, 1>>>(o);
	cudaDeviceSynchronize();
	printf("not evaluated %d\n", *o);
	copies_of_host<<<1, 1>>>(o, Owns());
	cudaDeviceSynchronize();
	printf("made %d\n", *o);
	on_host_too<9>(o);
	printf("%s\n", joined("string").c_str());
	printf("or %d %d\n", OrDevice<int>().either(11), or_called(Called(), 12));
	return colour((Colour)5) - 3 - !(OfBits<4>::value && Flag<yes>::value);
}

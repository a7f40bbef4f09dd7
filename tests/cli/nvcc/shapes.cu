/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of programs that nvcc compiles; each line that is printed follows from the text. */
#include <array>
#include <concepts>
#include <cstdio>
#include <new>
#include <span>
#include <utility>
#include <vector>

static int *results;
static void show(const char *what, int count)
{
	int value[8];
	cudaMemcpy(value, results, sizeof(value), cudaMemcpyDeviceToHost);
	printf("%s", what);
	for (int i = 0; i < count; i++)
		printf(" %d", value[i]);
	printf("\n");
}

/* Attributes on partial specialisations; members that are defined outside. */
template <class T, int N> struct Scale {
	__host__ __device__ static int by(int x);
};
template <class T, int N> int Scale<T, N>::by(int x)
{
	return x * N;
}
template <class T> struct Scale<T, 0> {
	__host__ __device__ int less(int x) const;
};
template <class T> int Scale<T, 0>::less(int x) const
{
	return x + (int)sizeof(T) - 4;
}
template <class T, class U> struct Pick {
	static __device__ int which()
	{
		return 1;
	}
};
template <class T> struct Pick<T *, T> {
	__device__ static int which();
};
template <class T> int Pick<T *, T>::which()
{
	return 3;
}
template <int N> __global__ void specialised(int *o)
{
	o[0] = Scale<int, N>::by(7);
	o[1] = Scale<int, 2>::by(o[0]);
	o[2] = Scale<double, 0>().less(17);
	o[3] = Pick<int *, int>::which();
}

/* Shared memory of a template's type, and of another. */
template <class T> struct alignas(16) Slot {
	T v[3];
	__device__ T sum() const
	{
		return v[0] + v[1] + v[2];
	}
};
template <class T> struct Shared {
	__device__ static Slot<T> *get()
	{
		extern __shared__ Slot<T> slots[];
		return slots;
	}
};
template <class T> __global__ void sums(int *o)
{
	Slot<T> *s = Shared<T>::get();
	for (int i = 0; i < 3; i++)
		s[threadIdx.x].v[i] = threadIdx.x;
	__syncthreads();
	T total = 0;
	for (int i = 0; i < blockDim.x; i++)
		total += s[i].sum();
	*o = (int)total;
}

/* Bounds by macros, on one declaration, before __global__. */
#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define KERNEL(n) __global__ void BOUNDS(n)
KERNEL(64 * 2) bound_here(int *o)
{
	o[0] = blockDim.x;
}
template <int T> BOUNDS(T, 1) __global__ void bound_by(int *o)
{
	o[1] = blockDim.x;
}
__global__ void __launch_bounds__(64, 2) bound_before(int *);
__global__ void bound_before(int *o)
{
	o[2] = blockDim.x;
}

/* Constant parameters that are named by address. */
struct Large {
	int v[8];
};
__device__ __noinline__ int at(const Large *from, int i)
{
	return from->v[i];
}
template <class T> __global__ void constant(const __grid_constant__ T from, int *o)
{
	int s = 0;
	for (int i = 0; i < 8; i++)
		s += at(&from, i);
	*o = s;
}
__global__ void declared(const __grid_constant__ Large from, int *o);
__global__ void declared(const __grid_constant__ Large from, int *o)
{
	o[1] = *(from.v + 7);
}

/* Concepts, constexpr functions of the host's library, comparisons. */
template <class F>
concept Callable = std::invocable<F, int> && std::same_as < std::invoke_result_t<F, int>,
int > ;
template <Callable F> __global__ void calls(F f, int *o)
{
	o[0] = f(21);
}
template <class T>
requires std::integral<T> __global__ void ranged(T *o)
{
	constexpr std::array<T, 3> some{1, 2, 3};
	o[1] = 0;
	for (auto x : some)
		o[1] += x;
	std::span<const T> view(some);
	o[2] = (int)view.size();
}
struct Ordered {
	int a, b;
	auto operator<=>(const Ordered &) const = default;
};
__global__ void ordered(int *o)
{
	auto ten = []<typename T>(T x) { return x * 10; };
	o[3] = Ordered{1, 2} < Ordered{1, 3} ? ten(1) : 0;
}

/* Objects of the device in initialisers of the host's. */
__device__ int symbol = 11;
__constant__ int constant_symbol = 1;
__global__ void set(int *p, int v)
{
	*p = v;
}
static int *address = [] {
	void *p = nullptr;
	cudaGetSymbolAddress(&p, symbol);
	return (int *)p;
}();
struct Buffer {
	int *p;
	Buffer()
	{
		cudaMalloc(&p, 4);
		set<<<1, 1>>>(p, 77);
	}
	int get() const
	{
		int h = 0;
		cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
		return h;
	}
};
static Buffer buffer;
static std::vector<Buffer> several(2);
inline int copied = [] {
	int h = 0;
	cudaMemcpyFromSymbol(&h, constant_symbol, 4);
	return h;
}();

/* Lanes without a value. */
__device__ void deposit(int n, int *c)
{
	atomicAdd(c, n);
}
__global__ void lanes(int *c)
{
	int lane = threadIdx.x, first, found, chosen;
	if (lane & 1) {
		int mask = __activemask(), leader = __ffs(mask) - 1, r;
		if (lane == leader)
			r = atomicAdd(c, __popc(mask));
		__shfl_sync(mask, r, leader);
	}
	if (lane < 16)
		first = 1;
	if (lane < 16)
		deposit(first, c + 1);
	bool has = false;
	for (int i = 0; i < 4; i++)
		if (i == lane)
			found = i, has = true;
	if (has && found >= 0)
		atomicAdd(c + 2, 8);
	switch (lane) {
	case 0:
		chosen = 5;
		break;
	case 1:
		chosen = 6;
	}
	if (__shfl_sync(~0u, chosen, 0) == 5)
		atomicAdd(c + 3, 1);
}

/* Braces and macros in launches. */
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define GRID                                                                                       \
	{                                                                                          \
		1u, 1u, 1u                                                                         \
	}
template <class T> void launch(T *o, cudaStream_t s)
{
	set<<<{1, 1}, {1, 1, 1}, 0, s>>>(o + 1, 4);
	set<<<GRID, {sizeof(T) / 4}>>>(o + 2, 5);
}

/* Operands that are not evaluated. */
int of_host(int);
struct HostType {
	HostType();
	~HostType();
	int size() const;
};
template <class T, class = decltype(std::declval<T>().size())> __device__ int has_size(int)
{
	return 1;
}
template <class T> __device__ int has_size(...)
{
	return 0;
}
__global__ void unevaluated(int *o)
{
	o[0] = has_size<HostType>(0);
	o[1] = sizeof(of_host(1)) + sizeof(decltype(HostType().size())) +
	       (noexcept(of_host(2)) ? 0 : 2);
	o[2] = has_size<int>(0);
}

/* Operators, literals, inherited constructors, virtual functions, pointers to members. */
struct Value {
	int x;
	__host__ __device__ Value(int);
	__host__ __device__ friend Value operator+(const Value &, const Value &);
	__host__ __device__ operator int() const;
	__host__ __device__ Value &operator++();
	__device__ virtual int get() const
	{
		return x;
	}
	__device__ int plus(int y) const
	{
		return x + y;
	}
};
Value::Value(int a) : x(a)
{
}
Value operator+(const Value &a, const Value &b)
{
	return Value(a.x + b.x);
}
Value::operator int() const
{
	return x;
}
Value &Value::operator++()
{
	++x;
	return *this;
}
struct More : Value {
	using Value::Value;
	__device__ int get() const override
	{
		return x + 2;
	}
};
__host__ __device__ Value operator""_v(unsigned long long);
Value operator""_v(unsigned long long n)
{
	return Value((int)n);
}
__global__ void operators(int *o)
{
	Value a(1), b = a + 1_v;
	o[0] = b;
	o[1] = ++b;
	alignas(More) char memory[sizeof(More)];
	Value *more = new (memory) More(3);
	o[2] = more->get();
	int (Value::*member)(int) const = &Value::plus;
	o[3] = (more->*member)(-2);
}

int main()
{
	Large large;
	int h = 0, c = 2;
	for (int i = 0; i < 8; i++)
		large.v[i] = i;
	cudaMalloc(&results, 32);
	cudaMemset(results, 0, 32);
	specialised<1><<<1, 1>>>(results);
	show("specialised", 4);
	sums<float><<<1, 8, 8 * sizeof(Slot<float>)>>>(results);
	show("shared", 1);
	bound_here<<<1, 128>>>(results);
	bound_by<512><<<1, 512>>>(results);
	bound_before<<<1, 64>>>(results);
	show("bounds", 3);
	constant<Large><<<1, 1>>>(large, results);
	declared<<<1, 1>>>(large, results);
	show("constant", 2);
	calls<<<1, 1>>>([=] __device__(int x) { return x * c; }, results);
	ranged<<<1, 1>>>(results);
	ordered<<<1, 1>>>(results);
	show("concepts", 4);
	cudaMemcpy(&h, address, 4, cudaMemcpyDeviceToHost);
	static Buffer late;
	printf("initialisers %d %d %d %d %d\n", h, copied, buffer.get(), several[1].get(),
	       late.get());
	cudaMemset(results, 0, 32);
	lanes<<<1, 32>>>(results);
	show("lanes", 4);
	LAUNCH(set, 1, (dim3{1, 1}), results, 3);
	launch(results, 0);
	show("launches", 3);
	unevaluated<<<1, 1>>>(results);
	show("unevaluated", 3);
	operators<<<1, 1>>>(results);
	show("operators", 4);
	printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers of host variables that call functions for devices: nvcc's host program has constexpr
 * ones, the members of constructors without their bodies, and ends with 1 at others (ENDS). */
#include <cstdio>

__device__ int of_device(int x)
{
	return x;
}
__device__ constexpr int triple(int x)
{
	return x > 100 ? of_device(x) : x * 3;
}
template <int N> __device__ constexpr int twice()
{
	return N * 2;
}
constexpr int known = triple(4);
int bound[triple(2)];
int at = 5;
int computed = triple(at), from_it = computed + 1;
static int of_unit = triple(6);
inline int in_line = triple(7);
int in_parentheses(triple(8)), in_braces{triple(9)};
long converted = triple(10);
int made = twice<8>();
struct Members {
	static int outside;
	static inline int inside = triple(11);
	static constexpr int constant = triple(12);
};
int Members::outside = triple(13);
namespace named
{
int here = triple(14);
const int constant = triple(15);
int after = here + constant;
} // namespace named
template <class T> struct Of {
	static int outside;
	static const int constant;
	static inline T inside = triple(sizeof(T));
};
template <class T> int Of<T>::outside = triple(16);
template <class T> const int Of<T>::constant = triple(17);
template <class T> constexpr int of_type = triple(sizeof(T));

struct Built { /* its members, not the body */
	int v, w = triple(1);
	__device__ Built(int x) : v(x)
	{
		v = 99;
	}
	__device__ constexpr Built(int x, int y) : v(x + y)
	{
	}
	__device__ ~Built()
	{
		printf("gone\n");
	}
	__device__ constexpr int sum() const
	{
		return v + w;
	}
};
struct Holder {
	int held;
	__device__ Holder();
};
__device__ Holder::Holder() : held(triple(18))
{
	held = 99;
}
struct Around {
	Holder in;
	Holder many[2];
};
Built built(3), constant(4, 5);
Around around;
int sum = constant.sum();

#ifdef ENDS
struct Called {
	__device__ int operator()(int x) const
	{
		return x;
	}
};
template <class T> __device__ T as_is(T x)
{
	return x;
}
int ends = ENDS;
#endif

#ifdef __CUDACC_RELAXED_CONSTEXPR__
static int relaxed(int x)
{
	constexpr int here = triple(2);
	int bounded[triple(1)];
	static int kept = triple(3);

	return triple(x) + here + kept + (int)(sizeof bounded / sizeof *bounded);
}
#endif

__global__ void k(int *p)
{
	*p = known + triple(*p);
}

int main()
{
	int *p, h = 2;

	printf("initialised %d %zu %d %d %d %d %d %d %ld %d\n", known, sizeof bound / sizeof *bound,
	       computed, from_it, of_unit, in_line, in_parentheses, in_braces, converted, made);
	printf("members %d %d %d %d %d %d %d %d %d %d\n", Members::outside, Members::inside,
	       Members::constant, named::here, named::constant, named::after, Of<int>::outside,
	       Of<int>::constant, (int)Of<short>::inside, of_type<double>);
	printf("built %d %d %d %d %d %d\n", built.v, built.w, constant.v, sum, around.in.held,
	       around.many[1].held);
#ifdef __CUDACC_RELAXED_CONSTEXPR__
	printf("relaxed %d\n", relaxed(at));
#endif
	if (cudaMalloc(&p, sizeof h) == cudaSuccess) {
		cudaMemcpy(p, &h, sizeof h, cudaMemcpyDefault);
		k<<<1, 1>>>(p);
		cudaMemcpy(&h, p, sizeof h, cudaMemcpyDefault);
		printf("device %d\n", h);
	}
	return 0;
}

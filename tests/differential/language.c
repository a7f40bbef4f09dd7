/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets of the language: who may be called where, and what of a program is only looked at. */
#include "tests/differential/program.h"

/* `@0` is the attribute of the first declaration, `@1` of the second; e$ is called by a kernel. */
static const char *const declarations[] = {
    "@0 int f$(int);\n@1 int f$(int w)\n{\n\treturn w + 1;\n}\n@2 int e$(int w)\n{\n\treturn "
    "f$(w);\n}\n",
    "struct S$ {\n\t@0 int g(int) const;\n};\n@1 int S$::g(int w) const\n{\n\treturn w + 1;\n}\n@2 "
    "int e$(int w)\n{\n\treturn S$().g(w);\n}\n",
    "struct S$ {\n\tint v;\n\t@0 S$(int);\n};\n@1 S$::S$(int w) : v(w + 1)\n{\n}\n@2 int e$(int "
    "w)\n{\n\treturn S$(w).v;\n}\n",
    "struct S$ {\n\tint v;\n};\n@0 S$ operator+(S$, S$);\n@1 S$ operator+(S$ a, S$ b)\n{\n\treturn "
    "{a.v + b.v};\n}\n@2 int e$(int w)\n{\n\treturn (S${w} + S${1}).v;\n}\n",
    "struct S$ {\n\tint v;\n\t@0 friend int f$(S$);\n};\n@1 int f$(S$ s)\n{\n\treturn s.v + "
    "1;\n}\n@2 int e$(int w)\n{\n\treturn f$(S${w});\n}\n",
    "template <class T> @0 T f$(T);\ntemplate <class T> @1 T f$(T w)\n{\n\treturn w + 1;\n}\n@2 "
    "int e$(int w)\n{\n\treturn f$(w);\n}\n",
    "template <class T> struct S$ {\n\t@0 T g(T) const;\n};\ntemplate <class T> @1 T S$<T>::g(T w) "
    "const\n{\n\treturn w + 1;\n}\n@2 int e$(int w)\n{\n\treturn S$<int>().g(w);\n}\n",
    "template <class T> @2 T f$(T w)\n{\n\treturn w - 1;\n}\ntemplate <> @0 int f$(int);\ntemplate "
    "<> @1 int f$(int w)\n{\n\treturn w + 1;\n}\n@2 int e$(int w)\n{\n\treturn f$(w);\n}\n",
    "struct S$ {\n\tint v;\n\ttemplate <class T> @0 S$(T);\n};\ntemplate <class T> @1 S$::S$(T w) "
    ": v(int(w + 1))\n{\n}\n@2 int e$(int w)\n{\n\treturn S$(w).v;\n}\n",
    "struct S$ {\n\tint v;\n\t@0 operator int() const;\n\t@0 int operator()(int) const;\n};\n@1 "
    "S$::operator int() const\n{\n\treturn v;\n}\n@1 int S$::operator()(int w) const\n{\n\treturn "
    "v + w;\n}\n@2 int e$(int w)\n{\n\tS$ s{1};\n\treturn s(w) + s - 1;\n}\n",
    "struct S$ {\n\tstatic @0 int g(int);\n\tvirtual @0 int h(int);\n};\n@1 int S$::g(int "
    "w)\n{\n\treturn w;\n}\n@1 int S$::h(int w)\n{\n\treturn w + 1;\n}\n@2 int e$(int w)\n{\n\tS$ "
    "s;\n\treturn s.h(S$::g(w));\n}\n",
    "namespace n$ {\n@0 int f(int);\n}\n@1 int n$::f(int w)\n{\n\treturn w + 1;\n}\n@2 int e$(int "
    "w)\n{\n\tusing n$::f;\n\treturn f(w);\n}\n",
    "namespace n$ {\ninline namespace v {\n@0 inline int f(int);\n}\n}\n@1 inline int n$::v::f(int "
    "w)\n{\n\treturn w + 1;\n}\n@2 int e$(int w)\n{\n\treturn n$::f(w);\n}\n",
    "@0 int f$(int, int = 1);\n@1 int f$(int w, int v)\n{\n\treturn w + v;\n}\n@2 int e$(int "
    "w)\n{\n\treturn f$(w);\n}\n",
    "extern \"C\" @0 int f$(int);\nextern \"C\" @1 int f$(int w)\n{\n\treturn w + 1;\n}\n@2 int "
    "e$(int w)\n{\n\treturn f$(w);\n}\n",
    "struct S$ {\n\tint v;\n\t@0 S$ &operator+=(int);\n};\n@1 S$ &S$::operator+=(int w)\n{\n\tv += "
    "w;\n\treturn *this;\n}\n@2 int e$(int w)\n{\n\tS$ s{1};\n\treturn (s += w).v;\n}\n",
    "struct A$ {\n\tstruct B {\n\t\t@0 int g(int);\n\t};\n};\n@1 int A$::B::g(int w)\n{\n\treturn "
    "w + 1;\n}\n@2 int e$(int w)\n{\n\treturn A$::B().g(w);\n}\n",
    "template <int N> struct S$ {\n\tint v;\n\t@0 S$(int);\n\t@0 ~S$();\n};\ntemplate <int N> @1 "
    "S$<N>::S$(int w) : v(w + N)\n{\n}\ntemplate <int N> @1 S$<N>::~S$()\n{\n}\n@2 int e$(int "
    "w)\n{\n\treturn S$<1>(w).v;\n}\n",
    "template <class T> struct S$ {\n\tint g(T) const;\n};\ntemplate <> @0 int S$<int>::g(int) "
    "const;\ntemplate <> @1 int S$<int>::g(int w) const\n{\n\treturn w + 1;\n}\n@2 int e$(int "
    "w)\n{\n\treturn S$<int>().g(w);\n}\n",
    "@0 constexpr int f$(int);\n@1 constexpr int f$(int w)\n{\n\treturn w + 1;\n}\n@2 int e$(int "
    "w)\n{\n\treturn f$(w);\n}\n",
    "@0 auto f$(int) -> int;\n@1 auto f$(int w) -> int\n{\n\treturn w + 1;\n}\n@2 int e$(int "
    "w)\n{\n\tint (*p)(int) = f$;\n\treturn p(w);\n}\n",
};

static void call_by_kernel(struct snippet *s)
{
	TOP(s, "__global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] = "
	       "(u64)e$((int)threadIdx.x);\n}\n");
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	expect_series(s, 0, 1, 1);
}

void make_declare(struct snippet *s)
{
	struct random *random = &s->random;
	const char *attribute = WORD(random, "__device__", "__host__ __device__");
	const char *second = random_chance(random, 70)   ? ""
			     : random_chance(random, 50) ? attribute
							 : "/* */";

	TOP_OF(s, declarations[random_below(random, sizeof(declarations) / sizeof(*declarations))],
	       attribute, second, random_chance(random, 50) ? "__device__" : attribute);
	if (random_chance(random, 20)) { /* a kernel that was declared before */
		TOP(s, "__global__ void k$(u64 *o, const u64 *in);\nextern __global__ void k$(u64 "
		       "*o, const u64 *in)\n{\n"
		       "\to[threadIdx.x] = (u64)e$((int)threadIdx.x);\n}\n");
		RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
		expect_series(s, 0, 1, 1);
	} else {
		call_by_kernel(s);
	}
}

/* Functions of the host are named, not called. */
static const char *const unevaluated[] = {
    "int h$(int);\n__device__ int e$(int w)\n{\n\tdecltype(h$(0)) r = w + 1;\n\treturn r;\n}\n",
    "int h$(int);\n__device__ int e$(int w)\n{\n\treturn w + (int)sizeof(h$(w)) - 3;\n}\n",
    "int h$(int);\n__device__ int e$(int w)\n{\n\treturn w + (noexcept(h$(w)) ? 0 : 1);\n}\n",
    "struct S$ {\n\tint v;\n\tint host(int);\n};\n__device__ auto e$(int w) -> "
    "decltype(std::declval<S$>().host(1))\n{\n\treturn w + 1;\n}\n",
    "template <class F, class T> __device__ auto f$(F, T w) -> "
    "decltype(std::declval<F>()(w))\n{\n\treturn w + 1;\n}\n"
    "struct S$ {\n\tint operator()(int);\n};\n__device__ int e$(int w)\n{\n\treturn f$(S$(), "
    "w);\n}\n",
    "template <class T, class = decltype(std::declval<T>() + std::declval<T>())> __device__ T f$(T "
    "w)\n{\n\treturn w + 1;\n}\n"
    "__device__ int e$(int w)\n{\n\treturn f$(w);\n}\n",
    "struct S$ {\n\t__device__ int operator()(int w) const\n\t{\n\t\treturn w + 1;\n\t}\n};\n"
    "static_assert(std::is_same<decltype(S$()(1)), int>::value, \"\");\n__device__ int e$(int "
    "w)\n{\n\treturn S$()(w);\n}\n",
    "template <class F, class R = decltype(std::declval<F>()(1))> struct T$ {\n\tF f;\n};\nstruct "
    "S$ {\n\t__device__ int operator()(int w) const\n"
    "\t{\n\t\treturn w + 1;\n\t}\n};\nT$<S$> t$;\n__device__ int e$(int w)\n{\n\tT$<S$> "
    "t;\n\treturn t.f(w);\n}\n",
    "template <class F> struct T$ {\n\ttemplate <class G> static auto test(int) -> "
    "decltype(std::declval<G>()(1), std::true_type());\n"
    "\ttemplate <class> static std::false_type test(...);\n\tstatic constexpr bool value = "
    "decltype(test<F>(0))::value;\n};\n"
    "struct S$ {\n\t__device__ int operator()(int) const;\n};\nstatic_assert(T$<S$>::value, "
    "\"\");\n"
    "__device__ int e$(int w)\n{\n\treturn w + (T$<S$>::value ? 1 : 0);\n}\n",
    "int h$(double);\nusing R$ = decltype(h$(1.));\n__host__ __device__ R$ e$(R$ w)\n{\n\treturn w "
    "+ R$(1);\n}\n",
    "struct S$ {\n\tS$(int);\n\tint v;\n};\n__device__ int e$(int w)\n{\n\treturn w + "
    "(std::is_constructible<S$, int>::value ? 1 : 0);\n}\n",
    "struct S$ {\n\t~S$();\n\tint v;\n};\n__device__ int e$(int w)\n{\n\treturn w + "
    "(std::is_trivially_destructible<S$>::value ? 0 : 1);\n}\n",
    "static int h$()\n{\n\treturn 4;\n}\n__device__ int e$(int w)\n{\n\treturn w + "
    "(sizeof(decltype(&h$)) == 8);\n}\n",
    "template <class T> auto h$(T v) -> decltype(v.go());\nint h$(...);\n__device__ int e$(int "
    "w)\n{\n\tusing R = decltype(h$(w));\n\treturn R(w + 1);\n}\n",
    "template <class T> __device__ std::enable_if_t<std::is_convertible<T, long>::value, int> e$(T "
    "w)\n{\n\treturn w + 1;\n}\n",
    "template <class T> constexpr bool is$ = std::is_invocable_v<T, int>;\nstruct S$ {\n\tint "
    "operator()(int);\n};\n"
    "__device__ int e$(int w)\n{\n\treturn w + (is$<S$> ? 1 : 0);\n}\n",
    "template <class T, class U> concept c$ = requires(T t, U u) { t.host(u); };\nstruct S$ "
    "{\n\tint host(int);\n};\n"
    "template <c$<int> T> __device__ int f$(int w)\n{\n\treturn w + 1;\n}\n__device__ int e$(int "
    "w)\n{\n\treturn f$<S$>(w);\n}\n",
    "template <class T, std::convertible_to<T> U> __device__ T f$(U w)\n{\n\treturn w + "
    "1;\n}\n__device__ int e$(int w)\n{\n\treturn f$<int>(w);\n}\n",
};

void make_unevaluated(struct snippet *s)
{
	unsigned late = s->program->standard >= 20 ? 0 : s->program->standard >= 17 ? 2 : 3;

	TOP(s, unevaluated[random_below(&s->random,
					sizeof(unevaluated) / sizeof(*unevaluated) - late)]);
	call_by_kernel(s);
}

/* No kernel gets there: what such a function calls may be missing, or be the host's. */
static const char *const unreached[] = {
    "__device__ void d$(void *p)\n{\n\tfree(p);\n}\n",
    "__device__ int missing$(int);\n__device__ int d$(int w)\n{\n\treturn missing$(w);\n}\n",
    "struct S$ {\n\t__device__ int missing(int);\n\t__device__ int g(int w)\n\t{\n\t\treturn "
    "missing(w);\n\t}\n};\n",
    "static void h$()\n{\n}\n__host__ __device__ inline void d$()\n{\n\th$();\n}\n",
    "static int h$()\n{\n\treturn 1;\n}\ntemplate <class T> __host__ __device__ T d$(T "
    "w)\n{\n\treturn w + h$();\n}\nstatic int use$ = d$(1);\n",
    "#ifdef __CUDA_ARCH__\ntemplate <class T> __device__ inline void add$(T &a, T "
    "b)\n{\n\tatomicAdd(&a, b);\n}\n#else\n"
    "template <class T> inline void add$(T &a, T b)\n{\n\ta += b;\n}\n#endif\nvoid s$_host(int "
    "&x)\n{\n\tadd$(x, 1);\n}\n",
    "#ifndef __CUDA_ARCH__\nstatic int only$()\n{\n\treturn 1;\n}\nint s$_host()\n{\n\treturn "
    "only$();\n}\n#endif\n",
    "int s$_host()\n{\n#ifdef __CUDA_ARCH__\n\treturn nowhere$();\n#else\n\treturn 1;\n#endif\n}\n",
    "struct S$ {\n\tint *p;\n\t__host__ __device__ S$() : p(nullptr)\n\t{\n\t}\n\t__host__ "
    "__device__ ~S$()\n\t{\n#ifndef __CUDA_ARCH__\n"
    "\t\tfree(p);\n#endif\n\t}\n};\n",
    "template <class T> __global__ void never$(T *p)\n{\n\tp->nothing();\n}\n",
    "static __device__ int unused$(int w)\n{\n\treturn w;\n}\n__device__ int (*const "
    "table$[])(int) = {unused$};\n",
    "__host__ __device__ void s$_both(const char *w)\n{\n\tprintf(\"%s\", w);\n}\n",
    "constexpr int h$(int w)\n{\n\treturn w + 1;\n}\n__device__ constexpr int c$ = h$(4);\n",
    "struct S$ {\n\tint v = 1;\n\tS$() = default;\n\tS$(const S$ &) = default;\n};\n__device__ S$ "
    "d$(S$ w)\n{\n\tS$ r(w);\n\treturn r;\n}\n",
    "struct S$ {\n\tvirtual ~S$() = default;\n\t__host__ __device__ virtual int g() = "
    "0;\n};\nstruct T$ : S$ {\n\t__host__ __device__ int g() override\n"
    "\t{\n\t\treturn 2;\n\t}\n};\n",
};

void make_unreached(struct snippet *s)
{
	TOP(s, unreached[random_below(&s->random, sizeof(unreached) / sizeof(*unreached))]);
	TOP(s, "__device__ int e$(int w)\n{\n\treturn w + 1;\n}\n");
	call_by_kernel(s);
}

/* Programs are written with these; each has e$ that adds 1. Those of C++17 and of C++20 come
 * last. */
static const char *const shapes[] = {
    "struct A$ {\n\tint v;\n\t__device__ virtual int g(int w)\n\t{\n\t\treturn w;\n\t}\n};\nstruct "
    "B$ : A$ {\n\t__device__ int g(int w) override\n\t{\n\t\treturn w + v;\n\t}\n};\n__device__ "
    "int e$(int w)\n{\n\tB$ b;\n\tA$ *p = &b;\n\tb.v = 1;\n\treturn p->g(w);\n}\n",
    "static __device__ int p$(int w)\n{\n\treturn w + 1;\n}\nstatic __device__ int q$(int "
    "w)\n{\n\treturn w - 1;\n}\n__device__ int e$(int w)\n{\n\tint (*t[2])(int) = {q$, "
    "p$};\n\treturn t[w >= 0](w);\n}\n",
    "struct S$ {\n\tunsigned a : 5, b : 11;\n\tint c : 7;\n\tlong long d : 41;\n};\n__device__ int "
    "e$(int w)\n{\n\tS$ s;\n\ts.a = w;\n\ts.b = w * 3;\n\ts.c = -w;\n\ts.d = (1ll << 39) + "
    "w;\n\treturn s.a + (s.b - 3 * w) + s.c + w + int(s.d >> 39);\n}\n",
    "union U$ {\n\tfloat f;\n\tunsigned u;\n\tunsigned char c[4];\n};\n__device__ int e$(int "
    "w)\n{\n\tU$ x;\n\tx.f = 1.f;\n\treturn w + (x.c[3] == 0x3f && x.u == 0x3f800000);\n}\n",
    "struct __attribute__((packed)) S$ {\n\tchar a;\n\tint b;\n\tshort c;\n\tlong long "
    "d;\n};\n__device__ int e$(int w)\n{\n\tS$ s[2];\n\ts[1].b = w;\n\ts[1].d = 1;\n\treturn "
    "s[1].b + int(s[1].d) + (sizeof(S$) == 15 ? 0 : 1);\n}\n",
    "struct S$ {\n\tint a;\n\tfloat b;\n\tchar c[3];\n};\n__constant__ S$ c$[3] = {{1, 2.f, "
    "\"x\"}, {4, 5.f, {1, 2, 3}}, {}};\n__device__ int e$(int w)\n{\n\treturn w + c$[w % 2].a - 3 "
    "* (w % 2);\n}\n",
    "__device__ int e$(int w)\n{\n\tunsigned __int128 x = ((unsigned __int128)1 << 100) + w;\n\tx "
    "= x * 3 / 3;\n\treturn int(x) + int(x >> 100);\n}\n",
    "__device__ int e$(int w)\n{\n\tint r;\n\tasm(\"add.s32 %0, %1, %2;\" : \"=r\"(r) : \"r\"(w), "
    "\"n\"(1));\n\treturn r;\n}\n",
    "__device__ int e$(int w)\n{\n\tlong long r = w;\n\tasm(\"{ .reg .pred p; setp.ge.s64 p, %0, "
    "0; @p add.s64 %0, %0, 1; }\" : \"+l\"(r));\n\treturn (int)r;\n}\n",
    "struct M$ {\n\tint v;\n\t__device__ M$(int v) : v(v)\n\t{\n\t}\n\t__device__ M$(M$ &&m) : "
    "v(m.v)\n\t{\n\t\tm.v = 0;\n\t}\n\tM$(const M$ &) = delete;\n};\n__device__ int e$(int "
    "w)\n{\n\tM$ m(1);\n\tauto f = [x = static_cast<M$ &&>(m)](int w) { return w + x.v; "
    "};\n\treturn f(w) + m.v;\n}\n",
    "static __device__ int r$(int n)\n{\n\treturn n <= 0 ? 1 : r$(n - 1) + 1;\n}\n__device__ int "
    "e$(int w)\n{\n\treturn r$(w);\n}\n",
    "struct S$ {\n\tint a, b;\n\t__device__ int g(int w)\n\t{\n\t\treturn w + "
    "b;\n\t}\n};\n__device__ int e$(int w)\n{\n\tint (S$::*p)(int) = &S$::g;\n\tint S$::*q = "
    "&S$::b;\n\tS$ s{};\n\ts.*q = 1;\n\treturn (s.*p)(w);\n}\n",
    "template <class... A> __device__ int s$(A... a)\n{\n\tint r = 0, x[] = {(r += "
    "a)...};\n\treturn x[sizeof...(a) - 1];\n}\n__device__ int e$(int w)\n{\n\treturn s$(w, "
    "(short)3, -2ll);\n}\n",
    "__device__ int e$(int w)\n{\n\tlong double x = w;\n\treturn int(x + 1);\n}\n",
    "__device__ int e$(int w)\n{\n\tstatic const int t[4] = {1, 2, 3, 4};\n\treturn w + t[w % 4] - "
    "w % 4;\n}\n",
    "template <class T> struct C$ {\n\t__device__ int go(int w)\n\t{\n\t\treturn static_cast<T "
    "*>(this)->step(w);\n\t}\n};\nstruct D$ : C$<D$> {\n\t__device__ int step(int "
    "w)\n\t{\n\t\treturn w + 1;\n\t}\n};\n__device__ int e$(int w)\n{\n\treturn D$().go(w);\n}\n",
    "enum class E$ : unsigned char { a, b = 200 };\n__device__ int e$(int w)\n{\n\tE$ x = w < 0 ? "
    "E$::a : E$::b;\n\tswitch (x) {\n\tcase E$::b:\n\t\treturn w + 1;\n\tdefault:\n\t\treturn "
    "0;\n\t}\n}\n",
    "template <class T> __device__ int c$(T w)\n{\n\tif constexpr (sizeof(T) == 4)\n\t\treturn w + "
    "1;\n\telse\n\t\treturn w.missing();\n}\n__device__ int e$(int w)\n{\n\treturn c$(w);\n}\n",
    "struct S$ {\n\tint a;\n\tshort b;\n};\n__device__ int e$(int w)\n{\n\tauto [a, b] = S${w, "
    "1};\n\treturn a + b;\n}\n",
    "template <class T> struct D$ {\n\tT v;\n\t__device__ D$(T v) : v(v)\n\t{\n\t}\n};\n__device__ "
    "int e$(int w)\n{\n\tD$ d(w + 1);\n\tconstexpr auto f = [](int a) { return a; };\n\treturn "
    "f(d.v);\n}\n",
    "template <class... A> __device__ auto s$(A... a)\n{\n\treturn (a + ... + 0);\n}\n__device__ "
    "int e$(int w)\n{\n\tif (int two = 2; w >= 0)\n\t\treturn s$(w, two, -1);\n\treturn 0;\n}\n",
    "template <class T>\n\trequires(sizeof(T) == 4)\n__device__ T c$(T w)\n{\n\treturn w + "
    "1;\n}\n__device__ int e$(int w)\n{\n\treturn c$(w);\n}\n",
    "struct S$ {\n\tint a, b = 1;\n};\n__device__ int e$(int w)\n{\n\tS$ s{.a = w};\n\treturn s.a "
    "+ s.b;\n}\n",
    "__device__ int e$(int w)\n{\n\tauto f = []<class T>(T v) { return v + T(1); };\n\treturn "
    "f(w);\n}\n",
    "enum class E$ { one = 1 };\n__device__ int e$(int w)\n{\n\tusing enum E$;\n\tif (w >= 0) "
    "[[likely]]\n\t\treturn w + int(one);\n\treturn 0;\n}\n",
};

void make_shape(struct snippet *s)
{
	unsigned late = s->program->standard >= 20 ? 0 : s->program->standard >= 17 ? 4 : 8;

	TOP(s, shapes[random_below(&s->random, sizeof(shapes) / sizeof(*shapes) - late)]);
	call_by_kernel(s);
}

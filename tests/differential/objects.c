/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets of variables: in which memory, of which type, when they are there, how they are passed.
 */
#include "tests/differential/program.h"
#include <string.h>

/* Types of any shape; `@0` is one, made from a number w and looked at as one. */
static const struct {
	const char *words; /* the type T$, at$(T$ &, w) sets it, of$(T$ &) gives w back */
} shapes[] = {
    {"typedef int T$;\n#define MADE$(t, w) t = (w)\n#define OF$(t) (t)\n"},
    {"typedef double T$;\n#define MADE$(t, w) t = (w)\n#define OF$(t) (t)\n"},
    {"struct T$ {\n\tint n;\n\tfloat v[7];\n};\n#define MADE$(t, w) t.n = (w)\n#define OF$(t) "
     "(t.n)\n"},
    {"struct alignas(16) T$ {\n\tint4 q[2];\n};\n#define MADE$(t, w) t.q[1].z = (w)\n#define "
     "OF$(t) (t.q[1].z)\n"},
    {"struct T$ {\n\tchar c[3];\n};\n#define MADE$(t, w) t.c[2] = (char)(w)\n#define OF$(t) "
     "(t.c[2])\n"},
    {"struct T$ {\n\tchar c;\n\tlong long l;\n\tshort s;\n};\n#define MADE$(t, w) t.s = "
     "(short)(w)\n#define OF$(t) (t.s)\n"},
    {"struct alignas(64) T$ {\n\tunsigned char c;\n};\n#define MADE$(t, w) t.c = (unsigned "
     "char)(w)\n#define OF$(t) (t.c)\n"},
    {"union T$ {\n\tfloat f;\n\tunsigned u[5];\n};\n#define MADE$(t, w) t.u[3] = (w)\n#define "
     "OF$(t) (t.u[3])\n"},
    {"struct T$ {\n\tunsigned a : 3, b : 13;\n\tunsigned long long c : 40;\n};\n#define MADE$(t, "
     "w) t.c = (w)\n#define OF$(t) (t.c)\n"},
    {"typedef short T$;\n#define MADE$(t, w) t = (short)(w)\n#define OF$(t) (t)\n"},
    {"typedef float4 T$;\n#define MADE$(t, w) t.y = (w)\n#define OF$(t) (t.y)\n"},
    {"typedef uchar3 T$;\n#define MADE$(t, w) t.z = (w)\n#define OF$(t) (t.z)\n"},
    {"struct B$ {\n\tint b;\n};\nstruct T$ : B$ {\n\tdouble d;\n};\n#define MADE$(t, w) t.b = "
     "(w)\n#define OF$(t) (t.b)\n"},
    {"struct __align__(8) T$ {\n\tfloat x, y, z;\n};\n#define MADE$(t, w) t.z = (w)\n#define "
     "OF$(t) (t.z)\n"},
    {"template <class U, int N> struct A$ {\n\tU u[N];\n};\ntypedef A$<unsigned short, 5> "
     "T$;\n#define MADE$(t, w) t.u[4] = (w)\n#define OF$(t) (t.u[4])\n"},
    {"struct __attribute__((packed)) T$ {\n\tchar c;\n\tint i;\n\tshort s;\n};\n#define MADE$(t, "
     "w) t.i = (w)\n#define OF$(t) (t.i)\n"},
    {"enum class T$ : unsigned char { none };\n#define MADE$(t, w) t = (T$)(w)\n#define OF$(t) "
     "((u64)(t))\n"},
};

static void top_shape(struct snippet *s)
{
	TOP(s, shapes[random_below(&s->random, sizeof(shapes) / sizeof(*shapes))].words);
}

/* Shared memory has its size only when launched. */
void make_shared(struct snippet *s)
{
	static const char *const forms[] = {
	    "extern __shared__ T$ x$[];\n#define AT$ x$[lane]\n#define N$ 32\n",
	    "extern __shared__ __align__(128) unsigned char x$[];\n#define AT$ reinterpret_cast<T$ "
	    "*>(x$)[lane]\n#define N$ 32\n",
	    "template <class T> __device__ T *get$()\n{\n\textern __shared__ double2 "
	    "dynamic$[];\n\treturn reinterpret_cast<T *>(dynamic$);\n}\n"
	    "#define AT$ get$<T$>()[lane]\n#define N$ 32\n",
	    "#define AT$ x$[lane]\n#define LOCAL$ __shared__ T$ x$[32]\n#define N$ 0\n",
	    "#define AT$ x$[lane / 8][lane % 8]\n#define LOCAL$ __shared__ T$ x$[4][8]\n#define N$ "
	    "0\n",
	    "#define AT$ x$[lane]\n#define LOCAL$ extern __shared__ T$ x$[]\n#define N$ 32\n",
	    "static __shared__ T$ x$[32];\n#define AT$ x$[lane]\n#define N$ 0\n",
	    "template <class T, int N> __device__ T &of$(unsigned lane)\n{\n\t__shared__ T "
	    "x[N];\n\treturn x[lane];\n}\n#define AT$ (of$<T$, 32>(lane))\n#define N$ 0\n",
	    "struct All$ {\n\tT$ all[32];\n};\nextern __shared__ All$ x$;\n#define AT$ "
	    "x$.all[lane]\n#define N$ 0\n",
	};

	/* nvlink does not find the last, one of no array, in relocatable code. */
	unsigned count = sizeof(forms) / sizeof(*forms) - s->program->separate;

	top_shape(s);
	TOP(s, forms[random_below(&s->random, count)]);
	TOP(s, "#ifndef LOCAL$\n#define LOCAL$\n#endif\n__global__ void k$(u64 *o, const u64 "
	       "*in)\n{\n\tLOCAL$;\n\tunsigned lane = threadIdx.x;\n"
	       "\tMADE$(AT$, lane + 5);\n\t__syncthreads();\n\tlane = 31 - lane;\n\tu64 r = "
	       "(u64)OF$(AT$);\n\to[threadIdx.x] = r;\n"
	       "\to[threadIdx.x + 32] = sizeof(T$) * 100 + alignof(T$);\n}\n");
	RUN(s, "\tk$<<<1, 32, N$ * sizeof(T$)>>>(o, in);\n");
	expect_series(s, 0, 36, (uint64_t)-1);
	s->rows = 2;
}

/* Variables of device memory, each way to have one. */
void make_variable(struct snippet *s)
{
	static const char *const forms[] = {
	    "__device__ T$ d$;\n",
	    "static __device__ T$ d$;\n",
	    "__constant__ T$ d$;\n",
	    "static __constant__ T$ d$;\n",
	    "__managed__ T$ d$;\n",
	    "__device__ __managed__ T$ d$;\n",
	    "namespace n$ {\nnamespace {\n__device__ T$ d;\n}\n}\nusing n$::d;\n#define d$ n$::d\n",
	    "template <class T> __device__ T v$;\n#define d$ v$<T$>\n",
	    "namespace n$ {\n__constant__ T$ d;\n}\n#define d$ n$::d\n",
	    "__device__ T$ d$ = {};\n",
	    "extern __device__ T$ d$;\n__device__ T$ d$;\n",
	    "inline __device__ T$ d$;\n",
	};
	/* nvcc takes the last two in relocatable code alone. */
	unsigned late = !s->program->separate ? 2 : s->program->standard >= 17 ? 0 : 1;
	unsigned which;

	top_shape(s);
	which = random_below(&s->random, sizeof(forms) / sizeof(*forms) - late);
	TOP(s, forms[which]);
	TOP(s, "__global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] = (u64)OF$(d$) + "
	       "threadIdx.x;\n"
	       "\to[threadIdx.x + 32] = sizeof(d$);\n}\n");
	expect_series(s, 0, 77, 1);
	s->rows = 2;
	if (strstr(forms[which], "__managed__")) { /* no symbol: the host stores to it */
		RUN(s, "\tMADE$(d$, 77);\n\tk$<<<1, 32>>>(o, in);\n");
		return;
	}
	RUN(s,
	    "\tT$ h;\n\tmemset((void *)&h, 0, sizeof(h));\n\tMADE$(h, "
	    "77);\n\tcudaMemcpyToSymbol(d$, &h, sizeof(h));\n"
	    "\tk$<<<1, 32>>>(o, in);\n\tT$ g;\n\tcudaMemcpyFromSymbol(&g, d$, sizeof(g));\n\tvoid "
	    "*p = nullptr;\n"
	    "\tsize_t size = 0;\n\tcudaGetSymbolAddress(&p, d$);\n\tcudaGetSymbolSize(&size, d$);\n"
	    "\tprintf(\"$ variable %d %d %d\\n\", (int)OF$(g), p != nullptr, (int)(size / "
	    "sizeof(T$)));\n");
}

/* Parameters of any size and place. */
void make_parameter(struct snippet *s)
{
	struct random *random = &s->random;
	static const char *const qualifiers[] = {"", "const ", "const __grid_constant__ ",
						 "__grid_constant__ const "};
	const char *fill =
	    say("%u", 1 + random_below(random, random_chance(random, 20) ? 4000 : 60));
	const char *filler = WORD(random, "char", "short", "int", "u64");

	top_shape(s);
	TOP_OF(s,
	       "struct F$ {\n\t@0 filler[@1 / sizeof(@0) + 1];\n};\n__device__ __noinline__ u64 "
	       "by$(T$ t, unsigned char c)\n{\n\treturn (u64)OF$(t) + c;\n}\n",
	       filler, fill);
	TOP_OF(s,
	       "__global__ void k$(char a, @0T$ t, u64 *o, @1F$ f, unsigned char c, const u64 *in, "
	       "bool b, short e)\n{\n\tT$ copy = t;\n"
	       "\tunsigned at = threadIdx.x % (sizeof(f.filler) / sizeof(f.filler[0]));\n"
	       "\to[threadIdx.x] = by$(copy, c) + (u64)f.filler[at] + a + (b ? e : 1000) + "
	       "threadIdx.x;\n"
	       "\to[threadIdx.x + 32] = sizeof(T$) + sizeof(f);\n}\n",
	       qualifiers[random_below(random, 4)], qualifiers[random_below(random, 4)]);
	RUN(s, "\tT$ t;\n\tmemset((void *)&t, 0, sizeof(t));\n\tMADE$(t, 50);\n\tstatic F$ "
	       "f;\n\tfor (auto &each : f.filler)\n\t\teach = 3;\n");
	if (random_chance(random, 50))
		RUN(s, "\tk$<<<1, 32>>>(1, t, o, f, 200, in, true, -20);\n");
	else
		RUN(s,
		    "\tchar a = 1;\n\tunsigned char c = 200;\n\tbool b = true;\n\tshort e = -20;\n"
		    "\tvoid *arguments[] = {&a, &t, &o, &f, &c, &in, &b, &e};\n"
		    "\tcudaLaunchKernel((const void *)k$, dim3(1), dim3(32), arguments, 0, 0);\n");
	expect_series(s, 0, 50 + 200 + 3 + 1 - 20, 1);
	s->rows = 2;
}

/* Static initializers and destructors do this with the device; tables of what they got. In
 * relocatable code nvcc registers behind them, so that they fail there. */
void make_static(struct snippet *s)
{
	static const char *const forms[] = {
	    "static struct I$ {\n\tint r[4];\n\tu64 *p;\n\tI$()\n\t{\n\t\tint b = 0;\n\t\tr[0] = "
	    "cudaMemcpyToSymbol(d$, &first$, sizeof(int));\n"
	    "\t\tcudaFuncAttributes a;\n\t\tr[1] = cudaFuncGetAttributes(&a, k$);\n"
	    "\t\tr[2] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, k$, 64, 0);\n\t\tvoid *q "
	    "= nullptr;\n\t\tr[3] = cudaGetSymbolAddress(&q, d$);\n\t}\n} i$;\n",
	    "static u64 *make$()\n{\n\tu64 *p = nullptr;\n\tcudaMalloc(&p, 1024);\n\tcudaMemset(p, "
	    "0, 1024);\n\tk$<<<1, 32>>>(p, p);\n\treturn p;\n}\n"
	    "static struct I$ {\n\tint r[4] = {cudaMemcpyToSymbol(d$, &first$, sizeof(int)), "
	    "make$() == nullptr, (int)cudaGetLastError(), 0};\n} i$;\n",
	    "template <class T> struct L$ {\n\tstatic T t;\n};\nstruct I$ {\n\tint r[4];\n\tI$() : "
	    "r()\n\t{\n\t\tr[1] = cudaMemcpyToSymbol(d$, &first$, sizeof(int));\n\t}\n};\n"
	    "template <class T> T L$<T>::t;\nstatic I$ &i$ = L$<I$>::t;\n",
	    "__attribute__((constructor)) static void earldynamic$()\n{\n}\nstatic struct I$ "
	    "{\n\tint r[4];\n\tI$() : r()\n\t{\n\t\tauto set = [](int w) { return "
	    "(int)cudaMemcpyToSymbol(d$, &w, sizeof(int)); };\n\t\tr[0] = set(first$);\n\t}\n} "
	    "i$;\n",
	};

	if (s->program->separate) {
		make_variable(s);
		return;
	}
	TOP_OF(s,
	       "static const int first$ = 30;\n@0 int d$;\n__global__ void k$(u64 *o, const u64 "
	       "*in)\n{\n\to[threadIdx.x] = (u64)d$ + threadIdx.x;\n}\n",
	       WORD(&s->random, "__device__", "__constant__", "static __constant__",
		    "static __device__"));
	TOP(s, forms[random_below(&s->random, sizeof(forms) / sizeof(*forms))]);
	RUN(s, "\tprintf(\"$ static %d %d %d %d\\n\", i$.r[0], i$.r[1], i$.r[2], "
	       "i$.r[3]);\n\tk$<<<1, 32>>>(o, in);\n");
	expect_series(s, 0, 30, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets of launches: how they are written, what is launched, from which unit. */
#include "tests/differential/program.h"

/* The kernel adds 5 to the lane. */
static const char kernel[] =
    "__global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] = threadIdx.x + 5;\n}\n";

static const struct {
	const char *top, *run; /* top NULL: kernel */
	int standard;
} launches[] = {
    {NULL, "\tk$<<<{1}, {32}>>>(o, in);\n", 14},
    {NULL, "\tk$<<<{1, 1, 1}, {32, 1}, 0, 0>>>(o, in);\n", 14},
    {NULL, "\tunsigned gx = 1, bx = 32;\n\tk$<<<{gx, gx}, {bx}>>>(o, in);\n", 14},
    {NULL, "\tk$<<<dim3{1u}, dim3(32), 0, nullptr>>>(o, in);\n", 14},
    {NULL, "\tk$ <<< 1, 32 >>> (o, in);\n", 14},
    {NULL, "\tk$ << <1, 32>> >(o, in);\n", 14},
    {NULL, "\tauto p = k$;\n\tp<<<1, 32>>>(o, in);\n", 14},
    {NULL, "\tvoid (*p)(u64 *, const u64 *) = &k$;\n\tp<<<1, 32>>>(o, in);\n", 14},
    {NULL,
     "\tstatic void (*const table[])(u64 *, const u64 *) = {k$, nullptr};\n\ttable[0]<<<1, "
     "32>>>(o, in);\n",
     14},
    {NULL, "\tauto go = [&](dim3 block) { k$<<<1, block>>>(o, in); };\n\tgo({32});\n", 14},
    {NULL, "\tvoid *arguments[] = {&o, &in};\n\tcudaLaunchKernel(k$, 1, 32, arguments, 0, 0);\n",
     14},
    {NULL,
     "\tvoid *arguments[] = {&o, &in};\n\tcudaLaunchCooperativeKernel(k$, dim3(1), dim3(32), "
     "arguments, 0, 0);\n",
     14},
    {NULL,
     "\tcudaLaunchConfig_t c = {};\n\tc.gridDim = dim3(1);\n\tc.blockDim = "
     "dim3(32);\n\tcudaLaunchKernelEx(&c, k$, o, in);\n",
     14},
    {NULL,
     "\tcudaStream_t st;\n\tcudaStreamCreate(&st);\n\tk$<<<1, 32, 0, st>>>(o, "
     "in);\n\tcudaStreamSynchronize(st);\n\tcudaStreamDestroy(st);\n",
     14},
    {NULL,
     "\tcudaStream_t st;\n\tcudaGraph_t g;\n\tcudaGraphExec_t "
     "x;\n\tcudaStreamCreate(&st);\n\tcudaStreamBeginCapture(st, cudaStreamCaptureModeGlobal);\n"
     "\tk$<<<1, 32, 0, st>>>(o, in);\n\tcudaStreamEndCapture(st, &g);\n\tcudaGraphInstantiate(&x, "
     "g, 0);\n\tcudaGraphLaunch(x, st);\n"
     "\tcudaStreamSynchronize(st);\n\tcudaGraphExecDestroy(x);\n\tcudaGraphDestroy(g);"
     "\n\tcudaStreamDestroy(st);\n",
     14},
    {"#define GO$(f, ...) f<<<__VA_ARGS__>>>\n__global__ void k$(u64 *o, const u64 "
     "*in)\n{\n\to[threadIdx.x] = threadIdx.x + 5;\n}\n",
     "\tGO$(k$, 1, 32)(o, in);\n", 14},
    {"template <class T, int A> __global__ void k$(T *o, const T *in)\n{\n\to[threadIdx.x] = "
     "threadIdx.x + A;\n}\n",
     "\tk$<u64, 5><<<1, 32>>>(o, in);\n", 14},
    {"template <int A> __global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] = "
     "threadIdx.x + A;\n}\n",
     "\tk$<(5 > 4) ? 5 : 4><<<(1 > 0), 32>>>(o, in);\n", 14},
    {"template <class... A> __global__ void k$(u64 *o, A... a)\n{\n\tint all[] = "
     "{a...};\n\to[threadIdx.x] = threadIdx.x + all[0] + all[1];\n}\n",
     "\tk$<<<1, 32>>>(o, 2, (short)3);\n", 14},
    {"__global__ void k$(u64 *o, const u64 *in, int a = 5)\n{\n\to[threadIdx.x] = threadIdx.x + "
     "a;\n}\n",
     "\tk$<<<1, 32>>>(o, in);\n", 14},
    {"__global__ void k$(u64 *o, int)\n{\n\to[threadIdx.x] = 1;\n}\n__global__ void k$(u64 *o, "
     "long)\n{\n\to[threadIdx.x] = threadIdx.x + 5;\n}\n",
     "\tk$<<<1, 32>>>(o, 7l);\n", 14},
    {"namespace n$ {\nnamespace {\n__global__ void k(u64 *o)\n{\n\to[threadIdx.x] = threadIdx.x + "
     "5;\n}\n}\n}\n",
     "\tn$::k<<<1, 32>>>(o);\n", 14},
    {"template <void (*K)(u64 *, const u64 *)> void go$(u64 *o, const u64 *in)\n{\n\tK<<<1, "
     "32>>>(o, in);\n}\n"
     "__global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] = threadIdx.x + 5;\n}\n",
     "\tgo$<k$>(o, in);\n", 14},
    {"struct S$ {\n\tint a;\n\t__host__ __device__ S$(int w) : a(w)\n\t{\n\t}\n\tS$(const S$ &) = "
     "default;\n};\n__global__ void k$(u64 *o, S$ s)\n{\n\to[threadIdx.x] = threadIdx.x + "
     "s.a;\n}\n",
     "\tk$<<<1, 32>>>(o, 5);\n", 14},
    {"template <class T> struct S$ {\n\tT a;\n\tvoid go(u64 *o);\n};\ntemplate <class T> "
     "__global__ void k$(u64 *o, S$<T> s)\n{\n\to[threadIdx.x] = threadIdx.x + s.a;\n}\n"
     "template <class T> void S$<T>::go(u64 *o)\n{\n\tk$<<<1, 32>>>(o, *this);\n}\ntemplate struct "
     "S$<int>;\n",
     "\tS$<int>{5}.go(o);\n", 14},
    {"struct S$ {\n\tfriend __global__ void k$(u64 *o, S$ s);\n\tS$(int w) : "
     "a(w)\n\t{\n\t}\nprivate:\n\tint a;\n};\n__global__ void k$(u64 *o, S$ "
     "s)\n{\n\to[threadIdx.x] = threadIdx.x + s.a;\n}\n",
     "\tk$<<<1, 32>>>(o, S$(5));\n", 14},
    {"template <class T> __global__ void k$(u64 *o, T t)\n{\n\to[threadIdx.x] = 1;\n}\ntemplate <> "
     "__global__ void k$<int>(u64 *o, int t)\n{\n\to[threadIdx.x] = threadIdx.x + t;\n}\n",
     "\tk$<<<1, 32>>>(o, 5);\n", 14},
    {"template <class T> __global__ void k$(u64 *o, T t)\n{\n\to[threadIdx.x] = threadIdx.x + "
     "t;\n}\ntemplate __global__ void k$<short>(u64 *, short);\n",
     "\tk$<<<1, 32>>>(o, short(5));\n", 14},
    {"template <auto A> __global__ void k$(u64 *o)\n{\n\tif constexpr (A > 3)\n\t\to[threadIdx.x] "
     "= threadIdx.x + A;\n}\n",
     "\tk$<5><<<1, 32>>>(o);\n", 17},
    {"static __global__ void k$(u64 *o, void (*)(int), decltype(nullptr), const int (&)[2], int "
     "a)\n{\n\to[threadIdx.x] = threadIdx.x + a;\n}\n",
     "\tstatic const int two[2] = {};\n\tk$<<<1, 32>>>(o, nullptr, nullptr, two, 5);\n", 14},
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned i = blockIdx.x * blockDim.x * "
     "blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;\n"
     "\tif (i < 32)\n\t\to[i] = i + gridDim.x + blockDim.y - 1;\n}\n",
     "\tk$<<<dim3(4, 1, 1), dim3(4, 2, 1)>>>(o, in);\n", 14},
};

void make_launch(struct snippet *s)
{
	unsigned which;

	do
		which = random_below(&s->random, sizeof(launches) / sizeof(*launches));
	while (launches[which].standard > s->program->standard);
	TOP(s, launches[which].top ? launches[which].top : kernel);
	RUN(s, launches[which].run);
	expect_series(s, 0, 5, 1);
}

/* A kernel that is given what to do. */
void make_lambda(struct snippet *s)
{
	static const char *const functors[] = {
	    "\tstruct Five {\n\t\tint a;\n\t\t__device__ u64 operator()(unsigned w) "
	    "const\n\t\t{\n\t\t\treturn w + a;\n\t\t}\n\t};\n\tapply$<<<1, 32>>>(o, Five{5});\n",
	    "\tint a = 5;\n\tapply$<<<1, 32>>>(o, [=] __device__(unsigned w) { return w + a; });\n",
	    "\tint a = 5;\n\tapply$<<<1, 32>>>(o, [=] __host__ __device__(unsigned w) -> u64 { "
	    "return w + a; });\n",
	    "\tint a[3] = {1, 5, 2};\n\tapply$<<<1, 32>>>(o, [=] __device__(unsigned w) { return w "
	    "+ a[1]; });\n",
	    "\tint a = 2;\n\tauto f = [=] __device__(unsigned w) { return w + a; };\n\tapply$<<<1, "
	    "32>>>(o, [=] __device__(unsigned w) { return f(w) + 3; });\n",
	    "\tdouble a = 2.5;\n\tchar q[5] = {1, 2, 3, 4, 5};\n\tapply$<<<1, 32>>>(o, [=] "
	    "__device__(unsigned w) mutable { a *= 2; return w + (unsigned)a + q[4] - 5; });\n",
	    "\tapply$<<<1, 32>>>(o, [] __device__(auto w) { return w + 5; });\n",
	    "\tauto f = [o] __device__(unsigned w) { return w + 5; };\n\tauto p = "
	    "apply$<decltype(f)>;\n\tp<<<1, 32>>>(o, f);\n",
	};
	unsigned count = s->program->lambdas ? sizeof(functors) / sizeof(*functors) : 1;

	TOP(s, "template <class F> __global__ void apply$(u64 *o, F f)\n{\n\to[threadIdx.x] = "
	       "(u64)f(threadIdx.x);\n}\n");
	if (count == 1) /* not local: names that nvcc gives to such types need no option */
		TOP(s, "struct Six$ {\n\ttemplate <class T> __host__ __device__ constexpr u64 "
		       "operator()(T w) const\n\t{\n\t\treturn w + 5;\n\t}\n};\n");
	RUN(s, count == 1 ? "\tapply$<<<1, 32>>>(o, Six${});\n"
			  : functors[1 + random_below(&s->random, count - 1)]);
	expect_series(s, 0, 5, 1);
}

/* A unit of the host's compiler that launches by the kernel's symbol. */
void make_symbol(struct snippet *s)
{
	const char *linkage = WORD(&s->random, "", "extern \"C\" ");

	TOP_OF(s,
	       "@0__global__ void k$(u64 *o, const u64 *in, int a)\n{\n\to[threadIdx.x] = "
	       "threadIdx.x + a;\n}\nvoid plain$(u64 *o, const u64 *in);\n",
	       linkage);
	text_fill(&s->plain,
		  "@0void k$(u64 *o, const u64 *in, int a);\nvoid plain$(u64 *o, const u64 "
		  "*in)\n{\n\tint a = 5;\n\tvoid *arguments[] = {&o, &in, &a};\n"
		  "\tcudaLaunchKernel((const void *)k$, dim3(1), dim3(32), arguments, 0, 0);\n}\n",
		  s->number, &linkage);
	RUN(s, "\tplain$(o, in);\n");
	expect_series(s, 0, 5, 1);
}

/* Two units of CUDA; with -rdc=true they have device code in common. */
void make_unit(struct snippet *s)
{
	static const char *const common[] = {
	    "struct S$ {\n\tint a;\n};\ntemplate <class T> __global__ void t$(u64 *o, T "
	    "a)\n{\n\to[threadIdx.x] = threadIdx.x + a;\n}\n"
	    "inline int hd$(int w)\n{\n\treturn w + 1;\n}\nvoid second$(u64 *o, const u64 *in);\n"};
	static const char *const separate[] = {
	    "extern __device__ int d$;\n__device__ int e$(int w);\n",
	    "extern __constant__ int d$;\n__device__ int e$(int w);\n",
	    "extern __managed__ int d$;\n__device__ int e$(int w);\n"};
	static const char *const attributes[] = {"__device__", "__constant__", "__managed__"};
	unsigned which = random_below(&s->random, 3);

	TOP(s, common[0]);
	text_fill(&s->second, common[0], s->number, NULL);
	if (!s->program->separate) {
		text_fill(&s->second,
			  "static __device__ int d$ = 2;\nstatic __global__ void k$(u64 *o, const "
			  "u64 *in)\n{\n\to[threadIdx.x] = threadIdx.x + d$ + 3;\n}\n"
			  "void second$(u64 *o, const u64 *in)\n{\n\tt$<<<1, 32>>>(o, "
			  "hd$(4));\n\tk$<<<1, 32>>>(o, in);\n}\n",
			  s->number, NULL);
		TOP(s, "static __device__ int d$ = 7;\nstatic __global__ void k$(u64 *o, const u64 "
		       "*in)\n{\n\to[threadIdx.x + 32] = threadIdx.x + d$;\n}\n");
		RUN(s, "\tt$<<<1, 32>>>(o, hd$(8));\n\tk$<<<1, 32>>>(o, in);\n\tsecond$(o, in);\n");
		expect_series(s, 1, 7, 1);
	} else {
		text_fill(&s->second,
			  "@0 int d$ = 2;\n__device__ int e$(int w)\n{\n\treturn w + d$;\n}\nvoid "
			  "second$(u64 *o, const u64 *in)\n{\n\tt$<<<1, 32>>>(o, 1);\n}\n",
			  s->number, &attributes[which]);
		TOP(s, separate[which]);
		TOP(s, "__global__ void k$(u64 *o, const u64 *in)\n{\n\to[threadIdx.x] += "
		       "e$(2);\n}\n");
		RUN(s, "\tsecond$(o, in);\n\tk$<<<1, 32>>>(o, in);\n");
	}
	expect_series(s, 0, 5, 1);
}

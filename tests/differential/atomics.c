/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets of atomics, and of memory that is volatile or waited for. */
#include "tests/differential/program.h"

/* An atomic that each lane makes once, of a value `v`; the order does not matter to the sum. */
struct atomic {
	const char *words; /* on `p`, a @0 pointer */
	uint64_t (*join)(uint64_t memory, uint64_t value);
	const char *types; /* i u l (unsigned long long) */
	uint64_t first;
};

static uint64_t join_add(uint64_t memory, uint64_t value)
{
	return memory + value;
}

static uint64_t join_sub(uint64_t memory, uint64_t value)
{
	return memory - value;
}

static uint64_t join_and(uint64_t memory, uint64_t value)
{
	return memory & ~value;
}

static uint64_t join_or(uint64_t memory, uint64_t value)
{
	return memory | value << 3;
}

static uint64_t join_xor(uint64_t memory, uint64_t value)
{
	return memory ^ (value * 77);
}

static uint64_t join_max(uint64_t memory, uint64_t value)
{
	return memory > value ? memory : value;
}

static uint64_t join_min(uint64_t memory, uint64_t value)
{
	return memory < value ? memory : value;
}

static uint64_t join_inc(uint64_t memory, uint64_t value)
{
	(void)value;
	return memory >= 10 ? 0 : memory + 1;
}

static uint64_t join_dec(uint64_t memory, uint64_t value)
{
	(void)value;
	return memory == 0 || memory > 20 ? 20 : memory - 1;
}

static const struct atomic atomics[] = {
    {"atomicAdd(p, v)", join_add, "iulfd", 5},
    {"atomicAdd_system(p, v)", join_add, "iulfd", 5},
    {"atomicAdd_block(p, v)", join_add, "iulfd", 0},
    {"atomicSub(p, v)", join_sub, "iu", 1000},
    {"atomicAnd(p, ~v)", join_and, "iul", 255},
    {"atomicAnd_block(p, ~v)", join_and, "iul", 255},
    {"atomicOr(p, v << 3)", join_or, "iul", 1},
    {"atomicXor(p, v * 77)", join_xor, "iul", 1},
    {"atomicXor_system(p, v * 77)", join_xor, "iul", 1},
    {"atomicMax(p, v)", join_max, "iul", 3},
    {"atomicMin(p, v)", join_min, "iul", 30},
    {"atomicMax_block(p, v)", join_max, "iul", 3},
    {"atomicInc(p, 10)", join_inc, "u", 4},
    {"atomicDec(p, 20)", join_dec, "u", 40},
    {"{\n\t\t@0 seen = *p, wanted;\n\t\tdo {\n\t\t\twanted = seen;\n\t\t\tseen = atomicCAS(p, "
     "wanted, wanted + v);\n"
     "\t\t} while (seen != wanted);\n\t}",
     join_add, "iul", 9},
    {"for (;;) {\n\t\t@0 seen = *(volatile @0 *)p;\n\t\tif (atomicCAS(p, seen, seen + v) == "
     "seen)\n\t\t\tbreak;\n\t}",
     join_add, "iul", 9},
    {"cuda::atomic_ref<@0, cuda::thread_scope_device>(*p).fetch_add(v, "
     "cuda::std::memory_order_relaxed)",
     join_add, "iul", 5},
    {"cuda::atomic_ref<@0, cuda::thread_scope_block>(*p).fetch_max(v)", join_max, "iul", 5},
};

static const char *letter_type(char letter)
{
	return letter == 'i'   ? "int"
	       : letter == 'u' ? "unsigned"
	       : letter == 'l' ? "u64"
	       : letter == 'f' ? "float"
			       : "double";
}

void make_atomic(struct snippet *s)
{
	struct random *random = &s->random;
	/* The last two need C++17. */
	unsigned count = sizeof(atomics) / sizeof(*atomics) - (s->program->standard < 17 ? 2 : 0);
	const struct atomic *atomic = &atomics[random_below(random, count)];
	unsigned letters = 0, modulus = 1 + random_below(random, 4);
	bool shared = random_chance(random, 40);
	const char *type;
	uint64_t memory = atomic->first;

	while (atomic->types[letters])
		letters++;
	type = letter_type(atomic->types[random_below(random, letters)]);
	TOP_OF(s, "__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n",
	       type);
	TOP_OF(s,
	       shared ? "\t__shared__ @0 cell;\n\t@0 *p = &cell;\n" : "\t@0 *p = (@0 *)&o[96];\n",
	       type);
	TOP_OF(s,
	       "\tif (lane == 0)\n\t\t*p = (@0)@1;\n\t__syncthreads();\n\tif (lane % @2 == 0) "
	       "{\n\t@0 v = (@0)lane;\n\t",
	       type, say("%llu", (unsigned long long)memory), say("%u", modulus));
	TOP_OF(s, atomic->words, type);
	TOP_OF(s, ";\n\t}\n\t__syncthreads();\n\to[lane] = (u64)*(volatile @0 *)p;\n}\n", type);
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	for (unsigned lane = 0; lane < LANES; lane += modulus)
		memory = atomic->join(memory, lane);
	expect_all(s, 0,
		   *type == 'i'                     ? (uint64_t)(int)memory
		   : *type == 'u' && type[1] == 'n' ? (uint32_t)memory
						    : memory);
}

/* Each gives its series in row 0. */
static const struct {
	const char *words;
	uint64_t first, step;
} waits[] = {
    /* One lane sets what others wait for. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\t__shared__ volatile @0 flag;\n\tunsigned "
     "lane = threadIdx.x;\n"
     "\tif (lane == 0)\n\t\tflag = 0;\n\t__syncthreads();\n\tif (lane == 31)\n\t\tflag = 9;\n"
     "\telse\n\t\twhile (flag != 9)\n\t\t\t;\n\to[lane] = (u64)flag + lane;\n}\n",
     9, 1},
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tvolatile u64 *p = o + 64;\n\tunsigned lane = "
     "threadIdx.x;\n"
     "\tif (lane == 7) {\n\t\tp[0] = 5;\n\t\t__threadfence();\n\t}\n\tfor (;;) {\n\t\tif (p[0] == "
     "5)\n\t\t\tbreak;\n\t}\n"
     "\to[lane] = lane + p[0];\n}\n",
     5, 1},
    /* A lock that each lane takes. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tint *lock = (int *)&o[100];\n\tunsigned lane "
     "= threadIdx.x;\n"
     "\tfor (;;) {\n\t\tif (atomicCAS(lock, 0, 1) == 0) "
     "{\n\t\t\t__threadfence();\n\t\t\t((volatile u64 *)o)[64]++;\n"
     "\t\t\t__threadfence();\n\t\t\tatomicExch(lock, 0);\n\t\t\tbreak;"
     "\n\t\t}\n\t}\n\t__syncwarp();\n"
     "\to[lane] = ((volatile u64 *)o)[64] + lane;\n}\n",
     32, 1},
    /* Sums as they were written before there was __syncwarp, and after. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\t__shared__ volatile @0 s[64];\n\tunsigned "
     "lane = threadIdx.x;\n\ts[lane] = (@0)lane;\n"
     "\ts[lane + 32] = 0;\n\t__syncwarp();\n\tfor (int d = 16; d; d >>= 1) {\n\t\t@0 x = s[lane + "
     "d];\n\t\t__syncwarp();\n"
     "\t\ts[lane] = s[lane] + x;\n\t\t__syncwarp();\n\t}\n\to[lane] = (u64)s[0] + lane;\n}\n",
     496, 1},
    /* Loads that are made twice, stores never read. */
    {"struct S$ {\n\tvolatile @0 a;\n\tvolatile @0 b;\n};\n__global__ void k$(u64 *o, const u64 "
     "*in)\n{\n\tunsigned lane = threadIdx.x;\n"
     "\t__shared__ S$ s;\n\tS$ *q = &s;\n\tq->a = 1;\n\tq->a = 2;\n\tq->b = "
     "q->a;\n\t__syncthreads();\n"
     "\to[lane] = (u64)(q->a + q->b) + lane;\n}\n",
     4, 1},
    /* A loop without an effect of its own; its end is by memory. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x, n = "
     "(unsigned)(in[60] & 15);\n\tvolatile @0 sink = 0;\n"
     "\twhile (true) {\n\t\tsink = sink + 1;\n\t\tif (sink > n)\n\t\t\tbreak;\n\t}\n\to[lane] = "
     "(u64)sink - n + lane;\n}\n",
     1, 1},
    {"__device__ volatile @0 d$ = 3;\n__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned "
     "lane = threadIdx.x;\n\tu64 sum = 0;\n"
     "\tfor (int i = 0; i < 4; i++)\n\t\tsum += (u64)d$;\n\to[lane] = sum + lane;\n}\n",
     12, 1},
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\tlong long "
     "begin = clock64();\n"
     "\twhile (clock64() - begin < 100)\n\t\t__nanosleep(20);\n\tasm volatile(\"membar.gl;\" ::: "
     "\"memory\");\n\to[lane] = lane + 1;\n}\n",
     1, 1},
    /* Two types of the same memory, as nvcc lets programs do. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\tfloat f = "
     "1;\n\tint *p = (int *)&f;\n"
     "\t*p += (int)(lane << 23);\n\tunsigned short *h = (unsigned short *)&o[lane + 64];\n\to[lane "
     "+ 64] = 0;\n\th[1] = 3;\n"
     "\to[lane] = (unsigned)(__float_as_int(f) - 0x3f800000) / 0x800000u + (o[lane + 64] >> "
     "16);\n}\n",
     3, 1},
    /* The sign tests that overflow as machines do. */
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\tint x = "
     "(int)(0x7fffffffu - 31 + lane);\n"
     "\tunsigned char c = (unsigned char)(255 + lane);\n\tc++;\n\to[lane] = (u64)(unsigned "
     "char)(c) + (u64)((unsigned)x * 2u == 0);\n}\n",
     0, 1},
};

void make_volatile(struct snippet *s)
{
	unsigned which = random_below(&s->random, sizeof(waits) / sizeof(*waits));

	TOP_OF(s, waits[which].words,
	       WORD(&s->random, "int", "unsigned", "long long", "u64", "double", "float", "short"));
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	expect_series(s, 0, waits[which].first, waits[which].step);
}

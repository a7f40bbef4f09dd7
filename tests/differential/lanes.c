/* SPDX-License-Identifier: Apache-2.0 */
/* Snippets in which some lanes have no value, or act for others: warps' atomics, tiles. */
#include "tests/differential/program.h"

static const char *number_type(struct snippet *s)
{
	return WORD(&s->random, "int", "unsigned", "long long", "unsigned long long", "float",
		    "double");
}

struct shape {
	const char *words; /* at file scope; `@0` is a type */
	uint64_t first, step;
};

/* Each of these gives its series in row 0, and 1 in row 1 if atomics were made as often as should
 * be. */
static const struct shape unset_shapes[] = {
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\t@0 v;\n\tif "
     "(lane == 0)\n"
     "\t\tv = (@0)(atomicAdd(&o[64], 1ull) + 41);\n\tv = __shfl_sync(0xffffffffu, v, "
     "0);\n\to[lane] = (u64)v + lane;\n"
     "\tif (v < 60 && lane == 0)\n\t\tatomicAdd(&o[65], 1ull);\n\t__syncwarp();\n\to[lane + 32] = "
     "o[64] + 10 * o[65];\n}\n",
     41, 1},
    {"struct S$ {\n\t@0 a, b;\n};\n__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = "
     "threadIdx.x;\n\tS$ v;\n"
     "\tif (lane % 8 == 3) {\n\t\tv.a = (@0)(100 + lane / 8 * 8);\n\t\tv.b = (@0)atomicAdd(&o[64], "
     "1ull);\n\t}\n"
     "\tv.a = __shfl_sync(~0u, v.a, 3, 8);\n\tv.b = __shfl_sync(~0u, v.b, 3, 8);\n\to[lane] = "
     "(u64)v.a + lane % 8;\n"
     "\tif (v.b >= 0 && lane == 31)\n\t\tatomicAdd(&o[65], 1ull);\n\t__syncwarp();\n\to[lane + 32] "
     "= o[64] + 7 * o[65];\n}\n",
     100, 1},
    {"__device__ __noinline__ u64 f$(@0 v, bool c, u64 *o)\n{\n\tif (!c)\n\t\treturn threadIdx.x;\n"
     "\tatomicAdd(&o[64], 1ull);\n\treturn (u64)v;\n}\n__global__ void k$(u64 *o, const u64 "
     "*in)\n{\n"
     "\tunsigned lane = threadIdx.x;\n\t@0 v;\n\tbool c = lane % 3 == 1;\n\tif (c)\n\t\tv = "
     "(@0)lane;\n"
     "\to[lane] = f$(v, c, o);\n\t__syncwarp();\n\to[lane + 32] = o[64];\n}\n",
     0, 1},
    {"__device__ u64 f$(@0 v, bool c, u64 *o)\n{\n\tif (c && v < 31)\n\t\treturn atomicAdd(&o[66 + "
     "(int)v % 2], 1ull) * 0 + (u64)v;\n"
     "\treturn threadIdx.x;\n}\n__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = "
     "threadIdx.x;\n\t@0 v;\n"
     "\tif (in[lane % 4 + 8] != 12345 && lane < 16)\n\t\tv = (@0)lane;\n\to[lane] = f$(v, lane < "
     "16, o);\n\t__syncwarp();\n"
     "\to[lane + 32] = o[66] + o[67];\n}\n",
     0, 1},
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\t@0 v;\n\tif "
     "(lane >= 16)\n\t\tv = (@0)(lane - 16);\n"
     "\tunsigned b = __ballot_sync(~0u, lane >= 16 && v > 3);\n\t@0 w = __shfl_down_sync(~0u, v, "
     "16);\n"
     "\tif (lane < 16)\n\t\tv = w;\n\telse\n\t\tv += 16;\n\to[lane] = (u64)v;\n"
     "\tif (b == 0xfff00000u && lane == 5)\n\t\tatomicAdd(&o[64], "
     "12ull);\n\t__syncwarp();\n\to[lane + 32] = o[64];\n}\n",
     0, 1},
    {"__device__ @0 f$(unsigned c)\n{\n\tif (c < 20)\n\t\treturn (@0)(c + 5);\n}\n__global__ void "
     "k$(u64 *o, const u64 *in)\n{\n"
     "\tunsigned lane = threadIdx.x;\n\tu64 r = lane + 5;\n\tif (lane < 20) {\n\t\tr = "
     "(u64)f$(lane);\n\t\tatomicAdd(&o[64], 1ull);\n\t}\n"
     "\to[lane] = r;\n\t__syncwarp();\n\to[lane + 32] = o[64];\n}\n",
     5, 1},
    {"__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n\t@0 "
     "a[4];\n\tunsigned n = 0;\n"
     "\tfor (unsigned i = 0; i < 4; i++)\n\t\tif ((lane >> i & 1) && n < 4)\n\t\t\ta[n++] = "
     "(@0)(1u << i);\n\t@0 sum = 0;\n"
     "\tfor (unsigned i = 0; i < n; i++)\n\t\tsum += a[i];\n\to[lane] = (u64)sum + (lane & 16);\n"
     "\tif (n > 0 && a[0] == 1)\n\t\tatomicAdd(&o[64], 1ull);\n\t__syncwarp();\n\to[lane + 32] = "
     "o[64];\n}\n",
     0, 1},
    {"template <class T> __device__ __forceinline__ T f$(T v)\n{\n\tfor (int d = 8; d; d /= "
     "2)\n\t\tv += __shfl_xor_sync(0xffffu, v, d);\n"
     "\treturn v;\n}\n__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = "
     "threadIdx.x;\n\t@0 sum;\n"
     "\tif (lane < 16)\n\t\tsum = f$((@0)lane);\n\tif (lane == 0)\n\t\tatomicAdd(&o[64], "
     "(u64)sum);\n"
     "\tsum = __shfl_sync(~0u, sum, 0);\n\to[lane] = (u64)sum - 120 + "
     "lane;\n\t__syncwarp();\n\to[lane + 32] = o[64];\n}\n",
     0, 1},
};
static const uint64_t unset_counts[] = {11, 4 + 7, 11, 16, 12, 20, 16, 120};

void make_unset(struct snippet *s)
{
	unsigned which = random_below(&s->random, sizeof(unset_shapes) / sizeof(*unset_shapes));

	TOP_OF(s, unset_shapes[which].words, number_type(s));
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	expect_series(s, 0, unset_shapes[which].first, unset_shapes[which].step);
	expect_all(s, 1, unset_counts[which]);
}

/* One lane of those that come adds for all; the sum of what they get is as if each had. */
void make_aggregate(struct snippet *s)
{
	struct random *random = &s->random;
	unsigned modulus = 1 + random_below(random, 5), count = (LANES + modulus - 1) / modulus;
	const char *type = WORD(random, "u64", "unsigned", "int");
	static const char *const forms[] = {
	    "\tunsigned m = __activemask(), leader = __ffs(m) - 1, r = 0;\n\tunsigned lane = "
	    "threadIdx.x & 31;\n\t@0 v;\n"
	    "\tif (lane == leader)\n\t\tv = atomicAdd(p, (@0)__popc(m));\n\tv = __shfl_sync(m, v, "
	    "leader);\n"
	    "\treturn v + __popc(m & ((1u << lane) - 1)) + r;\n",
	    "\tauto g = cg::coalesced_threads();\n\t@0 v;\n\tif (g.thread_rank() == 0)\n\t\tv = "
	    "atomicAdd(p, (@0)g.size());\n"
	    "\treturn g.shfl(v, 0) + g.thread_rank();\n",
	    "\tunsigned m = __match_any_sync(__activemask(), (u64)p);\n\tint leader = __ffs(m) - "
	    "1, lane;\n"
	    "\tasm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n\t@0 v;\n\tif (lane == "
	    "leader)\n\t\tv = atomicAdd(p, (@0)__popc(m));\n"
	    "\tv = __shfl_sync(m, v, leader);\n\treturn v + __popc(m & ((1u << lane) - 1));\n"};

	TOP_OF(s, "static __device__ @0 s$_next(@0 *p)\n{\n", type);
	TOP_OF(s, forms[random_below(random, 3)], type);
	TOP(s, "}\n");
	TOP_OF(s, "__global__ void k$(u64 *o, const u64 *in)\n{\n\tunsigned lane = threadIdx.x;\n",
	       type);
	text_print(&s->top, "\tif (lane %% %u == 0)\n", modulus);
	TOP_OF(s,
	       "\t\tatomicAdd(&o[33], 1ull + s$_next((@0 *)&o[64]));\n\t__syncwarp();\n"
	       "\to[lane] = *(@0 *)&o[64];\n\t__syncwarp();\n\to[lane + 32] = __shfl_sync(~0u, "
	       "o[33], 1);\n}\n",
	       type);
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	expect_all(s, 0, count);
	expect_all(s, 1, count * (count - 1) / 2 + count);
}

/* Groups of cooperative groups. */
void make_tile(struct snippet *s)
{
	struct random *random = &s->random;
	unsigned size = 2u << random_below(random, 5),
		 which = random_below(
		     random, s->program->standard < 17 ? 5 : 8); /* reductions need C++17 */
	static const char *const forms[] = {
	    "(u64)t.shfl(lane * 3, 1)",
	    "(u64)t.ballot(lane & 1)",
	    "(u64)(t.any(lane == 5) + 2 * t.all(lane < 40))",
	    "(u64)t.shfl_xor(lane, 1) + t.thread_rank()",
	    "(u64)t.meta_group_rank() * 100 + t.meta_group_size()",
	    "(u64)cg::reduce(t, lane, cg::plus<unsigned>())",
	    "(u64)cg::inclusive_scan(t, lane)",
	    "(u64)cg::reduce(t, (int)lane - 7, cg::greater<int>())"};

	text_print(&s->top,
		   "__global__ void k%d(u64 *o, const u64 *in)\n{\n\tunsigned lane = "
		   "threadIdx.x;\n\tauto t = cg::tiled_partition<%u>(cg::this_thread_block());\n",
		   s->number, size);
	text_print(&s->top, "\tu64 v = %s;\n\tt.sync();\n\to[lane] = v;\n", forms[which]);
	TOP(s, "\tauto b = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), "
	       "lane % 3 == 0);\n"
	       "\to[lane + 32] = b.size() * 100 + b.thread_rank();\n}\n");
	RUN(s, "\tk$<<<1, 32>>>(o, in);\n");
	s->rows = 2;
	s->known[0] = s->known[1] = true;
	for (unsigned lane = 0; lane < LANES; lane++) {
		unsigned first = lane & ~(size - 1), rank = lane - first,
			 sum = size * first + size * (size - 1) / 2;
		const uint64_t results[] = {
		    (first + 1) * 3,
		    (size == 32 ? 0xaaaaaaaa : 0xaaaaaaaa & ((1u << size) - 1)),
		    (uint64_t)(first <= 5 && 5 < first + size) + 2,
		    (lane ^ 1) + rank,
		    lane / size * 100 + LANES / size,
		    sum,
		    (rank + 1) * first + rank * (rank + 1) / 2,
		    first + size - 8};

		s->expected[0][lane] =
		    which == 7 ? (uint64_t)(int64_t)(int)results[7] : results[which];
		s->expected[1][lane] = lane % 3 == 0 ? 1100 + lane / 3 : 2100 + lane - lane / 3 - 1;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ranges and tiles move: bulk copies and reductions, asynchronous copies of any size, matrix
 * tiles; and what inline PTX loads into and stores from registers of its own. The program says
 * what a trace must hold, from its own formulas:
 *
 *	expect KERNEL OPERATION VALUE,...
 *
 * for each record the values of its lanes; of ranges the bytes in the order of memory. And what
 * ctpost values must find: elements, and how many are redundant, by figures of its own.
 *
 *	redundant KERNEL OPERATION ELEMENTS REDUNDANT
 *
 * With OTHER_WORD in the environment a word of its input is another; of byte 400 of the range that
 * has it
 *
 *	content HEX
 */
#include "../features/feature.h"
#include <mma.h>
#include <string>

using namespace nvcuda;

#define COUNT 256

/* Three lanes copy 16, 32 and 544 bytes; one copies 264 out and adds 64. */
__global__ void bulk(const unsigned *in, unsigned *out, unsigned *sums)
{
	__shared__ __align__(128) unsigned s[3 * COUNT];
	__shared__ __align__(8) unsigned long long barrier;
	unsigned b = (unsigned)__cvta_generic_to_shared(&barrier), done = 0;
	unsigned at = (unsigned)__cvta_generic_to_shared(s + COUNT * (threadIdx.x % 3));
	unsigned bytes = threadIdx.x == 0 ? 16 : threadIdx.x == 1 ? 32 : 544;

	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 3;" ::"r"(b) : "memory");
	__syncthreads();
	if (threadIdx.x < 3) {
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b),
			     "r"(bytes)
			     : "memory");
		__syncwarp(7); /* one record: lanes may have parted at the barrier */
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
			     "[%0], [%1], %2, [%3];" ::"r"(at),
			     "l"(in + COUNT * threadIdx.x), "r"(bytes), "r"(b)
			     : "memory");
	}
	while (!done)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; "
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(b)
			     : "memory");
	if (threadIdx.x == 2) {
		for (int i = 0; i < 136; i++)
			s[2 * COUNT + i] += 7;
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
		asm volatile(
		    "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1 + 16], 272;" ::"l"(out),
		    "r"(at)
		    : "memory");
		asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], "
			     "[%1], 64;" ::"l"(sums),
			     "r"(at)
			     : "memory");
		asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::
				 : "memory");
	}
}

/* Lane l copies l % 17 bytes of 16. */
__global__ void part(const unsigned char *in, unsigned char *out)
{
	__shared__ __align__(16) unsigned char s[32 * 16];
	unsigned to = (unsigned)__cvta_generic_to_shared(s + 16 * threadIdx.x);

	asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to),
		     "l"(in + 16 * threadIdx.x), "r"(threadIdx.x % 17)
		     : "memory");
	asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
	out[threadIdx.x] = s[16 * threadIdx.x];
}

#define LEADING 24

__global__ void tiles(const half *a, const half *b, float *d)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;

	wmma::fill_fragment(acc, 1.0f);
	wmma::load_matrix_sync(fa, a, LEADING);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(acc, fa, fb, acc);
	wmma::store_matrix_sync(d, acc, LEADING, wmma::mem_row_major);
}

/* Registers that only the text knows; an output; what is loaded and stored by one text. */
__global__ void own_registers(const int *in, int *out)
{
	int i = threadIdx.x, sum, next;

	asm volatile("{ .reg .s32 t; ld.global.s32 t, [%1]; add.s32 %0, t, 5; }"
		     : "=r"(sum)
		     : "l"(in + i)
		     : "memory");
	asm volatile(
	    "{ .reg .s32 t; mad.lo.s32 t, %1, 3, 7; st.global.s32 [%0], t; }" ::"l"(out + i),
	    "r"(sum)
	    : "memory");
	asm volatile("add.s32 %0, %2, 1; st.global.s32 [%1], %0;"
		     : "=&r"(next)
		     : "l"(out + 32 + i), "r"(sum)
		     : "memory");
	asm volatile("{ .reg .s32 t; ld.global.s32 t, [%0 + 128]; sub.s32 t, t, 100; "
		     "st.global.s32 [%0 + 128], t; }" ::"l"(out + i)
		     : "memory");
}

static std::string hex(const void *bytes, size_t count)
{
	std::string text;
	char digits[3];

	for (size_t i = 0; i < count; i++) {
		snprintf(digits, sizeof(digits), "%02x", ((const unsigned char *)bytes)[i]);
		text += digits;
	}
	return text;
}

static void expect(const char *kernel, const char *operation, const std::string &values)
{
	printf("expect %s %s %s\n", kernel, operation, values.c_str());
}

static void redundant(const char *kernel, const char *operation, int elements, int count)
{
	printf("redundant %s %s %d %d\n", kernel, operation, elements, count);
}

static void expect_bulk(const unsigned *host, const unsigned *moved)
{
	expect("bulk", "copy_bulk_load",
	       hex(host, 16) + "," + hex(host + COUNT, 32) + "," + hex(host + 2 * COUNT, 544));
	expect("bulk", "copy_bulk_store", hex(moved + 4, 272));
	expect("bulk", "copy_bulk_reduce", hex(moved, 64));
}

/* The second launch copies out what the first one has left there, in words of 4 bytes. */
static void test_bulk()
{
	unsigned host[3 * COUNT], moved[136];
	unsigned *in = device_array<unsigned>(3 * COUNT), *out = device_array<unsigned>(68);
	unsigned *sums = device_array<unsigned>(16);

	for (unsigned i = 0; i < 3 * COUNT; i++)
		host[i] = i * 2654435761u;
	host[2 * COUNT + 100] += getenv("OTHER_WORD") != NULL;
	for (int i = 0; i < 136; i++)
		moved[i] = host[2 * COUNT + i] + 7;
	upload(in, host, 3 * COUNT);
	bulk<<<1, 32>>>(in, out, sums);
	bulk<<<1, 32>>>(in, out, sums);
	check("bulk copies", all_equal(out, 68, [&](size_t i) { return moved[i + 4]; }));
	check("bulk reduction", all_equal(sums, 16, [&](size_t i) { return 2 * moved[i]; }));
	expect_bulk(host, moved);
	expect_bulk(host, moved);
	printf("content %s\n", hex(host + 2 * COUNT + 100, 8).c_str());
	redundant("bulk", "copy_bulk_load", 2 * (16 + 32 + 544) / 4, 0);
	redundant("bulk", "copy_bulk_store", 2 * 272 / 4, 272 / 4);
}

static void test_part()
{
	unsigned char host[32 * 16];
	unsigned char *in = device_array<unsigned char>(32 * 16),
		      *out = device_array<unsigned char>(32);
	std::string values;

	for (int i = 0; i < 32 * 16; i++)
		host[i] = i * 37 + 1;
	upload(in, host, 32 * 16);
	part<<<1, 32>>>(in, out);
	check("asynchronous copies",
	      all_equal(out, 32, [&](size_t i) { return i % 17 ? host[16 * i] : 0; }));
	for (int lane = 0; lane < 32; lane++)
		if (lane % 17)
			values += (values.empty() ? "" : ",") + hex(host + 16 * lane, lane % 17);
	expect("part", "copy_async", values);
	redundant("part", "copy_async", 28 + 21, 0); /* whole words of lanes 0 to 16, 17 to 31 */
}

static void test_tiles()
{
	half a[16 * LEADING], b[16 * 16];
	float d[16 * LEADING] = {};
	half *in_a = device_array<half>(16 * LEADING), *in_b = device_array<half>(16 * 16);
	float *out = device_array<float>(16 * LEADING);
	std::string rows[3];
	int zeros = 0;

	for (int i = 0; i < 16 * LEADING; i++)
		a[i] = __float2half(i % 5 - 2.0f);
	for (int i = 0; i < 16 * 16; i++)
		b[i] = __float2half(i % 3 + 0.5f);
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++) {
			d[i * LEADING + j] = 1;
			for (int k = 0; k < 16; k++)
				d[i * LEADING + j] +=
				    __half2float(a[i * LEADING + k]) * __half2float(b[j * 16 + k]);
			zeros += d[i * LEADING + j] == 0; /* as memory was */
		}
	upload(in_a, a, 16 * LEADING);
	upload(in_b, b, 16 * 16);
	tiles<<<1, 32>>>(in_a, in_b, out);
	check("tiles", all_equal(out, 16 * LEADING, [&](size_t i) { return d[i]; }));
	for (int i = 0; i < 16; i++) {
		rows[0] += (i ? "," : "") + hex(a + i * LEADING, 32);
		rows[1] += (i ? "," : "") + hex(b + i * 16, 32);
		rows[2] += (i ? "," : "") + hex(d + i * LEADING, 64);
	}
	expect("tiles", "matrix_load", rows[0]);
	expect("tiles", "matrix_load", rows[1]);
	expect("tiles", "matrix_store", rows[2]);
	redundant("tiles", "matrix_load", 256, 0);
	redundant("tiles", "matrix_load", 256, 0);
	redundant("tiles", "matrix_store", 256, zeros);
}

static std::string list(int (*value)(int lane))
{
	std::string text;

	for (int lane = 0; lane < 32; lane++)
		text += (lane ? "," : "") + std::to_string(value(lane));
	return text;
}

static int loaded(int lane)
{
	return lane * lane - 40;
}

static void test_registers()
{
	int host[32], *in = device_array<int>(32), *out = device_array<int>(64);

	for (int i = 0; i < 32; i++)
		host[i] = loaded(i);
	upload(in, host, 32);
	own_registers<<<1, 32>>>(in, out);
	check("registers of inline PTX", all_equal(out, 64, [](size_t i) {
		      return i < 32 ? 3 * (loaded(i) + 5) + 7 : loaded(i - 32) + 6 - 100;
	      }));
	expect("own_registers", "load", list(loaded));
	expect("own_registers", "store", list([](int lane) { return 3 * (loaded(lane) + 5) + 7; }));
	expect("own_registers", "store", list([](int lane) { return loaded(lane) + 6; }));
	expect("own_registers", "load", list([](int lane) { return loaded(lane) + 6; }));
	expect("own_registers", "store", list([](int lane) { return loaded(lane) - 94; }));
}

int main()
{
	test_registers();
	test_bulk();
	test_part();
	test_tiles();
	return finish();
}

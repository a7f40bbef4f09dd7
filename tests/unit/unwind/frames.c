/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of all kinds. */
#include "tests/unit/unwind/frames.h"
#include "tests/unit/unwind/check.h"
#include <alloca.h>

#ifdef __clang__
#define FRAME __attribute__((noinline))
#else
#define FRAME __attribute__((noinline, noclone))
#endif

FRAME uint32_t call(probing function)
{
	uint32_t row = function();

	RETURN_ROW(row);
}

FRAME uint32_t call_twin(probing function)
{
	uint32_t row = function();

	RETURN_ROW(row);
}

FRAME uint32_t call_middle(void)
{
	uint32_t row = call(probe);

	RETURN_ROW(row);
}

FRAME uint32_t jump(void)
{
	return probe();
}

FRAME uint32_t nest_3(void)
{
	uint32_t row = probe();

	RETURN_ROW(row);
}

FRAME uint32_t nest_2(void)
{
	uint32_t row = nest_3();

	RETURN_ROW(row);
}

FRAME uint32_t nest_1(void)
{
	uint32_t row = nest_2();

	RETURN_ROW(row);
}

FRAME uint32_t recurse(unsigned depth)
{
	uint32_t row = depth ? recurse(depth - 1) : probe();

	RETURN_ROW(row);
}

/* Allocated bytes stay as they were: return addresses of earlier calls stand there. */
FRAME uint32_t vary(size_t bytes, probing function)
{
	volatile char *room = alloca(bytes);
	uint32_t row;

	__asm__ volatile("" : : "r"(room));
	row = function();
	__asm__ volatile("" : : "r"(room));
	RETURN_ROW(row);
}

FRAME uint32_t vary_padded(size_t bytes, probing function)
{
	volatile char room[512];
	uint32_t row;

	__asm__ volatile("" : : "r"(room));
	row = vary(bytes, function);
	__asm__ volatile("" : : "r"(room));
	RETURN_ROW(row);
}

FRAME uint32_t align(probing function)
{
	_Alignas(64) volatile char room[64];
	uint32_t row;

	__asm__ volatile("" : : "r"(room));
	row = function();
	__asm__ volatile("" : : "r"(room));
	RETURN_ROW(row);
}

FRAME static uint32_t align_and_probe(void)
{
	uint32_t row = align(probe);

	RETURN_ROW(row);
}

FRAME uint32_t align_nested(void)
{
	uint32_t row = align(align_and_probe);

	RETURN_ROW(row);
}

FRAME uint32_t align_with_parameters(long a, long b, long c, long d, long e, long f, long g)
{
	_Alignas(64) volatile char room[64];
	volatile char *more = alloca((size_t)a);
	uint32_t row;

	__asm__ volatile("" : : "r"(room), "r"(more), "r"(a + b + c + d + e + f + g));
	row = probe();
	__asm__ volatile("" : : "r"(room), "r"(more), "r"(g));
	RETURN_ROW(row);
}

FRAME uint32_t call_with_parameters(long a, long b, long c, long d, long e, long f, long g)
{
	uint32_t row = align_with_parameters(a, b, c, d, e, f, g);

	RETURN_ROW(row);
}

#define SITE(n)                                                                                    \
	case n:                                                                                    \
		row = probe();                                                                     \
		__asm__ volatile("" : "+r"(row) : "i"(n));                                         \
		break;
#define SITES_4(n) SITE(n) SITE((n) + 1) SITE((n) + 2) SITE((n) + 3)
#define SITES_16(n) SITES_4(n) SITES_4((n) + 4) SITES_4((n) + 8) SITES_4((n) + 12)
#define SITES_64(n) SITES_16(n) SITES_16((n) + 16) SITES_16((n) + 32) SITES_16((n) + 48)

FRAME uint32_t call_from_many(unsigned site)
{
	uint32_t row = 0;

	switch (site) {
		SITES_64(0)
		SITES_64(64)
		SITES_64(128)
		SITES_64(192)
	}
	RETURN_ROW(row);
}

static _Thread_local uint64_t choices;
static _Thread_local unsigned choices_left;

FRAME static uint32_t choose(void)
{
	uint64_t choice = choices;
	uint32_t row;

	choices /= 7;
	if (!choices_left--)
		row = probe();
	else if (choice % 7 == 0)
		row = call(choose);
	else if (choice % 7 == 1)
		row = call_twin(choose);
	else if (choice % 7 == 2)
		row = vary(choice / 7 % 5 * 16, choose);
	else if (choice % 7 == 3)
		row = vary_padded(choice / 7 % 5 * 16, choose);
	else if (choice % 7 == 4)
		row = align(choose);
	else
		row = choose();
	RETURN_ROW(row);
}

FRAME uint32_t zigzag(uint64_t random, unsigned depth)
{
	uint32_t row;

	choices = random;
	choices_left = depth;
	row = choose();
	RETURN_ROW(row);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks [ROUNDS]: what it costs to take the calling thread's stack, beside the unwinders: of
 * libgcc, and libunwind (unw_backtrace, with its cache), where that is there at run time.
 */
#include "base/clock.h"
#include "unwind/unwind.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#define RUNS 7u
#define FRAMES_AROUND 6u /* nest, call, main, and three before it */

typedef void (*taking)(const void *base);

static void take(const void *base)
{
	if (!ct_stack_take(base))
		abort();
}

static void nothing(const void *base)
{
	(void)base;
}

struct frames {
	unsigned count;
	uintptr_t address[128];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *of)
{
	struct frames *frames = of;

	if (frames->count == sizeof(frames->address) / sizeof(*frames->address))
		return _URC_END_OF_STACK;
	frames->address[frames->count++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static void unwind(const void *base)
{
	struct frames frames = {0};

	(void)base;
	_Unwind_Backtrace(add_frame, &frames);
	if (!frames.count)
		abort();
}

static int (*unw_backtrace)(void **, int);

static void libunwind(const void *base)
{
	void *frames[128];

	(void)base;
	if (unw_backtrace(frames, 128) < 1)
		abort();
}

/* Stands for a wrapper: two of them are two call sites of one function. */
__attribute__((noinline)) static void wrapper(taking function)
{
	function(__builtin_frame_address(0));
	__asm__ volatile("");
}

/* Rounds of calls, in turn from one or two call sites. */
__attribute__((noinline)) static void call(taking function, unsigned sites, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i += sites) {
		wrapper(function);
		if (sites == 2)
			wrapper(function);
	}
}

/* So many frames, then the rounds. */
__attribute__((noinline)) static void nest(unsigned depth, taking function, unsigned sites,
					   uint64_t rounds)
{
	if (depth)
		nest(depth - 1, function, sites, rounds);
	else
		call(function, sites, rounds);
	__asm__ volatile("");
}

__attribute__((noinline)) static void nest_twin(unsigned depth, taking function)
{
	if (depth)
		nest_twin(depth - 1, function);
	else
		call(function, 1, 1);
	__asm__ volatile("");
}

/* All frames but main's are others than the ones before. */
__attribute__((noinline)) static void change(unsigned depth, taking function, uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++)
		if (i % 2)
			nest(depth, function, 1, 1);
		else
			nest_twin(depth, function);
}

static double ns_of(unsigned kind, unsigned depth, taking function, uint64_t rounds)
{
	uint64_t best = UINT64_MAX, begin, took;

	for (unsigned run = 0; run < RUNS; run++) {
		begin = ct_clock_monotonic_ns();
		if (kind < 2)
			nest(depth, function, kind + 1, rounds);
		else
			change(depth, function, rounds);
		took = ct_clock_monotonic_ns() - begin;
		best = took < best ? took : best;
	}
	return (double)best / (double)rounds;
}

static void print(unsigned depth, uint64_t rounds)
{
	static const char *const kinds[] = {"same stack", "two call sites", "all frames change"};
	static const struct {
		taking function;
		unsigned share;
	} ways[] = {{take, 1}, {unwind, 50}, {libunwind, 50}};

	for (unsigned kind = 0; kind < 3; kind++) {
		double empty = ns_of(kind, depth, nothing, rounds);

		printf("%-18s %6u", kinds[kind], depth + FRAMES_AROUND);
		for (unsigned way = 0; way < 2 + (unw_backtrace != NULL); way++)
			printf(" %14.1f",
			       ns_of(kind, depth, ways[way].function, rounds / ways[way].share) -
				   empty);
		putchar('\n');
	}
}

int main(int count, char **arguments)
{
	uint64_t rounds = count > 1 ? strtoull(arguments[1], NULL, 10) : 1000000;
	void *library = dlopen("libunwind.so.8", RTLD_NOW);

	if (library)
		*(void **)&unw_backtrace = dlsym(library, "unw_backtrace");
	printf("%-18s %6s %14s %14s %14s\n", "ns per stack", "depth", "ct_stack_take", "libgcc",
	       unw_backtrace ? "libunwind" : "");
	for (unsigned depth = 4; depth <= 24; depth += 20)
		print(depth, rounds);
	return 0;
}

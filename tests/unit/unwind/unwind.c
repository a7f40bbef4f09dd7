/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwind LIBRARY TWIN: stacks of all kinds are what the unwinder says they are (check.h), whatever
 * the thread's stack was before. A plain program: Criterion does not run under ThreadSanitizer.
 */
#include "unwind/unwind.h"
#include "tests/unit/unwind/check.h"
#include "tests/unit/unwind/frames.h"
#include "tests/unit/unwind/others.h"
#include "tests/unit/unwind/throw.h"
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8u

/* A volatile bound keeps a loop from being unrolled: its calls come from one place. */
static volatile int three = 3;

static void a_stack_is_its_functions_by_name(void)
{
	static const char *const names[] = {"nest_3", "nest_2", "nest_1"};
	uint32_t row[3];

	for (int i = 0; i < three; i++)
		row[i] = nest_1();
	CHECK(row[1] == row[0] && row[2] == row[0]);
	for (unsigned i = 0; i < 3; i++)
		CHECK(strcmp(function_of(row[0], i), names[i]) == 0, "%s", function_of(row[0], i));
	CHECK(strcmp(function_of(row[0], (unsigned)depth_of(row[0]) - 1), "_start") == 0);
	CHECK(depth_of(row[0]) >= 6);
	CHECK(module_of(row[0], 0) > 0);
}

static void call_sites_far_out_tell_stacks_apart(void)
{
	uint32_t first, second, third, fourth;

	first = call(call_middle);
	second = call(call_middle);
	third = call_twin(call_middle);
	fourth = nest_1();
	CHECK(first != second && first != third && second != third && fourth != first);
	CHECK(strcmp(function_of(third, 2), "call_twin") == 0, "%s", function_of(third, 2));
}

static void recursion_of_any_depth(void)
{
	static const unsigned depths[] = {0, 1, 2, 3, 50, 49, 51, 1, 300, 299, 300, 0, 7};
	uint32_t rows[2][13];

	for (int i = 0; i < 26; i++)
		rows[i / 13][i % 13] = recurse(depths[i % 13]);
	for (int i = 0; i < 13; i++) {
		CHECK(rows[0][i] == rows[1][i], "depth %u", depths[i]);
		for (int j = 0; j < i; j++)
			CHECK((rows[0][i] == rows[0][j]) == (depths[i] == depths[j]));
	}
}

static void runaway_recursion_is_cut(void)
{
	static const unsigned depths[] = {6000, 6001, 5, 4080, 4095, 4096, 4097, 4090, 6000, 6000};
	uint32_t rows[10];

	for (int i = 0; i < 10; i++)
		rows[i] = recurse(depths[i]);
	CHECK(is_cut(rows[0]) && !is_cut(rows[2]));
	CHECK(rows[0] == rows[8] && rows[0] == rows[9]);
	CHECK(ct_stack_hash(rows[0]) == ct_stack_hash(rows[1]));
	nest_1();
}

/* Called from one place, both may have their innermost frames at the same one, and the return
 * address of the first stands there still: the caller's bp alone tells which it is. */
static void frames_of_changing_size(void)
{
	uint32_t (*const functions[])(size_t, probing) = {vary, vary_padded};
	const probing inner[] = {probe, call_middle};
	unsigned met = 0;

	for (unsigned i = 0; i < 2; i++)
		for (size_t bytes = 0; bytes < 1024; bytes += 16) {
			uintptr_t base[2];

			for (volatile unsigned j = 0; j < 2; j++) {
				functions[j](j ? bytes : 1024, inner[i]);
				base[j] = probe_base;
			}
			met += base[0] == base[1];
		}
	CHECK(met >= 2, "%u", met);
	for (size_t bytes = 0; bytes < 300; bytes += 7)
		vary(bytes, call_middle);
}

static unsigned met_aligned;

/* An aligned frame is at the same place, wherever it was called from. */
static uint32_t align_from_two(void)
{
	uint32_t (*const functions[])(long, long, long, long, long, long,
				      long) = {align_with_parameters, call_with_parameters};
	uintptr_t base[2];
	uint32_t row = 0;

	for (volatile unsigned i = 0; i < 6; i++) {
		row = functions[i % 2](1, 2, 3, 4, 5, 6, 7);
		base[i % 2] = probe_base;
	}
	met_aligned += base[0] == base[1];
	return row;
}

static void aligned_frames(void)
{
	for (size_t bytes = 0; bytes < 128; bytes += 16) {
		vary(bytes, align_nested);
		align_nested();
		vary(bytes, align_from_two);
	}
#ifndef __clang__ /* whose frames there are larger than the alignment */
	CHECK(met_aligned > 0);
#endif
}

static void many_call_sites(void)
{
	static uint32_t rows[2][MANY];

	for (unsigned i = 0; i < 2 * MANY; i++)
		rows[i / MANY][i % MANY] = call_from_many(i % MANY);
	for (unsigned i = 0; i < MANY; i++) {
		CHECK(rows[0][i] == rows[1][i]);
		CHECK(i == 0 || rows[0][i] != rows[0][i - 1]);
	}
}

static jmp_buf target;

static uint32_t leave(void)
{
	probe();
	longjmp(target, 1);
}

static void stacks_after_a_longjmp(void)
{
	for (volatile int i = 0; i < 6; i++)
		if (!setjmp(target)) {
			if (i % 2)
				vary((size_t)i * 32, leave);
			else
				call(leave);
		}
	call(call_middle);
}

static void throw_deep(int depth)
{
	if (depth)
		throw_deep(depth - 1);
	probe();
	if (!depth)
		throw_number(7);
}

static void stacks_after_an_exception(void)
{
	for (int i = 0; i < three; i++) {
		CHECK(catch_number(throw_deep, 3 * i) == 7);
		nest_1();
	}
}

static void *run_case(void *function)
{
	(*(void (**)(void))function)();
	return NULL;
}

static void one_thing(void)
{
	call(call_middle);
}

static void another_thing(void)
{
	call_twin(call_middle);
}

/* One after the other, threads have the same stack. */
static void threads_that_share_a_stack(void)
{
	void (*functions[])(void) = {one_thing, another_thing};
	size_t bytes = 1 << 20;
	char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, bytes);
	for (int i = 0; i < 6; i++) {
		CHECK(pthread_create(&thread, &attributes, run_case, &functions[i % 2]) == 0);
		pthread_join(thread, NULL);
	}
	pthread_attr_destroy(&attributes);
	munmap(stack, bytes);
}

static void *wander(void *seed)
{
	uint64_t random = *(const uint64_t *)seed;

	for (int i = 0; i < 2000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		/* Mostly near to the one before, now and then the same. */
		zigzag(random >> 40 & 0x3ff0000 >> i % 5 * 4, (unsigned)(random >> 60));
	}
	return NULL;
}

static void threads_at_once(void)
{
	pthread_t threads[THREADS];
	uint64_t seeds[THREADS];

	for (uint64_t i = 0; i < THREADS; i++) {
		seeds[i] = i / 2; /* two of them do the same */
		CHECK(pthread_create(&threads[i], NULL, wander, &seeds[i]) == 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

struct library {
	const char *path;
	void *handle;
	uint32_t (*call_back)(probing);
	uint32_t row, module;
};

static void open_library(struct library *library)
{
	library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
	CHECK(library->handle != NULL, "%s", dlerror());
	*(void **)&library->call_back = dlsym(library->handle, "call_back");
	for (int i = 0; i < three; i++) {
		library->row = library->call_back(probe);
		CHECK(strcmp(file_of(library->row, 0), strrchr(library->path, '/') + 1) == 0, "%s",
		      file_of(library->row, 0));
	}
	library->module = module_of(library->row, 0);
}

/* The loader puts each where the one before has been: addresses are the same. */
static void libraries_that_come_and_go(char *const *paths)
{
	uint32_t (*last)(probing) = NULL;
	unsigned same_place = 0;

	for (int i = 0; i < 12; i++) {
		struct library library = {.path = paths[i % 2]};

		open_library(&library);
		same_place += library.call_back == last;
		last = library.call_back;
		CHECK(!is_gone(library.module));
		dlclose(library.handle);
		if (i % 4 < 2)
			continue;
		usleep(100); /* somebody looks when the last look is 20000 cycles old */
		nest_1();
		CHECK(is_gone(library.module), "module %u", library.module);
	}
	CHECK(same_place > 0, "the case needs libraries at one address");
}

/* Nothing looks between. */
static void a_library_is_loaded_again(char *const *paths)
{
	struct library library = {.path = paths[0]};
	uint32_t before;

	open_library(&library);
	before = library.module;
	dlclose(library.handle);
	open_library(&library);
	CHECK(library.module != before && is_gone(before), "module %u", library.module);
	dlclose(library.handle);
}

static void a_child_begins_anew(void)
{
	uint32_t before = nest_1();
	int status = 1;
	pid_t child = fork();

	if (!child) {
		ct_stacks_forget();
		forget_rows();
		CHECK(nest_1() < before);
		call(call_middle);
		_exit(check_failures != 0);
	}
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(nest_1() != 0);
}

struct test {
	const char *name;
	void (*run)(void);
};

#define TEST(function)                                                                             \
	{                                                                                          \
#function, function                                                                \
	}

static const struct test on_threads_stacks[] = {
    TEST(a_stack_is_its_functions_by_name),
    TEST(call_sites_far_out_tell_stacks_apart),
    TEST(recursion_of_any_depth),
    TEST(runaway_recursion_is_cut),
    TEST(frames_of_changing_size),
    TEST(aligned_frames),
    TEST(many_call_sites),
    TEST(stacks_after_a_longjmp),
    TEST(stacks_after_an_exception),
    TEST(threads_that_share_a_stack),
    TEST(threads_at_once),
};

#if HAS_OTHER_STACKS
static const struct test on_any_stack[] = {
    TEST(stacks_that_are_broken),
    TEST(signals_on_the_stack),
    TEST(fibers_on_the_threads_stack),
};
#endif

static void run(const struct test *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		tests[i].run();
		if (HAS_WALK)
			CHECK(asked() == 0, "%s: the unwinder is not needed", tests[i].name);
	}
}

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	run(on_threads_stacks, sizeof(on_threads_stacks) / sizeof(*on_threads_stacks));
#if HAS_OTHER_STACKS
	run(on_any_stack, sizeof(on_any_stack) / sizeof(*on_any_stack));
	signals_on_another_stack();
	signals_while_a_stack_is_taken();
	fibers_on_stacks_of_their_own();
#endif
	libraries_that_come_and_go(arguments + 1);
	a_library_is_loaded_again(arguments + 1);
	a_child_begins_anew();
	if (HAS_WALK)
		CHECK(asked() == 0, "the unwinder is not needed");
	return check_failures != 0;
}

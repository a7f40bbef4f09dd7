/* SPDX-License-Identifier: Apache-2.0 */
/* Drains rows and modules as a writer does, and compares paths with the unwinder's. */
#include "tests/unit/unwind/check.h"
#include "unwind/unwind.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#define MODULES 1000u
#define DEPTH 20000u
#define ROWS 1000000u

unsigned check_failures;
_Thread_local uintptr_t probe_base;
_Thread_local size_t probe_depth;

static _Atomic unsigned unwinder_calls;
static struct ct_row_stack rows[ROWS]; /* by number; rows[0] is none */
static uint32_t row_count;
static struct ct_stack_module modules[MODULES];
static bool gone[MODULES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local uintptr_t expected[DEPTH];
static _Thread_local bool is_checking;

void check_that(bool holds, const char *file, int line, const char *condition, const char *format,
		...)
{
	va_list arguments;

	if (holds)
		return;
	fprintf(stderr, "%s:%d: %s:", file, line, condition);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	if (__atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) > 20)
		_exit(1);
}

/* In place of libgcc's, which it counts the calls of. */
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn function, void *of)
{
	_Unwind_Reason_Code (*real)(_Unwind_Trace_Fn, void *);

	*(void **)&real = dlsym(RTLD_NEXT, "_Unwind_Backtrace");
	if (!is_checking)
		unwinder_calls++;
	return real(function, of);
}

unsigned asked(void)
{
	return atomic_exchange(&unwinder_calls, 0);
}

static _Unwind_Reason_Code expect_frame(struct _Unwind_Context *context, void *of)
{
	int is_interrupted = 0;
	uintptr_t address = (uintptr_t)_Unwind_GetIPInfo(context, &is_interrupted);

	(void)of;
	if (!address || probe_depth == DEPTH)
		return _URC_END_OF_STACK;
	if (probe_depth || (uintptr_t)_Unwind_GetCFA(context) > probe_base)
		expected[probe_depth++] = address + (is_interrupted != 0);
	return _URC_NO_REASON;
}

static void add_module(const struct ct_stack_module *module)
{
	CHECK(module->id > 0 && module->id < MODULES);
	CHECK(module->is_gone == (modules[module->id].id != 0), "module %u", module->id);
	gone[module->id] = module->is_gone;
	modules[module->id] = *module;
}

/* Rows first, which so wait for their modules. */
static void drain(void)
{
	static struct ct_row_stack some[1000];
	struct ct_stack_module module;
	size_t count;
	bool has_module;

	do {
		count = ct_stacks_new_rows(some, 1000);
		CHECK(row_count + count < ROWS);
		for (size_t i = 0; i < count; i++) {
			CHECK(some[i].caller <= row_count, "row %u", row_count + 1);
			CHECK(!some[i].module || modules[some[i].module].id);
			rows[++row_count] = some[i];
		}
		has_module = ct_stacks_next_module(&module);
		if (has_module)
			add_module(&module);
	} while (count || has_module);
}

static uint64_t address_of(uint32_t row)
{
	return rows[row].offset + (rows[row].module ? modules[rows[row].module].base : 0);
}

bool is_cut(uint32_t row)
{
	while (rows[row].caller)
		row = rows[row].caller;
	return !rows[row].module && !rows[row].offset;
}

size_t depth_of(uint32_t row)
{
	size_t depth = 0;

	for (; row; row = rows[row].caller)
		depth++;
	return depth;
}

static void compare(uint32_t row)
{
	size_t known = probe_depth < CT_STACK_DEPTH_MAX ? probe_depth : CT_STACK_DEPTH_MAX, i = 0;
	/* Too deep, or from code that has no unwind information, as the starts of fibers. */
	bool has_more = known < probe_depth ||
			!_Unwind_FindEnclosingFunction((void *)expected[probe_depth - 1]);

	CHECK(row > 0 && row <= row_count, "row %u of %u", row, row_count);
	CHECK(depth_of(row) == known + has_more, "%zu of %zu", depth_of(row), known);
	CHECK(is_cut(row) == has_more);
	for (; i < known && row; row = rows[row].caller, i++) {
		CHECK(address_of(row) == expected[i], "frame %zu of %zu: %#lx, not %#lx", i, known,
		      (long)address_of(row), (long)expected[i]);
		if (address_of(row) != expected[i])
			return;
		CHECK(!gone[rows[row].module], "module %u", rows[row].module);
	}
}

__attribute__((noinline)) uint32_t probe(void)
{
	uint32_t row = ct_stack_take(__builtin_frame_address(0));

	probe_base = (uintptr_t)__builtin_frame_address(0);
	probe_depth = 0;
	is_checking = true;
	_Unwind_Backtrace(expect_frame, NULL);
	is_checking = false;
	pthread_mutex_lock(&lock);
	drain();
	compare(row);
	pthread_mutex_unlock(&lock);
	return row;
}

__attribute__((noinline)) uint32_t probe_alone(void)
{
	uint32_t row = ct_stack_take(__builtin_frame_address(0));

	pthread_mutex_lock(&lock);
	drain();
	pthread_mutex_unlock(&lock);
	return row;
}

static uint32_t frame_of(uint32_t row, unsigned frame)
{
	while (frame--)
		row = rows[row].caller;
	return row;
}

const char *function_of(uint32_t row, unsigned frame)
{
	uintptr_t address = address_of(frame_of(row, frame)) - 1;
	Dl_info info;
	const ElfW(Sym) * symbol;

	if (!dladdr1((void *)address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol ||
	    address - (uintptr_t)info.dli_saddr >= symbol->st_size)
		return "";
	return info.dli_sname;
}

uint32_t module_of(uint32_t row, unsigned frame)
{
	return rows[frame_of(row, frame)].module;
}

const char *file_of(uint32_t row, unsigned frame)
{
	const char *path = modules[module_of(row, frame)].path, *name;

	name = path ? strrchr(path, '/') : NULL;
	return name ? name + 1 : "";
}

bool is_gone(uint32_t module)
{
	pthread_mutex_lock(&lock);
	drain();
	pthread_mutex_unlock(&lock);
	return gone[module];
}

void forget_rows(void)
{
	row_count = 0;
	memset(modules, 0, sizeof(modules));
	memset(gone, 0, sizeof(gone));
}

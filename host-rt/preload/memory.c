/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that allocate and free: host-rt is given blocks that are not small, and opens the
 * pages of one that is freed.
 *
 * The allocator is found when it is first asked for. What is asked for meanwhile, by dlsym, comes
 * from a few bytes of ours, and stays.
 */
#include "host-rt/preload/library.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWN_BYTES 8192u
#define ALIGNMENT 16u
#define MARKS 65536u

static struct {
	void *(*malloc)(size_t bytes);
	void *(*calloc)(size_t count, size_t bytes);
	void *(*realloc)(void *pointer, size_t bytes);
	void (*free)(void *pointer);
	void *(*memalign)(size_t alignment, size_t bytes);
	void *(*aligned_alloc)(size_t alignment, size_t bytes);
	int (*posix_memalign)(void **pointer, size_t alignment, size_t bytes);
	void *(*mmap)(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);
	int (*munmap)(void *address, size_t bytes);
	__typeof__(&__ct_memory_allocated) allocated;
	__typeof__(&__ct_memory_freed) freed;
} real;

static int state; /* atomic: 0 not found, 1 all are found */
static __thread bool is_finding;
static _Alignas(ALIGNMENT) char own[OWN_BYTES];
static size_t own_used;          /* atomic */
static uint8_t is_marked[MARKS]; /* by address: a block was reported; atomic */

static void find_all(void)
{
	is_finding = true;
#define FIND(name) real.name = (__typeof__(real.name))ct_preload_find(#name)
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(free);
	FIND(memalign);
	FIND(aligned_alloc);
	FIND(posix_memalign);
	FIND(mmap);
	FIND(munmap);
#undef FIND
	/* NULL: the program is none of ours. */
	real.allocated = (__typeof__(real.allocated))dlsym(RTLD_DEFAULT, "__ct_memory_allocated");
	real.freed = (__typeof__(real.freed))dlsym(RTLD_DEFAULT, "__ct_memory_freed");
	is_finding = false;
	__atomic_store_n(&state, 1, __ATOMIC_RELEASE);
}

/* False: this thread is finding them. */
static bool is_ready(void)
{
	if (__atomic_load_n(&state, __ATOMIC_ACQUIRE))
		return true;
	if (is_finding)
		return false;
	find_all();
	return true;
}

static void *take_own(size_t bytes)
{
	size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	size_t at = __atomic_fetch_add(&own_used, rounded, __ATOMIC_RELAXED);

	return rounded < OWN_BYTES && at <= OWN_BYTES - rounded ? own + at : NULL;
}

static bool is_own(const void *pointer)
{
	return (const char *)pointer >= own && (const char *)pointer < own + OWN_BYTES;
}

static uint8_t *mark_of(const void *pointer)
{
	uint64_t hash = (uint64_t)(uintptr_t)pointer * 0x9e3779b97f4a7c15ull;

	return &is_marked[hash >> 48];
}

static void allocated(const void *pointer, size_t bytes, const char *function, const void *base)
{
	if (!pointer || pointer == MAP_FAILED || bytes < CT_PRELOAD_LEAST || !real.allocated)
		return;
	__atomic_store_n(mark_of(pointer), 1, __ATOMIC_RELAXED);
	real.allocated(pointer, bytes, function, base);
}

static void freed(const void *pointer)
{
	if (real.freed && __atomic_load_n(mark_of(pointer), __ATOMIC_RELAXED))
		real.freed(pointer);
}

EXPORTED void *malloc(size_t bytes)
{
	void *pointer;

	if (!is_ready())
		return take_own(bytes);
	pointer = real.malloc(bytes);
	allocated(pointer, bytes, "malloc", __builtin_frame_address(0));
	return pointer;
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
	void *pointer;

	if (!is_ready())
		return take_own(count * bytes);
	pointer = real.calloc(count, bytes);
	allocated(pointer, count * bytes, "calloc", __builtin_frame_address(0));
	return pointer;
}

EXPORTED void *memalign(size_t alignment, size_t bytes)
{
	void *pointer = is_ready() ? real.memalign(alignment, bytes) : NULL;

	allocated(pointer, bytes, "memalign", __builtin_frame_address(0));
	return pointer;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
	void *pointer = is_ready() ? real.aligned_alloc(alignment, bytes) : NULL;

	allocated(pointer, bytes, "aligned_alloc", __builtin_frame_address(0));
	return pointer;
}

EXPORTED int posix_memalign(void **pointer, size_t alignment, size_t bytes)
{
	int error = is_ready() ? real.posix_memalign(pointer, alignment, bytes) : ENOMEM;

	if (!error)
		allocated(*pointer, bytes, "posix_memalign", __builtin_frame_address(0));
	return error;
}

/* The block is looked at only if something is armed: it may be of an allocator of the program's. */
static struct ct_preload_watch *before_free(void *pointer, const char *function, const void *base)
{
	struct ct_preload_watch *now = pointer ? ct_preload_armed() : NULL;

	if (now)
		now->before(pointer, malloc_usable_size(pointer), FREE, 1, function, base);
	if (pointer)
		freed(pointer);
	return now;
}

EXPORTED void free(void *pointer)
{
	struct ct_preload_watch *now;

	if (is_own(pointer) || !is_ready())
		return;
	now = before_free(pointer, "free", __builtin_frame_address(0));
	real.free(pointer);
	if (now)
		now->after();
}

static void *move_own(const void *pointer, size_t bytes)
{
	size_t left = (size_t)(own + OWN_BYTES - (const char *)pointer);
	void *moved = malloc(bytes);

	return moved ? memcpy(moved, pointer, bytes < left ? bytes : left) : NULL;
}

EXPORTED void *realloc(void *pointer, size_t bytes)
{
	struct ct_preload_watch *now;
	void *moved;

	if (is_own(pointer) || !is_ready())
		return pointer ? move_own(pointer, bytes) : take_own(bytes);
	now = before_free(pointer, "realloc", __builtin_frame_address(0));
	moved = real.realloc(pointer, bytes);
	if (now)
		now->after();
	allocated(moved, bytes, "realloc", __builtin_frame_address(0));
	return moved;
}

/* Maps files, too: they are memory as any. */
static void *map(void *address, size_t bytes, int protection, int flags, int fd, off_t offset,
		 const void *base)
{
	void *pointer =
	    is_ready() ? real.mmap(address, bytes, protection, flags, fd, offset) : MAP_FAILED;

	if (protection & PROT_WRITE)
		allocated(pointer, bytes, "mmap", base);
	return pointer;
}

EXPORTED void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	return map(address, bytes, protection, flags, fd, offset, __builtin_frame_address(0));
}

EXPORTED void *mmap64(void *address, size_t bytes, int protection, int flags, int fd,
		      off64_t offset)
{
	return map(address, bytes, protection, flags, fd, offset, __builtin_frame_address(0));
}

EXPORTED int munmap(void *address, size_t bytes)
{
	struct ct_preload_watch *now = ct_preload_armed();
	int result;

	if (!is_ready())
		return -1;
	if (now)
		now->before(address, bytes, FREE, 1, "munmap", __builtin_frame_address(0));
	freed(address);
	result = real.munmap(address, bytes);
	if (now)
		now->after();
	return result;
}

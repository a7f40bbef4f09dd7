/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel reads and writes a process's memory for debuggers whatever its pages' protection. */
#include "host-rt/watch/pages/past.h"
#include "base/descriptor.h"
#include "host-rt/watch/pages/pages.h"
#include "host-rt/watch/ranges/lock.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096u
#define PIECE 16384u

static struct ct_descriptor memory = {.number = -1};
static bool is_used; /* atomic */

void ct_past_begin(void)
{
	if (ct_descriptor_open(&memory, AT_FDCWD, "/proc/self/mem", O_RDWR) == 0)
		__atomic_store_n(&is_used, true, __ATOMIC_RELEASE);
}

/* Not closed: a thread may be about to use it. */
void ct_past_end(void)
{
	__atomic_store_n(&is_used, false, __ATOMIC_RELEASE);
}

static bool may_be_protected(uint64_t start, uint64_t end)
{
	for (uint64_t page = start & ~(uint64_t)(PAGE - 1); page < end; page += PAGE)
		if (ct_pages_is_known(page))
			return true;
	return false;
}

/* By way of the kernel it takes several times as long, so it is for what is protected now: -1 if
 * nothing is. What is protected a moment later is opened by the fault, as for anybody. */
static int way_past(const void *at, size_t bytes)
{
	uint64_t start = (uint64_t)(uintptr_t)at;
	int file = memory.number;

	if (!__atomic_load_n(&is_used, __ATOMIC_ACQUIRE) ||
	    !may_be_protected(start, start + bytes) || !ct_watch_lock())
		return -1;
	/* If the program has closed it, the fault opens the pages, as for anybody. */
	if (!ct_pages_are_protected(start, start + bytes) || !ct_descriptor_holds(&memory))
		file = -1;
	ct_watch_unlock();
	return file;
}

/* Calls of libc would be taken for the program's. */
static bool is_read(int file, void *to, const void *from, size_t bytes)
{
	return file >= 0 &&
	       syscall(SYS_pread64, file, to, bytes, (off_t)(uintptr_t)from) == (long)bytes;
}

static bool is_written(int file, void *to, const void *from, size_t bytes)
{
	return file >= 0 &&
	       syscall(SYS_pwrite64, file, from, bytes, (off_t)(uintptr_t)to) == (long)bytes;
}

void ct_past_read(const void *from, size_t bytes,
		  void (*take)(void *user, const void *piece, size_t bytes), void *user)
{
	int file = way_past(from, bytes);
	const char *at = from;
	char piece[PIECE];

	for (size_t some; bytes > 0; at += some, bytes -= some) {
		some = file >= 0 && bytes > PIECE ? PIECE : bytes;
		take(user, is_read(file, piece, at, some) ? piece : at, some);
	}
}

static void move_piece(int from_file, int to_file, char *to, const char *from, size_t bytes)
{
	char piece[PIECE];
	const char *source = is_read(from_file, piece, from, bytes) ? piece : from;

	if (!is_written(to_file, to, source, bytes))
		memmove(to, source, bytes);
}

/* Pieces go in the order in which none overwrites what is still to be read. */
void ct_past_move(void *to, const void *from, size_t bytes)
{
	int from_file = way_past(from, bytes), to_file = way_past(to, bytes);
	bool is_backward = (uintptr_t)to - (uintptr_t)from < bytes;

	if (from_file < 0 && to_file < 0) {
		memmove(to, from, bytes);
		return;
	}
	for (size_t done = 0, some; done < bytes; done += some) {
		size_t at;

		some = bytes - done < PIECE ? bytes - done : PIECE;
		at = is_backward ? bytes - done - some : done;
		move_piece(from_file, to_file, (char *)to + at, (const char *)from + at, some);
	}
}

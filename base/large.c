/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings of their own, with a head that says what they are: pages come as zeros. */
#include "base/large.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LEAST ((size_t)1 << 20) /* bytes of one that counts */
#define PAGE 4096u
#define HUGE_PAGE ((size_t)1 << 21)

struct head {
	size_t mapped; /* 0: it is of calloc */
	bool is_file;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t limit = UINT64_MAX, held, in_files;
static const char *directory;
static bool is_firm = true;

static void set_limit(uint64_t bytes, const char *where, bool firm)
{
	pthread_mutex_lock(&lock);
	limit = bytes;
	directory = where;
	is_firm = firm;
	pthread_mutex_unlock(&lock);
}

void ct_large_limit(uint64_t bytes, const char *where)
{
	set_limit(bytes, where, true);
}

void ct_large_spare(uint64_t bytes, const char *where)
{
	set_limit(bytes, where, false);
}

/* Without a name from the beginning where the file system can do that. */
static int open_file(void)
{
	const char *where = directory ? directory : getenv("TMPDIR");
	char *path;
	int fd;

	if (!where || !*where)
		where = "/tmp";
	fd = open(where, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || asprintf(&path, "%s/ctpost-XXXXXX", where) < 0)
		return fd;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

/* The room is taken at once: a write to a mapped page cannot say that there is none. */
static void *map_file(size_t bytes)
{
	int fd = open_file();
	void *mapping = MAP_FAILED;

	if (fd >= 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0)
		mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return mapping;
}

/* They are filled from one end to the other: pages of 2 MiB take a five-hundredth of the faults.
 * Where there are none, those of 4 KiB do. */
static void *map_memory(size_t bytes)
{
	void *mapping =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapping != MAP_FAILED && bytes >= HUGE_PAGE)
		madvise(mapping, bytes, MADV_HUGEPAGE);
	return mapping;
}

static bool take(size_t bytes)
{
	bool fits;

	pthread_mutex_lock(&lock);
	fits = bytes <= limit && held <= limit - bytes;
	held += fits ? bytes : 0;
	in_files += fits ? 0 : bytes;
	pthread_mutex_unlock(&lock);
	return fits;
}

/* There is no room for it in files: whether it may be in memory. */
static bool take_anyway(size_t bytes)
{
	bool is_allowed;

	pthread_mutex_lock(&lock);
	is_allowed = !is_firm;
	in_files -= bytes;
	held += is_allowed ? bytes : 0;
	pthread_mutex_unlock(&lock);
	return is_allowed;
}

static void give_back(size_t bytes)
{
	pthread_mutex_lock(&lock);
	held -= bytes;
	pthread_mutex_unlock(&lock);
}

static struct head *alloc(size_t bytes)
{
	size_t mapped = (bytes + PAGE - 1) / PAGE * PAGE;
	struct head *head;
	bool is_file;

	if (bytes < LEAST)
		return calloc(1, bytes);
	is_file = !take(mapped);
	head = is_file ? map_file(mapped) : map_memory(mapped);
	if (head == MAP_FAILED && is_file && take_anyway(mapped)) {
		is_file = false;
		head = map_memory(mapped);
	}
	if (head == MAP_FAILED) {
		if (!is_file)
			give_back(mapped);
		return NULL;
	}
	*head = (struct head){.mapped = mapped, .is_file = is_file};
	return head;
}

void *ct_large_alloc(size_t count, size_t bytes)
{
	size_t all;
	struct head *head;

	if (__builtin_mul_overflow(count, bytes, &all) ||
	    __builtin_add_overflow(all, sizeof(*head) + PAGE, &all))
		return NULL;
	head = alloc(all - PAGE);
	return head ? head + 1 : NULL;
}

void ct_large_free(void *array)
{
	struct head *head = array ? (struct head *)array - 1 : NULL;

	if (!head)
		return;
	if (!head->mapped) {
		free(head);
		return;
	}
	if (!head->is_file)
		give_back(head->mapped);
	munmap(head, head->mapped);
}

uint64_t ct_large_in_files(void)
{
	uint64_t bytes;

	pthread_mutex_lock(&lock);
	bytes = in_files;
	pthread_mutex_unlock(&lock);
	return bytes;
}

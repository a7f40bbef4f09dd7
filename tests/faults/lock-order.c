/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded: which lock a thread takes while it holds which. At the end of the process a line
 * "HELD TAKEN" for each such pair goes to the file $LOCK_ORDER. A lock is "OBJECT OFFSET", both of
 * where it stands; or, if it stands in no object, "OBJECT OFFSET made" of the call that initialised
 * it. To try a lock is to wait for none: it makes no pair, but it is held.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HELD_MAX 64u
#define ENTRIES 65536u

struct entry {
	_Atomic(uintptr_t) lock, other;
};

static struct entry pairs[ENTRIES]; /* held, taken */
static struct entry made[ENTRIES];  /* lock, where it was initialised */
static _Thread_local uintptr_t held[HELD_MAX];
static _Thread_local unsigned held_count;

static int (*real_lock)(pthread_mutex_t *mutex);
static int (*real_trylock)(pthread_mutex_t *mutex);
static int (*real_unlock)(pthread_mutex_t *mutex);
static int (*real_init)(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);

/* The first call may come from another library's constructor, before ours. */
static void find_real(void)
{
	real_trylock = (__typeof__(real_trylock))dlsym(RTLD_NEXT, "pthread_mutex_trylock");
	real_unlock = (__typeof__(real_unlock))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	real_init = (__typeof__(real_init))dlsym(RTLD_NEXT, "pthread_mutex_init");
	real_lock = (__typeof__(real_lock))dlsym(RTLD_NEXT, "pthread_mutex_lock");
}

/* is_pair: the same lock may stand there with others; else the last one holds. */
static void note(struct entry *table, uintptr_t lock, uintptr_t other, bool is_pair)
{
	uintptr_t key = is_pair ? lock ^ (other << 7) : lock;
	unsigned at = (unsigned)(key * 0x9e3779b97f4a7c15u >> 40) % ENTRIES;

	for (unsigned i = 0; i < ENTRIES; i++, at = (at + 1) % ENTRIES) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&table[at].lock, &none, lock) && none != lock)
			continue;
		none = 0;
		if (!is_pair)
			atomic_store(&table[at].other, other);
		else if (!atomic_compare_exchange_strong(&table[at].other, &none, other) &&
			 none != other)
			continue;
		return;
	}
}

static void hold(pthread_mutex_t *mutex)
{
	if (held_count < HELD_MAX)
		held[held_count++] = (uintptr_t)mutex;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	if (!real_lock)
		find_real();
	note(made, (uintptr_t)mutex, (uintptr_t)__builtin_return_address(0), false);
	return real_init(mutex, attributes);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int error;

	if (!real_lock)
		find_real();
	for (unsigned i = 0; i < held_count; i++)
		note(pairs, held[i], (uintptr_t)mutex, true);
	error = real_lock(mutex);
	if (!error)
		hold(mutex);
	return error;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	int error;

	if (!real_lock)
		find_real();
	error = real_trylock(mutex);
	if (!error)
		hold(mutex);
	return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	unsigned i = held_count;

	while (i-- > 0)
		if (held[i] == (uintptr_t)mutex) {
			held_count--;
			for (; i < held_count; i++)
				held[i] = held[i + 1];
			break;
		}
	return real_unlock(mutex);
}

static void print(int file, uintptr_t address, const char *end)
{
	const char *how = "static";
	Dl_info info;

	if (!dladdr((void *)address, &info)) {
		how = "made";
		for (unsigned i = 0; i < ENTRIES; i++)
			if (made[i].lock == address)
				address = made[i].other;
		if (!dladdr((void *)address, &info))
			info = (Dl_info){.dli_fname = "?"};
	}
	dprintf(file, "%s %lu %s%s", info.dli_fname,
		(unsigned long)(address - (uintptr_t)info.dli_fbase), how, end);
}

__attribute__((destructor)) static void write_pairs(void)
{
	const char *path = getenv("LOCK_ORDER");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;

	for (unsigned i = 0; file >= 0 && i < ENTRIES; i++)
		if (pairs[i].other) {
			print(file, pairs[i].lock, " ");
			print(file, pairs[i].other, "\n");
		}
	if (file >= 0)
		close(file);
}

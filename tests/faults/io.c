/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LD_PRELOAD: a disk that misbehaves, for the files of traces (*.ctrace).
 * CT_FAULT says how:
 *
 *   full:BYTES    no space left after so many bytes
 *   short         writes take half of what they are given
 *   interrupted   every other write is interrupted by a signal
 *   slow:US       each write takes so long
 *   stuck:BYTES   after so many bytes a write of records never returns
 *   stall:BYTES   after so many bytes a write of records takes until the program says that its
 * burst is over dies:BYTES    after so many bytes the thread that writes records ends kill:BYTES
 * after so many bytes the process is killed space:FREE/TOTAL  the file system says that it has so
 * many bytes free, less what is written
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static unsigned long long written; /* atomic */
static unsigned calls;             /* atomic */
static unsigned is_stalled;        /* atomic: 1, a write waits; 2, it goes on */

static int is_of_trace(int fd, const char *name)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return 0;
	path[n] = 0;
	name = strstr(path, ".ctrace") ? strstr(path, name) : NULL;
	return name != NULL;
}

/* Whether CT_FAULT is of that kind; its number. */
static int fault_is(const char *kind, unsigned long long *number)
{
	const char *fault = getenv("CT_FAULT");
	size_t bytes = strlen(kind);

	if (!fault || strncmp(fault, kind, bytes) || (fault[bytes] && fault[bytes] != ':'))
		return 0;
	*number = fault[bytes] ? strtoull(fault + bytes + 1, NULL, 10) : 0;
	return 1;
}

/* How many bytes of so many the write may take; negative: it fails with errno. */
static ssize_t allow(int fd, size_t bytes)
{
	unsigned long long number, before;

	if (!is_of_trace(fd, "/"))
		return (ssize_t)bytes;
	before = __atomic_fetch_add(&written, bytes, __ATOMIC_RELAXED);
	if ((fault_is("full", &number) || fault_is("kill", &number)) && before + bytes > number) {
		if (before < number)
			return (ssize_t)(number - before);
		if (fault_is("kill", &number))
			raise(SIGKILL);
		errno = ENOSPC;
		return -1;
	}
	if (fault_is("short", &number))
		return (ssize_t)(bytes > 1 ? bytes / 2 : bytes);
	if (fault_is("interrupted", &number) &&
	    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (fault_is("slow", &number))
		usleep((useconds_t)number);
	if (fault_is("stall", &number) && is_of_trace(fd, "/device-") && before + bytes > number &&
	    !__atomic_exchange_n(&is_stalled, 1, __ATOMIC_ACQ_REL))
		while (__atomic_load_n(&is_stalled, __ATOMIC_ACQUIRE) != 2)
			usleep(1000);
	while (fault_is("stuck", &number) && is_of_trace(fd, "/device-") && before + bytes > number)
		pause();
	if (fault_is("dies", &number) && is_of_trace(fd, "/device-") && before + bytes > number)
		pthread_exit(NULL);
	return (ssize_t)bytes;
}

ssize_t write(int fd, const void *data, size_t bytes)
{
	static ssize_t (*real)(int, const void *, size_t);
	ssize_t allowed = allow(fd, bytes);

	if (fd == STDERR_FILENO && bytes == 15 && !memcmp(data, "burst is over\n", 14))
		__atomic_store_n(&is_stalled, 2, __ATOMIC_RELEASE);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "write");
	return allowed < 0 ? -1 : real(fd, data, (size_t)allowed);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off_t);
	ssize_t allowed = allow(fd, bytes);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pwrite");
	return allowed < 0 ? -1 : real(fd, data, (size_t)allowed, at);
}

ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t at)
{
	return pwrite(fd, data, bytes, at);
}

/* One piece at a time is a short write, which every caller has to expect. */
ssize_t writev(int fd, const struct iovec *parts, int count)
{
	static ssize_t (*real)(int, const struct iovec *, int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "writev");
	if (!is_of_trace(fd, "/"))
		return real(fd, parts, count);
	for (int i = 0; i < count; i++)
		if (parts[i].iov_len)
			return write(fd, parts[i].iov_base, parts[i].iov_len);
	return 0;
}

static int say_space(int (*real)(int, struct statvfs *), int fd, struct statvfs *system)
{
	unsigned long long left, used = __atomic_load_n(&written, __ATOMIC_RELAXED);
	int err = real(fd, system);

	if (err < 0 || !fault_is("space", &left))
		return err;
	system->f_frsize = system->f_bsize = 1;
	system->f_blocks = strtoull(strchr(getenv("CT_FAULT"), '/') + 1, NULL, 10);
	system->f_bavail = left > used ? left - used : 0;
	system->f_bfree = system->f_blocks; /* what only root may use is not free */
	return 0;
}

int fstatvfs(int fd, struct statvfs *system)
{
	static int (*real)(int, struct statvfs *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "fstatvfs");
	return say_space(real, fd, system);
}

int fstatvfs64(int fd, struct statvfs *system)
{
	return fstatvfs(fd, system);
}

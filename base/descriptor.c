/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that the program does not come to, and what they stand for. */
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our descriptors lie beyond the soft limit. */
#define ROOM 256u
/* Below such a limit the program may need every number that it has. */
#define FEW 256u
/* A fork copies a table of so many numbers in some microseconds. */
#define ABOVE_MOST 65536u

static bool is_file(int fd, uint64_t device, uint64_t inode)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == device &&
	       status.st_ino == inode;
}

/* For a moment, in which we take a number. False: it is not permitted. */
static bool raise_limit(const struct rlimit *limit)
{
	struct rlimit raised = {limit->rlim_cur + ROOM, limit->rlim_max};

	if (raised.rlim_max < raised.rlim_cur)
		raised.rlim_max = raised.rlim_cur;
	return setrlimit(RLIMIT_NOFILE, &raised) == 0;
}

/* Above the soft limit: programs that close all numbers up to it, or use all of them, do not meet
 * ours. -1: it cannot be had. */
static int copy_above(int fd, const struct rlimit *limit)
{
	int copy;

	if (!raise_limit(limit))
		return -1;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, (int)limit->rlim_cur);
	setrlimit(RLIMIT_NOFILE, limit);
	return copy;
}

/* The highest that can be had, of few. */
static int copy_below(int fd, rlim_t limit)
{
	int copy = -1;

	for (rlim_t from = limit; from > 3 && copy < 0;) {
		from = from > 16 ? from - 16 : from - 1;
		copy = fcntl(fd, F_DUPFD_CLOEXEC, (int)from);
	}
	return copy;
}

/* *is_brief: it takes one of few numbers from the program. */
static int copy_high(int fd, bool *is_brief)
{
	struct rlimit limit;
	int copy = -1;

	*is_brief = false;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return fcntl(fd, F_DUPFD_CLOEXEC, FEW);
	if (limit.rlim_cur <= ABOVE_MOST)
		copy = copy_above(fd, &limit);
	if (copy >= 0)
		return copy;
	if (limit.rlim_cur > CT_DESCRIPTOR_MOST)
		return fcntl(fd, F_DUPFD_CLOEXEC, (int)CT_DESCRIPTOR_MOST);
	*is_brief = limit.rlim_cur < FEW;
	return copy_below(fd, limit.rlim_cur);
}

bool ct_descriptor_begin_room(struct rlimit *before)
{
	return getrlimit(RLIMIT_NOFILE, before) == 0 && raise_limit(before);
}

void ct_descriptor_end_room(const struct rlimit *before)
{
	int saved = errno;

	setrlimit(RLIMIT_NOFILE, before);
	errno = saved;
}

int ct_descriptor_open(struct ct_descriptor *descriptor, int directory, const char *name, int flags)
{
	int fd = openat(directory, name, flags | O_CLOEXEC, 0666);
	struct rlimit before;

	if (fd < 0 && errno == EMFILE && ct_descriptor_begin_room(&before)) {
		fd = openat(directory, name, flags | O_CLOEXEC, 0666);
		ct_descriptor_end_room(&before);
	}
	return fd < 0 ? -errno : ct_descriptor_take(descriptor, fd);
}

int ct_descriptor_take(struct ct_descriptor *descriptor, int fd)
{
	bool is_new = !descriptor->device && !descriptor->inode;
	struct stat status;
	int copy, err = 0;

	copy = copy_high(fd, &descriptor->is_brief);
	if (fstat(copy >= 0 ? copy : fd, &status) < 0)
		err = -errno;
	else if (!is_new && !is_file(copy >= 0 ? copy : fd, descriptor->device, descriptor->inode))
		err = -ESTALE;
	/* Another thread of the program may have closed the number meanwhile, and opened its own.
	 */
	if (copy >= 0 && (err < 0 || is_file(fd, status.st_dev, status.st_ino)))
		close(fd);
	if (copy < 0)
		copy = fd;
	if (err < 0) {
		close(copy);
		return err;
	}
	descriptor->number = copy;
	descriptor->device = status.st_dev;
	descriptor->inode = status.st_ino;
	return 0;
}

bool ct_descriptor_holds(const struct ct_descriptor *descriptor)
{
	return is_file(descriptor->number, descriptor->device, descriptor->inode);
}

void ct_descriptor_close(struct ct_descriptor *descriptor)
{
	if (ct_descriptor_holds(descriptor))
		close(descriptor->number);
	descriptor->number = -1;
}

void ct_descriptor_rest(struct ct_descriptor *descriptor)
{
	if (descriptor->is_brief)
		ct_descriptor_close(descriptor);
}

void ct_descriptor_fill_standard(void)
{
	for (int number = 0; number <= STDERR_FILENO; number++)
		if (fcntl(number, F_GETFD) < 0 &&
		    open("/dev/null", (number ? O_RDONLY : O_WRONLY) | O_CLOEXEC) != number)
			return;
}

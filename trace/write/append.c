/* SPDX-License-Identifier: Apache-2.0 */
/* Append whole chunks to a file, or nothing. */
#include "trace/write/append.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Whether the name is that of what was opened: another thread of the program may have closed the
 * number before it was ours, and have opened a file of its own. */
static bool has_name(const struct ct_append *file, int directory)
{
	struct stat status;

	return fstatat(directory, file->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_dev == file->descriptor.device && status.st_ino == file->descriptor.inode;
}

int ct_append_open(struct ct_append *file, struct ct_folder *folder, const char *name)
{
	int directory = ct_folder_begin(folder), err = directory;

	*file = (struct ct_append){.folder = folder, .descriptor = CT_DESCRIPTOR_NONE};
	snprintf(file->name, sizeof(file->name), "%s", name);
	if (err >= 0)
		err = ct_descriptor_open(&file->descriptor, directory, name,
					 O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
	if (err == 0 && !has_name(file, directory)) {
		file->descriptor = CT_DESCRIPTOR_NONE; /* not ours to close */
		err = -ESTALE;
	}
	ct_folder_end(folder);
	if (err < 0)
		file->folder = NULL;
	else
		ct_descriptor_rest(&file->descriptor);
	return err;
}

/* The descriptor is that of the file, or -errno. */
static int find(struct ct_append *file)
{
	int directory, err = 0;

	if (ct_descriptor_holds(&file->descriptor))
		return 0;
	directory = ct_folder_begin(file->folder);
	err = directory < 0 ? directory
			    : ct_descriptor_open(&file->descriptor, directory, file->name,
						 O_WRONLY | O_APPEND | O_NOFOLLOW);
	ct_folder_end(file->folder);
	return err;
}

/* To the last whole chunk. If even this fails, readers recognise the torn one. */
static int cut(struct ct_append *file)
{
	int err = find(file);

	return err == 0 && ftruncate(file->descriptor.number, (off_t)file->bytes) < 0 ? -errno
										      : err;
}

/* Write all of part[2], or return -errno. */
static int write_all(int fd, struct iovec part[2])
{
	while (part[0].iov_len + part[1].iov_len > 0) {
		ssize_t n = writev(fd, part, 2);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
		for (int i = 0; i < 2; i++) {
			size_t taken = (size_t)n < part[i].iov_len ? (size_t)n : part[i].iov_len;

			part[i].iov_base = (char *)part[i].iov_base + taken;
			part[i].iov_len -= taken;
			n -= (ssize_t)taken;
		}
	}
	return 0;
}

/* As write_all, but the signal of a file-size limit does not reach the traced
 * program: it is blocked in this thread and, if we caused it, taken. */
static int write_quietly(int fd, struct iovec part[2])
{
	static const struct timespec no_wait;
	sigset_t limit, before, pending;
	bool was_pending;
	int err;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;

	err = write_all(fd, part);

	if (err == -EFBIG && !was_pending)
		while (sigtimedwait(&limit, NULL, &no_wait) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

int ct_append_chunk(struct ct_append *file, const struct ct_chunk_header *header,
		    const void *payload)
{
	struct iovec part[2] = {
	    {(void *)header, sizeof(*header)},
	    {(void *)payload, header->coded_bytes},
	};
	struct iovec again[2] = {part[0], part[1]};
	int err = find(file);

	if (err == 0)
		err = write_quietly(file->descriptor.number, part);
	/* Closed since it was found. */
	if (err == -EBADF && cut(file) == 0)
		err = write_quietly(file->descriptor.number, again);
	if (err == 0)
		file->bytes += sizeof(*header) + header->coded_bytes;
	else
		(void)cut(file);
	ct_descriptor_rest(&file->descriptor);
	return err;
}

void ct_append_close(struct ct_append *file)
{
	if (file->folder)
		ct_descriptor_close(&file->descriptor);
	file->folder = NULL;
}

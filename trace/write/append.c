/* SPDX-License-Identifier: Apache-2.0 */
/* Append whole chunks to a file, or nothing. */
#include "trace/write/append.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int ct_append_open(struct ct_append *file, int directory_fd, const char *name)
{
	file->bytes = 0;
	file->fd =
	    openat(directory_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	return file->fd < 0 ? -errno : 0;
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
	int err = write_quietly(file->fd, part);

	if (err < 0) {
		/* If even this fails, readers recognise the torn chunk. */
		if (ftruncate(file->fd, (off_t)file->bytes) < 0)
			return err;
		return err;
	}
	file->bytes += sizeof(*header) + header->coded_bytes;
	return 0;
}

void ct_append_close(struct ct_append *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

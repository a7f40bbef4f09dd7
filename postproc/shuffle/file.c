/* SPDX-License-Identifier: Apache-2.0 */
/* The temporary file: extents of partitions, and runs of readers. */
#include "base/quantity.h"
#include "postproc/shuffle/state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Without a name from the start, or as soon as it is made: nothing stays behind. */
static int make_file(const char *directory)
{
	char path[PATH_MAX];
	int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0)
		return file;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	if (snprintf(path, sizeof(path), "%s/ctpost-XXXXXX", directory) >= PATH_MAX)
		return -ENAMETOOLONG;
	file = mkostemp(path, O_CLOEXEC);
	if (file < 0)
		return -errno;
	unlink(path);
	return file;
}

#define KEEP_FREE 20u /* a part of so many of the file system stays free */

/* Counts all temporary files of the process. */
static _Atomic uint64_t held_bytes;

static uint64_t read_limit(void)
{
	const char *text = getenv("CTPOST_TEMP_LIMIT");
	uint64_t bytes;

	return text && ct_parse_size(text, &bytes) == 0 ? bytes : UINT64_MAX;
}

/* A file system that does not tell what it has is never short. */
static bool would_fill(int file, uint64_t bytes)
{
	struct statvfs system;

	if (fstatvfs(file, &system) < 0 || system.f_blocks == 0)
		return false;
	return (uint64_t)system.f_bavail * system.f_frsize <
	       bytes + (uint64_t)system.f_blocks * system.f_frsize / KEEP_FREE;
}

static int hold(struct ct_shuffle_state *state, uint64_t bytes)
{
	uint64_t before = atomic_fetch_add(&held_bytes, bytes);

	if (before + bytes > state->file_limit || would_fill(state->file, bytes)) {
		atomic_fetch_sub(&held_bytes, bytes);
		return -CT_ETEMP;
	}
	atomic_fetch_add(&state->file_held, bytes);
	return 0;
}

static void let_go(struct ct_shuffle_state *state, uint64_t bytes)
{
	atomic_fetch_sub(&held_bytes, bytes);
	atomic_fetch_sub(&state->file_held, bytes);
}

int ct_shuffle_file_reserve(struct ct_shuffle_state *state, uint64_t bytes, uint64_t *offset)
{
	int err = 0;

	pthread_mutex_lock(&state->pool_lock);
	if (state->file < 0) {
		err = make_file(state->options.directory);
		state->file_limit = read_limit();
		state->file = err;
	}
	pthread_mutex_unlock(&state->pool_lock);
	if (err < 0)
		return err;
	err = hold(state, bytes);
	if (err < 0)
		return err;
	*offset = atomic_fetch_add(&state->file_end, bytes);
	return 0;
}

static int write_all(const struct ct_shuffle_state *state, struct iovec *iov, size_t count,
		     uint64_t offset)
{
	while (count > 0) {
		ssize_t done = pwritev(state->file, iov, (int)count, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		offset += (uint64_t)done;
		for (; count > 0 && (size_t)done >= iov->iov_len; iov++, count--)
			done -= (ssize_t)iov->iov_len;
		if (count > 0) {
			iov->iov_base = (unsigned char *)iov->iov_base + done;
			iov->iov_len -= (size_t)done;
		}
	}
	return 0;
}

int ct_shuffle_file_writev(struct ct_shuffle_state *state, struct iovec *iov, size_t count,
			   uint64_t offset)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		bytes += iov[i].iov_len;
	atomic_fetch_add_explicit(&state->spilled_bytes, bytes, memory_order_relaxed);
	return write_all(state, iov, count, offset);
}

int ct_shuffle_file_write(struct ct_shuffle_state *state, const void *data, size_t bytes,
			  uint64_t offset)
{
	struct iovec iov = {.iov_base = (void *)(uintptr_t)data, .iov_len = bytes};

	return ct_shuffle_file_writev(state, &iov, 1, offset);
}

int ct_shuffle_file_read(const struct ct_shuffle_state *state, void *data, size_t bytes,
			 uint64_t offset)
{
	unsigned char *to = data;

	while (bytes > 0) {
		ssize_t done = pread(state->file, to, bytes, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		to += done;
		bytes -= (size_t)done;
		offset += (uint64_t)done;
	}
	return 0;
}

int ct_shuffle_file_read_back(const struct ct_shuffle_state *state, struct ct_extent *extent,
			      void *data, size_t bytes)
{
	unsigned char *end = (unsigned char *)data + bytes;
	int err = 0;

	while (err == 0 && bytes > 0) {
		size_t part = bytes < extent->bytes ? bytes : extent->bytes;

		if (part == 0) {
			err = ct_shuffle_file_read(state, extent, sizeof(*extent), extent->offset);
			if (err == 0 && extent->bytes == 0)
				err = -EIO;
			continue;
		}
		err = ct_shuffle_file_read(state, end - part, part,
					   extent->offset + sizeof(*extent) + extent->bytes - part);
		end -= part;
		bytes -= part;
		extent->bytes -= part;
	}
	return err;
}

void ct_shuffle_file_punch(struct ct_shuffle_state *state, uint64_t offset, uint64_t bytes)
{
	let_go(state, bytes);
	/* A file system that cannot do it keeps the space until the file is closed. */
	(void)!fallocate(state->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
			 (off_t)bytes);
}

void ct_shuffle_file_close(struct ct_shuffle_state *state)
{
	if (state->file < 0)
		return;
	close(state->file);
	let_go(state, atomic_load(&state->file_held));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The temporary file: extents of partitions, and runs of readers. */
#include "shuffle_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

int ct_shuffle_file_reserve(struct ct_shuffle_state *state, uint64_t bytes, uint64_t *offset)
{
	int err = 0;

	pthread_mutex_lock(&state->pool_lock);
	if (state->file < 0) {
		err = make_file(state->options.directory);
		state->file = err;
	}
	pthread_mutex_unlock(&state->pool_lock);
	if (err < 0)
		return err;
	*offset = atomic_fetch_add(&state->file_end, bytes);
	return 0;
}

/* Changes iov. */
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

int ct_shuffle_file_write(struct ct_shuffle_state *state, const void *data, size_t bytes,
			  uint64_t offset)
{
	struct iovec iov = {.iov_base = (void *)(uintptr_t)data, .iov_len = bytes};

	atomic_fetch_add_explicit(&state->spilled_bytes, bytes, memory_order_relaxed);
	return write_all(state, &iov, 1, offset);
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

void ct_shuffle_file_punch(const struct ct_shuffle_state *state, uint64_t offset, uint64_t bytes)
{
	/* What a file system cannot do costs its space until the file is closed. */
	(void)!fallocate(state->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
			 (off_t)bytes);
}

/* Blocks on their way to one place of the file. */
struct batch {
	struct ct_shuffle_state *state;
	uint64_t offset;
	size_t bytes;
	size_t count;   /* of iov */
	size_t headers; /* of header */
	uint32_t first; /* list of the blocks, to be freed */
};

static int write_batch(struct batch *batch)
{
	struct ct_shuffle_state *state = batch->state;
	int err = write_all(state, state->iov, batch->count, batch->offset);

	atomic_fetch_add_explicit(&state->spilled_bytes, batch->bytes, memory_order_relaxed);
	ct_shuffle_free_blocks(state, batch->first);
	batch->offset += batch->bytes;
	batch->bytes = 0;
	batch->count = 0;
	batch->headers = 0;
	batch->first = CT_NO_BLOCK;
	return err;
}

static int add_to_batch(struct batch *batch, void *data, size_t bytes)
{
	int err = batch->count == CT_SHUFFLE_IOV ? write_batch(batch) : 0;

	batch->state->iov[batch->count++] = (struct iovec){.iov_base = data, .iov_len = bytes};
	batch->bytes += bytes;
	return err;
}

/* A partition that has been emptied; was is what it had. */
static int add_list(struct batch *batch, struct ct_partition *partition,
		    const struct ct_partition *was, size_t record_bytes)
{
	struct ct_shuffle_state *state = batch->state;
	uint64_t records = ((uint64_t)was->blocks - 1) * state->block_records + was->last_count;
	struct ct_extent extent = {.bytes = records * record_bytes};
	uint32_t block = was->first;
	int err = ct_shuffle_file_reserve(state, sizeof(extent) + extent.bytes, &extent.offset);

	if (err == 0 && batch->count == CT_SHUFFLE_IOV)
		err = write_batch(batch);
	if (err < 0)
		return err;
	if (batch->count == 0)
		batch->offset = extent.offset;
	state->header[batch->headers] = partition->spilled;
	partition->spilled = extent;
	err = add_to_batch(batch, &state->header[batch->headers++], sizeof(extent));
	while (err == 0 && block != CT_NO_BLOCK) {
		uint32_t next = state->next[block];
		uint32_t count = next == CT_NO_BLOCK ? was->last_count : state->block_records;

		err = add_to_batch(batch, ct_shuffle_block(state, block), count * record_bytes);
		state->next[block] = batch->first;
		batch->first = block;
		block = next;
	}
	return err;
}

static uint32_t log2_of(uint32_t value)
{
	return 31u - (uint32_t)__builtin_clz(value);
}

/* The greatest s such that partitions of 2^s blocks and more hold the wanted number. */
static uint32_t find_size(struct ct_shuffle_state *state, uint32_t wanted)
{
	uint64_t held[32] = {0};
	uint64_t sum = 0;
	uint32_t size = 31;

	for (uint32_t i = 0; i < state->options.partitions; i++) {
		pthread_mutex_t *lock = &state->partition_lock[i % CT_SHUFFLE_LOCKS];

		pthread_mutex_lock(lock);
		if (state->partition[i].blocks > 0)
			held[log2_of(state->partition[i].blocks)] += state->partition[i].blocks;
		pthread_mutex_unlock(lock);
	}
	while ((sum += held[size]) < wanted && size > 0)
		size--;
	return size;
}

int ct_shuffle_spill(struct ct_shuffle *shuffle)
{
	struct ct_shuffle_state *state = shuffle->state;
	struct batch batch = {.state = state, .first = CT_NO_BLOCK};
	uint32_t wanted = state->blocks / 4 + 1, freed = 0;
	uint32_t size = find_size(state, wanted);
	int err = 0;

	for (uint32_t i = 0; err == 0 && freed < wanted && i < state->options.partitions; i++) {
		uint32_t index = state->spill_next++ % state->options.partitions;
		struct ct_partition *partition = &state->partition[index], was;
		pthread_mutex_t *lock = &state->partition_lock[index % CT_SHUFFLE_LOCKS];

		pthread_mutex_lock(lock);
		was = *partition;
		if (was.blocks > 0 && log2_of(was.blocks) >= size)
			partition->blocks = 0;
		else
			was.blocks = 0;
		pthread_mutex_unlock(lock);
		if (was.blocks > 0)
			err = add_list(&batch, partition, &was, shuffle->record_bytes);
		freed += was.blocks;
	}
	return err == 0 && batch.count > 0 ? write_batch(&batch) : err;
}

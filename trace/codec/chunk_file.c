/* SPDX-License-Identifier: Apache-2.0 */
/* Walk through the chunks of a file, past damage. */
#include "trace/codec/chunk.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEARCH_BYTES 65536u

struct ct_chunk_file {
	int fd;
	uint64_t bytes;
	uint64_t next; /* where the next chunk should begin */
	struct ct_buffer payload, raw;
	struct ct_coder *coder;
};

int ct_chunk_file_open(struct ct_chunk_file **out, const char *path)
{
	struct ct_chunk_file *file = calloc(1, sizeof(*file));
	struct stat status;
	int err;

	*out = NULL;
	if (!file)
		return -ENOMEM;
	/* O_NONBLOCK: do not hang in the open of a FIFO that someone put there. */
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file->fd < 0) {
		err = -errno;
		goto free_file;
	}
	err = fstat(file->fd, &status) < 0 ? -errno : S_ISREG(status.st_mode) ? 0 : -EINVAL;
	if (err < 0)
		goto close_fd;
	err = ct_coder_open(&file->coder, 0);
	if (err < 0)
		goto close_fd;
	file->bytes = (uint64_t)status.st_size;
	*out = file;
	return 0;

close_fd:
	close(file->fd);
free_file:
	free(file);
	return err;
}

void ct_chunk_file_close(struct ct_chunk_file *file)
{
	if (!file)
		return;
	close(file->fd);
	ct_buffer_fini(&file->payload);
	ct_coder_close(file->coder);
	ct_buffer_fini(&file->raw);
	free(file);
}

uint64_t ct_chunk_file_bytes(const struct ct_chunk_file *file)
{
	return file->bytes;
}

/* Returns 0, -CT_ETORN if the file has become shorter, or -errno. */
static int read_at(const struct ct_chunk_file *file, void *to, size_t bytes, uint64_t offset)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n =
		    pread(file->fd, (char *)to + done, bytes - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -CT_ETORN;
		done += (size_t)n;
	}
	return 0;
}

/* Returns as ct_chunk_check, or -CT_ETORN if the file ends before the header does. */
static int read_header(const struct ct_chunk_file *file, uint64_t offset,
		       struct ct_chunk_header *header)
{
	int err;

	if (file->bytes - offset < sizeof(*header))
		return -CT_ETORN;
	err = read_at(file, header, sizeof(*header), offset);
	return err < 0 ? err : ct_chunk_check(header);
}

/* Find the first sound header at or after *offset. Returns 1 and moves *offset
 * to it, 0 if there is none, or -errno. A newer version counts as sound. */
static int search_header(const struct ct_chunk_file *file, uint64_t *offset)
{
	static const uint32_t magic = CT_CHUNK_MAGIC;
	struct ct_chunk_header header;
	uint64_t at = *offset;
	char window[SEARCH_BYTES];

	while (file->bytes - at >= sizeof(header)) {
		uint64_t left = file->bytes - at;
		size_t bytes = left < sizeof(window) ? (size_t)left : sizeof(window);
		int err = read_at(file, window, bytes, at);
		size_t i = 0;

		for (const char *hit;
		     err == 0 && (hit = memmem(window + i, bytes - i, &magic, 4));) {
			i = (size_t)(hit - window);
			err = read_header(file, at + i, &header);
			if (err == 0 || err == -CT_EVERSION) {
				*offset = at + i;
				return 1;
			}
			err = err == -CT_EFORMAT ? 0 : err;
			i++;
		}
		if (err < 0)
			return err == -CT_ETORN ? 0 : err;
		at += bytes - (sizeof(magic) - 1);
	}
	return 0;
}

int ct_chunk_file_next(struct ct_chunk_file *file, struct ct_chunk *chunk)
{
	uint64_t begin = file->next, at = begin;
	int err;

	memset(chunk, 0, sizeof(*chunk));
	chunk->offset = at;
	if (at >= file->bytes)
		return 0;
	err = read_header(file, at, &chunk->header);
	if (err == -CT_EFORMAT) {
		at++;
		err = search_header(file, &at);
		if (err <= 0) {
			chunk->skipped = file->bytes - begin;
			file->next = file->bytes;
			return err;
		}
		chunk->skipped = at - begin;
		chunk->offset = at;
		err = read_header(file, at, &chunk->header);
	}
	if (err == 0 && chunk->header.coded_bytes > file->bytes - at - sizeof(chunk->header))
		err = -CT_ETORN;
	if (err < 0) {
		chunk->torn = err == -CT_ETORN ? file->bytes - at : 0;
		file->next = file->bytes;
		return err;
	}
	file->next = at + sizeof(chunk->header) + chunk->header.coded_bytes;
	return 1;
}

int ct_chunk_file_at(const struct ct_chunk_file *file, uint64_t offset, struct ct_chunk *chunk)
{
	int err;

	memset(chunk, 0, sizeof(*chunk));
	chunk->offset = offset;
	if (offset > file->bytes)
		return -CT_ETORN;
	err = read_header(file, offset, &chunk->header);
	if (err == 0 && chunk->header.coded_bytes > file->bytes - offset - sizeof(chunk->header))
		err = -CT_ETORN;
	return err;
}

/* Room for so many bytes; what is in it is given up. */
static int reserve(struct ct_buffer *buffer, size_t bytes)
{
	if (buffer->bytes && bytes <= buffer->room)
		return 0;
	ct_buffer_fini(buffer);
	buffer->bytes = malloc(bytes ? bytes : 1);
	if (!buffer->bytes)
		return -ENOMEM;
	buffer->room = bytes;
	return 0;
}

int ct_chunk_file_load(struct ct_chunk_file *file, const struct ct_chunk *chunk,
		       struct ct_buffer *raw)
{
	const struct ct_chunk_header *header = &chunk->header;
	int err;

	err = reserve(&file->payload, header->coded_bytes);
	if (err == 0)
		err = reserve(raw, header->raw_bytes);
	if (err < 0)
		return err;
	raw->size = header->raw_bytes;
	err = read_at(file, file->payload.bytes, header->coded_bytes,
		      chunk->offset + sizeof(*header));
	if (err < 0)
		return err;
	return ct_chunk_decode(file->coder, header, file->payload.bytes, raw->bytes);
}

int ct_chunk_file_read(struct ct_chunk_file *file, const struct ct_chunk *chunk, const void **raw)
{
	int err = ct_chunk_file_load(file, chunk, &file->raw);

	*raw = file->raw.bytes;
	return err;
}

void *ct_chunk_file_take(struct ct_chunk_file *file)
{
	void *raw = file->raw.bytes;

	file->raw = (struct ct_buffer){0};
	return raw;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of this process for files under test. */
#include "tests/fuzz/scratch.h"
#include "trace/codec/chunk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static char directory[200];

static void remove_scratch(void)
{
	static const char *const names[] = {"chunks.ct", "events-0.ct", "device-0-0.ct",
					    "tables-0.ct", "names-0.ct"};
	char path[300];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

const char *scratch_directory(void)
{
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");

	if (directory[0])
		return directory;
	snprintf(directory, sizeof(directory), "%s/ct-fuzz-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(directory))
		abort();
	atexit(remove_scratch);
	return directory;
}

void scratch_write(const char *name, const void *content, size_t bytes)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, content, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
}

/* Make the checksums right. */
static void seal_chunks(unsigned char *content, size_t size)
{
	struct ct_chunk_header header;
	size_t at = 0;

	while (size - at >= sizeof(header)) {
		memcpy(&header, content + at, sizeof(header));
		if (header.magic != CT_CHUNK_MAGIC ||
		    header.coded_bytes > size - at - sizeof(header))
			return;
		header.payload_hash =
		    XXH3_64bits(content + at + sizeof(header), header.coded_bytes);
		header.header_hash =
		    XXH3_64bits(&header, offsetof(struct ct_chunk_header, header_hash));
		memcpy(content + at, &header, sizeof(header));
		at += sizeof(header) + header.coded_bytes;
	}
}

/* The sizes of all but the last one come first. */
int scratch_files(const char *const *names, const unsigned char *data, size_t size)
{
	const unsigned char *sizes = data;
	unsigned files = 0;
	size_t left;

	while (names[files])
		files++;
	if (size < 4 * (files - 1))
		return -1;
	data += 4 * (files - 1);
	left = size - 4 * (files - 1);
	for (unsigned i = 0; i < files; i++) {
		uint32_t bytes = (uint32_t)left;
		unsigned char *content;

		if (i + 1 < files)
			memcpy(&bytes, sizes + 4 * i, sizeof(bytes));
		if (bytes > left)
			return -1;
		content = malloc(bytes + 1);
		memcpy(content, data, bytes);
		seal_chunks(content, bytes);
		scratch_write(names[i], content, bytes);
		free(content);
		data += bytes;
		left -= bytes;
	}
	return 0;
}

int scratch_trace(const unsigned char *data, size_t size)
{
	static const char *const names[] = {"events-0.ct", "device-0-0.ct", NULL};

	return scratch_files(names, data, size);
}

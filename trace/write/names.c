/* SPDX-License-Identifier: Apache-2.0 */
/* The file of names of a part. */
#include "trace/write/names.h"
#include "trace/codec/chunk.h"
#include "trace/codec/table.h"
#include "trace/names/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRINGS_BYTES (1u << 20) /* of a chunk, before the next one is begun */
#define STRING_BYTES_MAX 65535u

struct writing {
	int fd;
	struct ct_coder *coder;
};

/* Put the open payload away. */
static int close_strings(struct ct_names *names)
{
	if (!names->open_count)
		return 0;
	memcpy(names->payload.bytes + 4, &names->open_count, 4);
	if (!ct_buffer_append(&names->strings_done, &names->payload, sizeof(names->payload)))
		return -ENOMEM;
	names->payload = (struct ct_buffer){0};
	names->open_count = 0;
	return 0;
}

static int add_string(struct ct_names *names, const char *text, uint32_t bytes)
{
	const uint32_t head[2] = {CT_NAMES_FIRST_STRING + names->count, 0};
	int err = 0;

	if (names->payload.size + bytes > STRINGS_BYTES)
		err = close_strings(names);
	if (err == 0 && !names->open_count &&
	    !ct_buffer_append(&names->payload, head, sizeof(head)))
		err = -ENOMEM;
	if (err < 0 || !ct_buffer_append(&names->payload, &bytes, sizeof(bytes)) ||
	    !ct_buffer_append(&names->payload, text, bytes))
		return -ENOMEM;
	names->open_count++;
	names->count++;
	return 0;
}

uint32_t ct_names_string(struct ct_names *names, const char *text, int *err)
{
	size_t bytes = strlen(text);
	bool is_new = false;
	uint32_t number;

	if (!bytes)
		return 0;
	if (bytes > STRING_BYTES_MAX) {
		*err = -EMSGSIZE;
		return 0;
	}
	number = ct_intern_add(&names->strings, text, bytes, &is_new);
	if (!number || (is_new && add_string(names, text, (uint32_t)bytes) < 0)) {
		*err = -ENOMEM;
		return 0;
	}
	return CT_NAMES_FIRST_STRING + number - 1;
}

int ct_names_row(struct ct_names *names, enum ct_table_number table, const void *row)
{
	return ct_buffer_append(&names->rows[table], row, ct_table_layout(table)->row_bytes)
		   ? 0
		   : -ENOMEM;
}

size_t ct_names_rows(const struct ct_names *names, enum ct_table_number table)
{
	return names->rows[table].size / ct_table_layout(table)->row_bytes;
}

static int write_all(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			at += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

static int write_chunk(const struct writing *writing, struct ct_chunk_header *header,
		       const struct ct_buffer *raw)
{
	const void *payload;
	int err =
	    ct_chunk_code(writing->coder, CT_CODEC_ZSTD, header, raw->bytes, raw->size, &payload);

	if (err == 0)
		err = write_all(writing->fd, header, sizeof(*header));
	return err == 0 ? write_all(writing->fd, payload, header->coded_bytes) : err;
}

/* raw: with its head. */
static int write_strings(const struct writing *writing, struct ct_buffer *raw, uint32_t count)
{
	struct ct_chunk_header header = {.kind = CT_CHUNK_STRINGS};
	uint32_t first;

	memcpy(&first, raw->bytes, sizeof(first));
	memcpy(raw->bytes + 4, &count, sizeof(count));
	header.first_sequence = first;
	header.last_sequence = (uint64_t)first + count - 1;
	return write_chunk(writing, &header, raw);
}

static int write_all_strings(const struct writing *writing, const struct ct_names *names)
{
	struct ct_buffer open = names->payload, *done = (void *)names->strings_done.bytes;
	int err = 0;

	for (size_t i = 0; i < names->strings_done.size / sizeof(*done) && err == 0; i++) {
		uint32_t count;

		memcpy(&count, done[i].bytes + 4, sizeof(count));
		err = write_strings(writing, &done[i], count);
	}
	return err == 0 && names->open_count ? write_strings(writing, &open, names->open_count)
					     : err;
}

static int write_rows(const struct writing *writing, const struct ct_names *names, uint32_t table)
{
	const struct ct_table_layout *layout = ct_table_layout(table);
	size_t count = ct_names_rows(names, table), most = ct_table_rows_max(layout);
	const char *rows = names->rows[table].bytes;
	struct ct_buffer raw = {0};
	int err = 0;

	for (size_t first = 0, some; first < count && err == 0; first += some) {
		struct ct_chunk_header header = {.kind = CT_CHUNK_TABLE, .table = table};

		some = count - first < most ? count - first : most;
		header.first_sequence = first + 1;
		header.last_sequence = first + some;
		raw.size = 0;
		err =
		    ct_table_encode(layout, rows + first * layout->row_bytes, (uint32_t)some, &raw);
		if (err == 0)
			err = write_chunk(writing, &header, &raw);
	}
	ct_buffer_fini(&raw);
	return err;
}

static int write_file(const struct ct_names *names, int fd, int level)
{
	struct writing writing = {.fd = fd};
	int err = ct_coder_open(&writing.coder, level);

	if (err == 0)
		err = write_all_strings(&writing, names);
	for (uint32_t table = 1; table < CT_TABLES && err == 0; table++)
		if (ct_table_layout(table)->is_of_names)
			err = write_rows(&writing, names, table);
	ct_coder_close(writing.coder);
	return err;
}

int ct_names_write(const struct ct_names *names, const char *directory, uint32_t part, int level)
{
	const struct ct_file_name file = {.kind = CT_FILE_NAMES, .part = part};
	char name[CT_FILE_NAME_BYTES], draft[CT_FILE_NAME_BYTES + sizeof(CT_DRAFT_END)];
	int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd, err;

	if (folder < 0)
		return -errno;
	ct_file_name_format(&file, name);
	snprintf(draft, sizeof(draft), "%s" CT_DRAFT_END, name);
	/* One that was left behind; of two at once the later one is as good. */
	unlinkat(folder, draft, 0);
	fd = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : write_file(names, fd, level);
	if (fd >= 0 && close(fd) < 0 && err == 0)
		err = -errno;
	if (err == 0 && renameat(folder, draft, folder, name) < 0)
		err = -errno;
	if (err < 0 && fd >= 0)
		unlinkat(folder, draft, 0);
	close(folder);
	return err;
}

void ct_names_fini(struct ct_names *names)
{
	struct ct_buffer *done = (void *)names->strings_done.bytes;

	for (size_t i = 0; i < names->strings_done.size / sizeof(*done); i++)
		ct_buffer_fini(&done[i]);
	ct_buffer_fini(&names->strings_done);
	ct_buffer_fini(&names->payload);
	for (size_t i = 0; i < CT_TABLES; i++)
		ct_buffer_fini(&names->rows[i]);
	ct_intern_fini(&names->strings);
	*names = (struct ct_names){0};
}

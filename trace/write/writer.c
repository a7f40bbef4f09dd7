/* SPDX-License-Identifier: Apache-2.0 */
/* Write one part of a trace directory: open, events, strings, units, manifest. */
#include "trace/write/writer.h"

#include "base/error.h"
#include "trace/codec/unit.h"
#include "trace/names/directory.h"
#include "trace/write/writer_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_RAW_BYTES (64u << 10)
#define STRING_BYTES_MAX (CT_CHUNK_RAW_MAX - 12u)
#define PARTS_MAX 900000000u

int ct_writer_fail(struct ct_writer *writer, int err, const char *verb, const char *name)
{
	pthread_mutex_lock(&writer->error_lock);
	if (writer->error == 0) {
		snprintf(writer->error_text, sizeof(writer->error_text), "cannot %s %s/%s: %s",
			 verb, writer->directory, name, ct_strerror(err));
		writer->error = err;
	}
	err = writer->error;
	pthread_mutex_unlock(&writer->error_lock);
	return err;
}

static int append_chunk(struct ct_writer *writer, struct ct_chunk_header *header,
			const struct ct_buffer *raw, const char *name)
{
	struct ct_append *file = &writer->events_file;
	const void *payload;
	int err =
	    ct_chunk_code(writer->coder, CT_CODEC_ZSTD, header, raw->bytes, raw->size, &payload);

	if (err == 0)
		err = ct_append_chunk(file, header, payload);
	if (err < 0)
		return ct_writer_fail(writer, err, "write", name);
	writer->bytes += sizeof(*header) + header->coded_bytes;
	return 0;
}

void ct_writer_events_name(const struct ct_writer *writer, char name[CT_FILE_NAME_BYTES])
{
	struct ct_file_name file = {.kind = CT_FILE_EVENTS, .part = writer->options.part};

	ct_file_name_format(&file, name);
}

static struct ct_writer *allocate(const char *directory, const struct ct_writer_options *options)
{
	struct ct_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->directory = strdup(directory);
	if (!writer->directory) {
		free(writer);
		return NULL;
	}
	writer->options = *options;
	writer->free_space.keep_bytes = options->keep_free_bytes;
	writer->free_space.keep_percent = options->keep_free_percent;
	pthread_mutex_init(&writer->error_lock, NULL);
	pthread_mutex_init(&writer->lock, NULL);
	pthread_mutex_init(&writer->rows_lock, NULL);
	return writer;
}

static void release(struct ct_writer *writer)
{
	ct_writer_files_fini(writer);
	ct_writer_rows_fini(writer);
	ct_append_close(&writer->events_file);
	ct_coder_close(writer->coder);
	ct_intern_fini(&writer->strings);
	ct_intern_fini(&writer->units);
	ct_buffer_fini(&writer->new_strings);
	ct_buffer_fini(&writer->new_events);
	ct_folder_close(&writer->folder);
	pthread_mutex_destroy(&writer->lock);
	pthread_mutex_destroy(&writer->rows_lock);
	pthread_mutex_destroy(&writer->error_lock);
	free(writer->directory);
	free(writer);
}

/* Make the events file of a part that nobody else writes. name: which was tried last. */
static int claim_part(struct ct_writer *writer, char name[CT_FILE_NAME_BYTES])
{
	struct ct_writer_options *options = &writer->options;
	int err = 0;

	if (!options->part_step) {
		err = ct_folder_begin(&writer->folder);
		if (err >= 0)
			err = ct_directory_clear_part(err, options->part);
		ct_folder_end(&writer->folder);
	}
	for (; err == 0; options->part += options->part_step) {
		ct_writer_events_name(writer, name);
		err = ct_append_open(&writer->events_file, &writer->folder, name);
		if (err != -EEXIST || !options->part_step || options->part > PARTS_MAX)
			return err;
		err = 0;
	}
	return err;
}

/* Open the directory and what every part has. Errors are in why. */
static int open_files(struct ct_writer *writer, char *why, size_t why_bytes)
{
	char name[CT_FILE_NAME_BYTES] = "events";
	int err = ct_folder_open(&writer->folder, writer->directory);

	if (err < 0) {
		snprintf(why, why_bytes,
			 err == -ENOTEMPTY ? "cannot create %s: the directory holds other files; "
					     "name another or empty it"
					   : "cannot create %s: %s",
			 writer->directory, ct_strerror(err));
		return err;
	}
	err = claim_part(writer, name);
	if (err == 0)
		err = ct_coder_open(&writer->coder, writer->options.level);
	if (err < 0)
		snprintf(why, why_bytes, "cannot create %s/%s: %s", writer->directory, name,
			 ct_strerror(err));
	return err;
}

int ct_writer_open(struct ct_writer **out, const char *directory,
		   const struct ct_writer_options *options, char *why, size_t why_bytes)
{
	struct ct_writer *writer = allocate(directory, options);
	int err;

	*out = NULL;
	if (!writer) {
		snprintf(why, why_bytes, "cannot create %s: %s", directory, ct_strerror(-ENOMEM));
		return -ENOMEM;
	}
	err = open_files(writer, why, why_bytes);
	if (err < 0) {
		release(writer);
		return err;
	}
	*out = writer;
	return 0;
}

/* An error in a device file does not stop the events: they say what is lost. */
static int append_to_events(struct ct_writer *writer, struct ct_chunk_header *header,
			    const struct ct_buffer *raw)
{
	char name[CT_FILE_NAME_BYTES];

	if (writer->events_error < 0)
		return writer->events_error;
	ct_writer_events_name(writer, name);
	writer->events_error = append_chunk(writer, header, raw, name);
	return writer->events_error;
}

static int flush_strings(struct ct_writer *writer)
{
	struct ct_chunk_header header = {
	    .kind = CT_CHUNK_STRINGS,
	    .first_sequence = writer->written_string_count + 1,
	    .last_sequence = writer->written_string_count + writer->new_string_count,
	};
	uint32_t table[2] = {writer->written_string_count + 1, writer->new_string_count};
	int err;

	if (writer->new_string_count == 0)
		return 0;
	memcpy(writer->new_strings.bytes, table, sizeof(table));
	writer->written_string_count += writer->new_string_count;
	writer->new_string_count = 0;
	err = append_to_events(writer, &header, &writer->new_strings);
	writer->new_strings.size = 0;
	return err;
}

/* Strings go first: an event never stands before a string that it names. */
int ct_writer_events_flush(struct ct_writer *writer)
{
	struct ct_chunk_header header = {
	    .kind = CT_CHUNK_EVENTS,
	    .first_sequence = writer->written_event_count,
	    .last_sequence = writer->written_event_count + writer->new_event_count - 1,
	};
	int err = flush_strings(writer);

	if (err < 0 || writer->new_event_count == 0)
		return err;
	writer->written_event_count += writer->new_event_count;
	writer->new_event_count = 0;
	err = append_to_events(writer, &header, &writer->new_events);
	writer->new_events.size = 0;
	return err;
}

/* Append a string that was not seen before to the STRINGS payload. */
static int append_string(struct ct_writer *writer, const char *string, uint32_t bytes)
{
	struct ct_buffer *payload = &writer->new_strings;
	int err = 0;

	if (payload->size && payload->size + 4 + bytes > CT_CHUNK_RAW_MAX)
		err = flush_strings(writer);
	if (err < 0)
		return err;
	/* Room for first_id and count, filled in by flush_strings. */
	if ((payload->size == 0 && !ct_buffer_append(payload, NULL, 8)) ||
	    !ct_buffer_append(payload, &bytes, sizeof(bytes)) ||
	    !ct_buffer_append(payload, string, bytes))
		return ct_writer_fail(writer, -ENOMEM, "write", "strings");
	writer->new_string_count++;
	return payload->size >= EVENTS_RAW_BYTES ? flush_strings(writer) : 0;
}

int ct_writer_string(struct ct_writer *writer, const char *string, uint32_t *id)
{
	size_t bytes = string ? strlen(string) : 0;
	int err = writer->events_error;
	bool is_new;

	*id = 0;
	if (err < 0 || bytes == 0)
		return err < 0 ? err : writer->error;
	if (bytes > STRING_BYTES_MAX)
		return -EMSGSIZE;
	pthread_mutex_lock(&writer->lock);
	*id = ct_intern_add(&writer->strings, string, bytes, &is_new);
	if (*id == 0)
		err = ct_writer_fail(writer, -ENOMEM, "write", "strings");
	else if (is_new)
		err = append_string(writer, string, (uint32_t)bytes);
	pthread_mutex_unlock(&writer->lock);
	return err < 0 ? err : writer->error;
}

int ct_writer_unit(struct ct_writer *writer, const void *blob, size_t bytes)
{
	struct ct_chunk_header header = {.kind = CT_CHUNK_UNIT};
	struct ct_buffer raw = {.bytes = (char *)blob, .size = bytes};
	struct ct_unit unit;
	int err = writer->events_error;
	bool is_new;

	if (err < 0)
		return err;
	if (bytes > CT_CHUNK_RAW_MAX)
		return -EMSGSIZE;
	err = ct_unit_view(&unit, blob, bytes);
	if (err < 0)
		return err;
	pthread_mutex_lock(&writer->lock);
	if (ct_intern_add(&writer->units, blob, bytes, &is_new) == 0)
		err = ct_writer_fail(writer, -ENOMEM, "write", "units");
	else if (is_new)
		err = append_to_events(writer, &header, &raw);
	pthread_mutex_unlock(&writer->lock);
	return err < 0 ? err : writer->error;
}

int ct_writer_code(struct ct_writer *writer, const struct ct_code_header *code, const void *bytes,
		   size_t count)
{
	struct ct_chunk_header header = {.kind = CT_CHUNK_CODE};
	struct ct_buffer raw = {0};
	int err = writer->events_error;

	if (err < 0)
		return err;
	if (count > CT_CHUNK_RAW_MAX - sizeof(*code))
		return -EMSGSIZE;
	if (!ct_buffer_append(&raw, code, sizeof(*code)) || !ct_buffer_append(&raw, bytes, count)) {
		ct_buffer_fini(&raw);
		return -ENOMEM;
	}
	pthread_mutex_lock(&writer->lock);
	err = append_to_events(writer, &header, &raw);
	pthread_mutex_unlock(&writer->lock);
	ct_buffer_fini(&raw);
	return err < 0 ? err : writer->error;
}

int ct_writer_event(struct ct_writer *writer, const struct ct_event_header *event)
{
	int err = writer->events_error;

	if (err < 0)
		return err;
	if (event->bytes < sizeof(*event) || event->bytes % 8 != 0)
		return -EINVAL;
	if (event->bytes > CT_CHUNK_RAW_MAX)
		return -EMSGSIZE;
	pthread_mutex_lock(&writer->lock);
	if (writer->new_events.size + event->bytes > CT_CHUNK_RAW_MAX)
		err = ct_writer_events_flush(writer);
	if (err == 0 && !ct_buffer_append(&writer->new_events, event, event->bytes))
		err = ct_writer_fail(writer, -ENOMEM, "write", "events");
	if (err == 0) {
		writer->new_event_count++;
		if (writer->new_events.size >= EVENTS_RAW_BYTES)
			err = ct_writer_events_flush(writer);
	}
	pthread_mutex_unlock(&writer->lock);
	return err < 0 ? err : writer->error;
}

int ct_writer_flush(struct ct_writer *writer)
{
	int err;

	pthread_mutex_lock(&writer->lock);
	err = ct_writer_events_flush(writer);
	pthread_mutex_unlock(&writer->lock);
	return writer->error < 0 ? writer->error : err;
}

static int write_text(int fd, const char *text, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, text, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		bytes -= (size_t)n;
	}
	return 0;
}

static int write_draft(int directory, const char *draft, const char *json)
{
	struct ct_descriptor file = CT_DESCRIPTOR_NONE;
	int err =
	    ct_descriptor_open(&file, directory, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);

	if (err < 0)
		return err;
	err = write_text(file.number, json, strlen(json));
	if (close(file.number) < 0 && err == 0)
		err = -errno;
	return err;
}

static int replace_manifest(struct ct_writer *writer, const char *name, const char *json)
{
	struct ct_file_name file = {.kind = CT_FILE_DRAFT, .part = writer->options.part};
	char draft[CT_FILE_NAME_BYTES];
	int directory = ct_folder_begin(&writer->folder), err = directory;

	ct_file_name_format(&file, draft);
	if (err >= 0)
		err = write_draft(directory, draft, json);
	if (err == 0 && renameat(directory, draft, directory, name) < 0)
		err = -errno;
	if (err < 0 && directory >= 0)
		unlinkat(directory, draft, 0);
	ct_folder_end(&writer->folder);
	return err;
}

/* Tried even after an error: the manifest is where the loss is written down. */
int ct_writer_manifest(struct ct_writer *writer, const char *json)
{
	struct ct_file_name file = {.kind = CT_FILE_MANIFEST, .part = writer->options.part};
	char name[CT_FILE_NAME_BYTES];
	int err;

	ct_file_name_format(&file, name);
	pthread_mutex_lock(&writer->lock);
	err = replace_manifest(writer, name, json);
	pthread_mutex_unlock(&writer->lock);
	if (err < 0)
		return ct_writer_fail(writer, err, "write", name);
	return writer->error;
}

uint64_t ct_writer_bytes(const struct ct_writer *writer)
{
	return writer->bytes;
}

uint32_t ct_writer_part(const struct ct_writer *writer)
{
	return writer->options.part;
}

const char *ct_writer_error(const struct ct_writer *writer)
{
	return writer->error_text;
}

int ct_writer_close(struct ct_writer *writer)
{
	int err;

	if (!writer)
		return 0;
	ct_writer_flush(writer);
	err = writer->error;
	release(writer);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A part's events file: strings, units, code and events, collected into chunks. */
#include "trace/codec/unit.h"
#include "trace/write/writer.h"
#include "trace/write/writer_state.h"
#include <errno.h>
#include <string.h>

#define EVENTS_RAW_BYTES (64u << 10)

#define STRING_BYTES_MAX (CT_CHUNK_RAW_MAX - 12u)

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

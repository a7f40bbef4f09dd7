/* SPDX-License-Identifier: Apache-2.0 */
/* Load an events file: strings, units and events into the trace's tables. */
#include "base/utf8.h"
#include "trace/codec/unit.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <cudatrace/host.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names are the program's, which may be anybody's. Descriptors have separators, which stay. */
static void make_plain(char *string, uint32_t bytes)
{
	char *at = string, *end = string + bytes, *separator;

	if (bytes < 2 || string[1] != CT_FIELD_SEPARATOR) {
		ct_text_make_plain(string, bytes);
		return;
	}
	for (; (separator = memchr(at, CT_FIELD_SEPARATOR, (size_t)(end - at)));
	     at = separator + 1) {
		*separator = '\0';
		ct_text_make_plain(at, (size_t)(separator - at));
		*separator = CT_FIELD_SEPARATOR;
	}
	ct_text_make_plain(at, (size_t)(end - at));
}

/* Copy the strings of a STRINGS payload behind an array of pointers to them,
 * as one allocation. Returns NULL with *err set if the payload is not sound. */
static const char **copy_strings(const char *raw, size_t raw_bytes, uint32_t count, int *err)
{
	const char **strings;
	size_t at = 8;
	char *copy;

	*err = -CT_EFORMAT;
	if (count > (raw_bytes - 8) / 4)
		return NULL;
	/* Each string's length field makes room for its NUL. */
	strings = malloc(count * sizeof(*strings) + raw_bytes);
	if (!strings) {
		*err = -ENOMEM;
		return NULL;
	}
	copy = (char *)(strings + count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t bytes;

		if (raw_bytes - at < sizeof(bytes))
			goto free_strings;
		memcpy(&bytes, raw + at, sizeof(bytes));
		at += sizeof(bytes);
		if (raw_bytes - at < bytes)
			goto free_strings;
		strings[i] = memcpy(copy, raw + at, bytes);
		copy[bytes] = '\0';
		make_plain(copy, bytes);
		copy += bytes + 1;
		at += bytes;
	}
	*err = 0;
	return strings;

free_strings:
	free(strings);
	return NULL;
}

static int load_strings(struct ct_trace *trace, struct ct_part *part, const char *raw,
			size_t raw_bytes)
{
	size_t count = CT_COUNT(struct ct_string_block, &part->string_blocks);
	const struct ct_string_block *last =
	    count ? &CT_ARRAY(struct ct_string_block, &part->string_blocks)[count - 1] : NULL;
	struct ct_string_block block;
	int err;

	if (raw_bytes < 8)
		return -CT_EFORMAT;
	memcpy(&block.first_id, raw, 4);
	memcpy(&block.count, raw + 4, 4);
	if (block.first_id < (last ? last->first_id + last->count : 1) ||
	    (uint64_t)block.first_id + block.count > UINT32_MAX)
		return -CT_EFORMAT;
	block.strings = copy_strings(raw, raw_bytes, block.count, &err);
	if (!block.strings)
		return err;
	err = ct_trace_own(trace, block.strings);
	if (err < 0)
		return err;
	return ct_buffer_append(&part->string_blocks, &block, sizeof(block)) ? 0 : -ENOMEM;
}

const char *ct_trace_string(const struct ct_trace *trace, uint32_t part, uint32_t id)
{
	const struct ct_part *of = ct_trace_part(trace, part);

	return of ? ct_part_string(of, id) : "";
}

/* Processes of one program have the same units: each is kept once. CT_NO_UNIT if it is new. */
static uint32_t find_twin(const struct ct_trace *trace, const void *raw, size_t raw_bytes)
{
	const struct ct_unit_blob *blobs = CT_ARRAY(struct ct_unit_blob, &trace->unit_blobs);
	size_t count = CT_COUNT(struct ct_unit_blob, &trace->unit_blobs);

	for (size_t i = 0; i < count; i++)
		if (blobs[i].bytes == raw_bytes && memcmp(blobs[i].raw, raw, raw_bytes) == 0)
			return (uint32_t)i;
	return CT_NO_UNIT;
}

/* raw: owned by the trace. */
static int add_unit(struct ct_trace *trace, const void *raw, size_t raw_bytes)
{
	const struct ct_unit_blob blob = {raw, raw_bytes};
	struct ct_unit unit;
	void *own;
	int err = ct_unit_convert(raw, raw_bytes, &own, &raw_bytes);

	if (err == 0 && !own) { /* raw stays as it is, for twins to be compared with */
		own = malloc(raw_bytes + 1);
		if (own)
			memcpy(own, raw, raw_bytes);
		err = own ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = ct_trace_own(trace, own);
	if (err == 0)
		err = ct_unit_view(&unit, own, raw_bytes);
	if (err == 0)
		ct_text_make_plain((char *)own + (unit.strings - (const char *)own),
				   unit.header->string_bytes);
	if (err < 0)
		return err;
	if (!ct_buffer_append(&trace->units, &unit, sizeof(unit)) ||
	    !ct_buffer_append(&trace->unit_blobs, &blob, sizeof(blob)))
		return -ENOMEM;
	return 0;
}

static int load_unit(struct ct_trace *trace, struct ct_part *part, struct ct_chunk_file *reader,
		     const void *raw, size_t raw_bytes)
{
	uint32_t unit = find_twin(trace, raw, raw_bytes);
	int err;

	if (unit == CT_NO_UNIT) {
		unit = (uint32_t)CT_COUNT(struct ct_unit, &trace->units);
		err = ct_trace_own(trace, ct_chunk_file_take(reader));
		if (err == 0)
			err = add_unit(trace, raw, raw_bytes);
		if (err < 0)
			return err;
	}
	return ct_buffer_append(&part->units, &unit, sizeof(unit)) ? 0 : -ENOMEM;
}

/* Rows of a kind that is not known are not asked for. */
static int load_code(struct ct_trace *trace, const struct ct_part *part,
		     struct ct_chunk_file *reader, const char *raw, size_t raw_bytes)
{
	struct ct_code_info code = {.part = part->part, .code = raw + sizeof(code.header)};
	int err;

	if (raw_bytes < sizeof(code.header))
		return -CT_EFORMAT;
	memcpy(&code.header, raw, sizeof(code.header));
	code.bytes = raw_bytes - sizeof(code.header);
	err = ct_trace_own(trace, ct_chunk_file_take(reader));
	if (err < 0)
		return err;
	return ct_buffer_append(&trace->codes, &code, sizeof(code)) ? 0 : -ENOMEM;
}

static int load_payload(struct ct_trace *trace, struct ct_part *part, struct ct_chunk_file *reader,
			const struct ct_chunk_header *header, const void *raw)
{
	int err;

	if (header->kind == CT_CHUNK_STRINGS)
		return load_strings(trace, part, raw, header->raw_bytes);
	if (header->kind == CT_CHUNK_RECORDS)
		return -CT_EFORMAT; /* they live in files of their own */
	if (header->kind == CT_CHUNK_UNIT)
		return load_unit(trace, part, reader, raw, header->raw_bytes);
	if (header->kind == CT_CHUNK_CODE)
		return load_code(trace, part, reader, raw, header->raw_bytes);
	err = ct_trace_own(trace, ct_chunk_file_take(reader));
	if (err < 0)
		return err;
	return ct_part_load_events(trace, part, raw, header);
}

static const char *content_of(uint8_t kind)
{
	switch (kind) {
	case CT_CHUNK_EVENTS:
		return "events";
	case CT_CHUNK_STRINGS:
		return "names";
	case CT_CHUNK_UNIT:
		return "the sites of a translation unit";
	case CT_CHUNK_CODE:
		return "device code";
	default:
		return "a chunk that does not belong here";
	}
}

/* Events of one part are numbered without gaps: a gap is a lost chunk, and a
 * step back is a chunk that is there twice. */
static bool check_event_sequence(struct ct_trace *trace, struct ct_part *part,
				 const struct ct_trace_file *file, const struct ct_chunk *chunk)
{
	uint64_t first = chunk->header.first_sequence;

	if (first < part->next_event) {
		ct_trace_warn(trace, "%s: events go back at byte %" PRIu64 "; skipped", file->name,
			      chunk->offset);
		return false;
	}
	if (first > part->next_event)
		ct_trace_warn(trace, "%s: events %" PRIu64 " to %" PRIu64 " are missing",
			      file->name, part->next_event, first - 1);
	part->next_event = chunk->header.last_sequence + 1;
	return true;
}

/* Returns 0, also for a damaged chunk, which is skipped with a warning, or an error. */
static int load_chunk(struct ct_trace *trace, struct ct_part *part, struct ct_chunk_file *reader,
		      const struct ct_trace_file *file, const struct ct_chunk *chunk)
{
	const void *raw;
	int err;

	if (!ct_chunk_is_known(&chunk->header)) {
		ct_trace_warn(trace, "%s: skipped a chunk of unknown kind %u at byte %" PRIu64,
			      file->name, chunk->header.kind, chunk->offset);
		return 0;
	}
	err = ct_chunk_file_read(reader, chunk, &raw);
	if (err == 0 && chunk->header.kind == CT_CHUNK_EVENTS &&
	    !check_event_sequence(trace, part, file, chunk))
		return 0;
	if (err == 0)
		err = load_payload(trace, part, reader, &chunk->header, raw);
	if (err <= -CT_EFORMAT) { /* not the system's: the chunk is to blame */
		ct_trace_warn(trace, "%s: chunk at byte %" PRIu64 ": %s; %s lost", file->name,
			      chunk->offset, ct_strerror(err), content_of(chunk->header.kind));
		trace->is_damaged = true;
		err = 0;
	}
	return err;
}

/* The strings of a file of names; rows are read when they are asked for. */
static int load_name_chunk(struct ct_trace *trace, struct ct_part *part,
			   struct ct_chunk_file *reader, const struct ct_trace_file *file,
			   const struct ct_chunk *chunk)
{
	const void *raw;
	int err;

	if (!ct_chunk_is_known(&chunk->header) || chunk->header.kind != CT_CHUNK_STRINGS)
		return 0;
	err = ct_chunk_file_read(reader, chunk, &raw);
	if (err == 0)
		err = load_strings(trace, part, raw, chunk->header.raw_bytes);
	if (err > -CT_EFORMAT)
		return err;
	ct_trace_warn(trace, "%s: chunk at byte %" PRIu64 ": %s; names lost", file->name,
		      chunk->offset, ct_strerror(err));
	return 0;
}

typedef int load_chunk_fn(struct ct_trace *trace, struct ct_part *part,
			  struct ct_chunk_file *reader, const struct ct_trace_file *file,
			  const struct ct_chunk *chunk);

/* *is_damaged: in places no sound chunk stands. */
static int load_chunks(struct ct_trace *trace, struct ct_part *part,
		       const struct ct_trace_file *file, load_chunk_fn *load, bool *is_damaged)
{
	struct ct_chunk_file *reader;
	struct ct_chunk chunk;
	uint64_t chunks = 0;
	char *path = ct_trace_path(trace, file->name);
	int result, err;

	if (!path)
		return -ENOMEM;
	err = ct_chunk_file_open(&reader, path);
	free(path);
	if (err < 0)
		return err;
	do {
		result = ct_chunk_file_next(reader, &chunk);
		if (ct_trace_warn_chunk(trace, file, result, &chunk, chunks))
			*is_damaged = true;
		if (result == 1)
			err = load(trace, part, reader, file, &chunk);
		chunks++;
	} while (result == 1 && err == 0);
	ct_chunk_file_close(reader);
	if (err == 0 && result < 0 && result != -CT_ETORN)
		err = result;
	return err;
}

int ct_trace_load_events(struct ct_trace *trace, struct ct_part *part,
			 const struct ct_trace_file *file)
{
	return load_chunks(trace, part, file, load_chunk, &trace->is_damaged);
}

int ct_trace_load_names(struct ct_trace *trace, const struct ct_trace_file *file)
{
	struct ct_part *part = ct_trace_part(trace, file->what.part);
	bool is_damaged = false;
	int err;

	if (!part)
		return 0;
	err = load_chunks(trace, part, file, load_name_chunk, &is_damaged);
	if (err < 0 && err != -ENOMEM && err != -CT_EVERSION)
		ct_trace_warn(trace, "%s: %s; names lost", file->name, ct_strerror(err));
	return err == -ENOMEM ? err : 0;
}

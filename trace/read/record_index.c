/* SPDX-License-Identifier: Apache-2.0 */
/* The chunks of a device in the order of their tickets, whatever their order in its files. */
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int compare_chunks(const void *a, const void *b)
{
	const struct ct_record_chunk *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int note_chunk(struct ct_trace *trace, struct ct_trace_file *first, uint32_t number,
		      const struct ct_chunk *chunk, uint32_t place)
{
	const struct ct_record_chunk entry = {
	    .first = chunk->header.first_sequence,
	    .last = chunk->header.last_sequence,
	    .offset = chunk->offset,
	    .file = number,
	    .place = place,
	};

	if (chunk->header.kind != CT_CHUNK_RECORDS || !ct_chunk_is_known(&chunk->header)) {
		ct_trace_warn(trace, "%s: skipped a chunk of unknown kind %u at byte %" PRIu64,
			      first[number].name, chunk->header.kind, chunk->offset);
		return 0;
	}
	if (chunk->header.raw_bytes / 8 > trace->record_words)
		trace->record_words = chunk->header.raw_bytes / 8;
	return ct_buffer_append(&first->chunks, &entry, sizeof(entry)) ? 0 : -ENOMEM;
}

/* Tickets follow one another: a gap is loss, and what is there twice is damage. */
static void check_tickets(struct ct_trace *trace, struct ct_trace_file *first)
{
	struct ct_record_chunk *chunk = CT_ARRAY(struct ct_record_chunk, &first->chunks);
	size_t count = CT_COUNT(struct ct_record_chunk, &first->chunks);
	uint64_t next = 0;

	for (size_t i = 0; i < count; i++, chunk++) {
		chunk->is_double = i > 0 && chunk->first < next;
		if (chunk->is_double) {
			ct_trace_warn(trace,
				      "%s: the chunk at byte %" PRIu64
				      " has tickets that another has, too; skipped",
				      first[chunk->file].name, chunk->offset);
			continue;
		}
		if (chunk->first > next)
			ct_trace_warn(trace, "%s: tickets %" PRIu64 " to %" PRIu64 " are missing",
				      first->name, next, chunk->first - 1);
		chunk->is_after_gap = chunk->first > next;
		next = chunk->last + 1;
		trace->ring_chunks += next - chunk->first;
	}
}

static int walk(struct ct_trace *trace, struct ct_trace_file *first, uint32_t number,
		struct ct_chunk_file *reader)
{
	struct ct_chunk chunk;
	uint32_t places = 0;
	int result, err = 0;

	do {
		result = ct_chunk_file_next(reader, &chunk);
		first->damaged +=
		    (uint64_t)ct_trace_warn_chunk(trace, &first[number], result, &chunk, places);
		if (result == 1)
			err = note_chunk(trace, first, number, &chunk, places++);
	} while (result == 1 && err == 0);
	return err < 0 ? err : result == -CT_ETORN ? 0 : result;
}

static int index_file(struct ct_trace *trace, struct ct_trace_file *first, uint32_t number)
{
	const struct ct_trace_file *file = &first[number];
	struct ct_chunk_file *reader;
	char *path = ct_trace_path(trace, file->name);
	int err = path ? ct_chunk_file_open(&reader, path) : -ENOMEM;

	free(path);
	if (err < 0)
		return err;
	if (file->bytes == 0)
		ct_trace_warn(trace, "%s: is empty (cut or still being written)", file->name);
	err = walk(trace, first, number, reader);
	ct_chunk_file_close(reader);
	return err;
}

int ct_trace_index_records(struct ct_trace *trace, struct ct_trace_file *first, const char **name)
{
	size_t count;
	int err = 0;

	for (uint32_t i = 0; i < first->files && err == 0; i++) {
		*name = first[i].name;
		err = index_file(trace, first, i);
	}
	if (err < 0)
		return err;
	count = CT_COUNT(struct ct_record_chunk, &first->chunks);
	if (count > trace->record_chunks)
		trace->record_chunks = count;
	if (count)
		qsort(first->chunks.bytes, count, sizeof(struct ct_record_chunk), compare_chunks);
	check_tickets(trace, first);
	return 0;
}

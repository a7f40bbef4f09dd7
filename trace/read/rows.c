/* SPDX-License-Identifier: Apache-2.0 */
/* Load the rows of a part's tables, each table when it is first asked for. */
#include "base/error.h"
#include "base/large.h"
#include "trace/codec/table.h"
#include "trace/read/reader_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GAP_MAX (1u << 26) /* rows that may be missing before a chunk; more is damage */

/* A load of one table of one part. */
struct load {
	struct ct_trace *trace;
	const struct ct_trace_file *file;
	const struct ct_table_layout *layout;
	struct ct_chunk_file *reader;
	struct ct_buffer chunks; /* struct ct_chunk, of the table, numbers ascending */
	uint64_t rows;           /* that there is room needed for */
	uint64_t last;           /* number of the last row so far */
};

static uint64_t rows_of(const struct ct_chunk *chunk)
{
	return chunk->header.last_sequence - chunk->header.first_sequence + 1;
}

/* Each row takes a byte at least. */
static bool is_sound(const struct ct_chunk *chunk)
{
	return chunk->header.first_sequence > 0 && rows_of(chunk) <= chunk->header.raw_bytes;
}

/* A gap is a lost chunk, a step back one that is there twice. */
static int note_chunk(struct load *load, const struct ct_chunk *chunk)
{
	uint64_t first = chunk->header.first_sequence, missing = first - load->last - 1;

	if (!is_sound(chunk) || first <= load->last || missing > GAP_MAX) {
		ct_trace_warn(load->trace, "%s: rows at byte %" PRIu64 " are out of order; skipped",
			      load->file->name, chunk->offset);
		return 0;
	}
	if (missing)
		ct_trace_warn(load->trace, "%s: %" PRIu64 " rows of table %s are missing",
			      load->file->name, missing, load->layout->name);
	load->last = chunk->header.last_sequence;
	load->rows = load->layout->is_numbered ? load->last : load->rows + rows_of(chunk);
	return ct_buffer_append(&load->chunks, chunk, sizeof(*chunk)) ? 0 : -ENOMEM;
}

static int find_chunks(struct load *load)
{
	struct ct_chunk chunk;
	uint64_t chunks = 0;
	int result, err = 0;

	while (err == 0 && (result = ct_chunk_file_next(load->reader, &chunk)) == 1) {
		chunks++;
		if (load->layout->is_of_names && chunk.header.kind == CT_CHUNK_STRINGS)
			continue; /* ct_trace_load_names has them */
		if (!ct_chunk_is_known(&chunk.header) || chunk.header.kind != CT_CHUNK_TABLE)
			ct_trace_warn(load->trace,
				      "%s: skipped a chunk of unknown kind %u at byte %" PRIu64,
				      load->file->name, chunk.header.kind, chunk.offset);
		else if (chunk.header.table == load->layout->number)
			err = note_chunk(load, &chunk);
	}
	if (err < 0)
		return err;
	ct_trace_warn_chunk(load->trace, load->file, result, &chunk, chunks);
	return result == 0 || result == -CT_ETORN || result == -CT_EVERSION ? 0 : result;
}

static int decode_chunk(struct load *load, const struct ct_chunk *chunk, char *rows)
{
	const void *raw;
	int err = ct_chunk_file_read(load->reader, chunk, &raw);

	if (err == 0)
		err = ct_table_decode(load->layout, raw, chunk->header.raw_bytes, rows,
				      (uint32_t)rows_of(chunk));
	if (err > -CT_EFORMAT)
		return err;
	ct_trace_warn(
	    load->trace, "%s: chunk at byte %" PRIu64 ": %s; %" PRIu64 " rows of table %s lost",
	    load->file->name, chunk->offset, ct_strerror(err), rows_of(chunk), load->layout->name);
	return -CT_EFORMAT;
}

/* Numbered rows keep their places; of others what is lost leaves none. Returns how many there are,
 * or an error. */
static int64_t decode_chunks(struct load *load, char *rows)
{
	const struct ct_chunk *chunks = CT_ARRAY(const struct ct_chunk, &load->chunks);
	size_t bytes = load->layout->row_bytes;
	uint64_t at = 0;

	for (size_t i = 0; i < CT_COUNT(struct ct_chunk, &load->chunks); i++) {
		char *place;
		int err;

		if (load->layout->is_numbered)
			at = chunks[i].header.first_sequence - 1;
		place = rows + at * bytes;
		err = decode_chunk(load, &chunks[i], place);
		if (err < 0 && err != -CT_EFORMAT)
			return err;
		if (err == 0)
			at += rows_of(&chunks[i]);
		else
			memset(place, 0, rows_of(&chunks[i]) * bytes);
	}
	return load->layout->is_numbered ? (int64_t)load->rows : (int64_t)at;
}

static int load_table(struct load *load, struct ct_part_rows *table)
{
	char *path = ct_trace_path(load->trace, load->file->name), *rows;
	int err = path ? ct_chunk_file_open(&load->reader, path) : -ENOMEM;
	int64_t count;

	free(path);
	if (err < 0)
		return err;
	err = find_chunks(load);
	if (err < 0 || load->rows == 0)
		return err;
	rows = ct_large_alloc(load->rows, load->layout->row_bytes);
	if (!rows)
		return -ENOMEM;
	count = decode_chunks(load, rows);
	if (count < 0) {
		ct_large_free(rows);
		return (int)count;
	}
	table->rows = rows;
	table->count = (size_t)count;
	return ct_trace_own_rows(load->trace, rows);
}

static const struct ct_trace_file *file_of(const struct ct_trace *trace, uint32_t part,
					   enum ct_file_kind kind)
{
	const struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files);

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++)
		if (files[i].what.kind == kind && files[i].what.part == part)
			return &files[i];
	return NULL;
}

int ct_trace_rows(struct ct_trace *trace, uint32_t part, enum ct_table_number number,
		  const void **rows, size_t *count)
{
	const struct ct_table_layout *layout = ct_table_layout(number);
	struct load load = {
	    .trace = trace,
	    .file = file_of(trace, part, layout->is_of_names ? CT_FILE_NAMES : CT_FILE_TABLES),
	    .layout = layout};
	struct ct_part *of = ct_trace_part(trace, part);
	struct ct_part_rows *table = of ? &of->rows[number] : NULL;
	int err = 0;

	*rows = NULL;
	*count = 0;
	if (!table || !load.file)
		return 0;
	if (!table->is_loaded) {
		err = load_table(&load, table);
		ct_chunk_file_close(load.reader);
		ct_buffer_fini(&load.chunks);
		table->is_loaded = err == 0;
	}
	*rows = table->rows;
	*count = table->count;
	return err;
}

void ct_trace_have_one_reader(struct ct_trace *trace)
{
	trace->has_one_reader = true;
}

void ct_trace_drop_rows(struct ct_trace *trace, uint32_t part, enum ct_table_number number)
{
	void **owned = CT_ARRAY(void *, &trace->owned_rows);
	struct ct_part *of = ct_trace_part(trace, part);
	struct ct_part_rows *table = of ? &of->rows[number] : NULL;

	if (!table || !table->rows || !trace->has_one_reader)
		return;
	for (size_t i = 0; i < CT_COUNT(void *, &trace->owned_rows); i++)
		if (owned[i] == table->rows) {
			ct_large_free(owned[i]);
			owned[i] = NULL;
		}
	*table = (struct ct_part_rows){.rows = NULL};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Write rows of tables, to a file of their own. */
#include "trace/codec/table.h"
#include "trace/write/writer.h"
#include "trace/write/writer_state.h"

#include <cudatrace/error.h>

static void tables_name(const struct ct_writer *writer, char name[CT_FILE_NAME_BYTES])
{
	struct ct_file_name file = {.kind = CT_FILE_TABLES, .part = writer->options.part};

	ct_file_name_format(&file, name);
}

static int open_file(struct ct_writer *writer, const char *name)
{
	int err = 0;

	if (!writer->rows_coder)
		err = ct_coder_open(&writer->rows_coder, writer->options.level);
	if (err == 0 && !writer->tables_file.folder)
		err = ct_append_open(&writer->tables_file, &writer->folder, name);
	return err;
}

/* The chunk's rows have their numbers, whether it can be written or not. */
static int write_chunk(struct ct_writer *writer, const struct ct_table_layout *layout,
		       const void *rows, uint32_t count)
{
	uint64_t *written = &writer->row_count[layout->number];
	struct ct_chunk_header header = {.kind = CT_CHUNK_TABLE,
					 .table = layout->number,
					 .first_sequence = *written + 1,
					 .last_sequence = *written + count};
	struct ct_buffer *raw = &writer->rows_payload;
	const void *payload;
	int err;

	*written += count;
	raw->size = 0;
	err = ct_table_encode(layout, rows, count, raw);
	if (err == 0)
		err = ct_chunk_code(writer->rows_coder, CT_CODEC_ZSTD, &header, raw->bytes,
				    raw->size, &payload);
	if (err == 0)
		err = ct_append_chunk(&writer->tables_file, &header, payload);
	if (err == 0)
		writer->bytes += sizeof(header) + header.coded_bytes;
	return err;
}

static bool is_at_limit(const struct ct_writer *writer)
{
	return writer->options.limit_bytes && writer->bytes >= writer->options.limit_bytes;
}

int ct_writer_rows(struct ct_writer *writer, enum ct_table_number table, const void *rows,
		   size_t count, uint64_t *first)
{
	const struct ct_table_layout *layout = ct_table_layout(table);
	uint32_t most = ct_table_rows_max(layout);
	const char *row = rows;
	char name[CT_FILE_NAME_BYTES];
	int err;

	tables_name(writer, name);
	pthread_mutex_lock(&writer->rows_lock);
	if (first)
		*first = writer->row_count[table] + 1;
	err = writer->error < 0 ? writer->error : open_file(writer, name);
	while (count > 0) {
		uint32_t some = count < most ? (uint32_t)count : most;

		if (err == 0 && is_at_limit(writer))
			err = -CT_ELIMIT;
		if (err == 0)
			err = write_chunk(writer, layout, row, some);
		else
			writer->row_count[table] += some;
		row += (size_t)some * layout->row_bytes;
		count -= some;
	}
	pthread_mutex_unlock(&writer->rows_lock);
	return err < 0 && err != -CT_ELIMIT ? ct_writer_fail(writer, err, "write", name) : err;
}

void ct_writer_rows_fini(struct ct_writer *writer)
{
	ct_append_close(&writer->tables_file);
	ct_coder_close(writer->rows_coder);
	ct_buffer_fini(&writer->rows_payload);
}

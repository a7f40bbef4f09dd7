/* SPDX-License-Identifier: Apache-2.0 */
/* Stream the records of a trace, device file by device file. */
#include "reader_state.h"
#include "records.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct scan {
	struct ct_trace *trace;
	const struct ct_scan *request;
	const struct ct_trace_file *file;
	struct ct_records records;
	bool is_first; /* shard 0: tells of what is wrong between chunks */
	uint64_t damaged_chunks;
	uint64_t next_ticket;
	uint64_t bytes_done, bytes_total;
};

/* Ticket order within a file. Returns false for a chunk that does not advance. */
static bool check_tickets(struct ct_trace *trace, const struct ct_trace_file *file,
			  const struct ct_chunk *chunk, uint64_t *next_ticket, bool is_told)
{
	uint64_t first = chunk->header.first_sequence, next = *next_ticket;

	if (first < next) {
		if (is_told)
			ct_trace_warn(trace, "%s: tickets go back at byte %" PRIu64 "; skipped",
				      file->name, chunk->offset);
		return false;
	}
	if (first > next && is_told)
		ct_trace_warn(trace, "%s: tickets %" PRIu64 " to %" PRIu64 " are missing",
			      file->name, next, first - 1);
	*next_ticket = chunk->header.last_sequence + 1;
	return true;
}

static bool is_records(struct ct_trace *trace, const struct ct_trace_file *file,
		       const struct ct_chunk *chunk, bool is_told)
{
	if (chunk->header.kind == CT_CHUNK_RECORDS && ct_chunk_is_known(&chunk->header))
		return true;
	if (is_told)
		ct_trace_warn(trace, "%s: skipped a chunk of unknown kind %u at byte %" PRIu64,
			      file->name, chunk->header.kind, chunk->offset);
	return false;
}

static int open_records(const struct ct_trace *trace, const struct ct_trace_file *file,
			struct ct_chunk_file **reader)
{
	char *path = ct_trace_path(trace, file->name);
	int err = path ? ct_chunk_file_open(reader, path) : -ENOMEM;

	free(path);
	return err;
}

int ct_trace_check_records(struct ct_trace *trace, const struct ct_trace_file *file)
{
	struct ct_chunk_file *reader;
	struct ct_chunk chunk;
	uint64_t next_ticket = 0, chunks = 0;
	int result, err = open_records(trace, file, &reader);

	if (err < 0)
		return err;
	if (file->bytes == 0)
		ct_trace_warn(trace, "%s: is empty (cut or still being written)", file->name);
	while ((result = ct_chunk_file_next(reader, &chunk)) == 1) {
		ct_trace_warn_chunk(trace, file, result, &chunk, chunks++);
		if (is_records(trace, file, &chunk, true))
			check_tickets(trace, file, &chunk, &next_ticket, true);
		if (chunk.header.raw_bytes / 8 > trace->record_words)
			trace->record_words = chunk.header.raw_bytes / 8;
	}
	if (chunks > trace->record_chunks)
		trace->record_chunks = chunks;
	ct_trace_warn_chunk(trace, file, result, &chunk, chunks);
	ct_chunk_file_close(reader);
	return result == -CT_ETORN ? 0 : result;
}

/* Decode a chunk of records, of that number in its file, as far as it is valid. */
static void scan_records(struct scan *scan, const void *raw, const struct ct_chunk *chunk,
			 uint64_t number)
{
	size_t position;
	int err = ct_records_chunk(&scan->records, number, raw, chunk->header.raw_bytes, &position);

	if (err == 0 || scan->records.stop)
		return;
	ct_trace_warn(
	    scan->trace,
	    "%s: chunk at byte %" PRIu64 ": offset %zu: %s; the rest of its %u bytes is lost",
	    scan->file->name, chunk->offset, position, ct_strerror(err), chunk->header.raw_bytes);
	ct_records_lost(&scan->records);
	scan->records.is_damaged = true;
}

static int scan_payload(struct scan *scan, struct ct_chunk_file *reader,
			const struct ct_chunk *chunk, uint64_t number)
{
	const void *raw;
	int err = ct_chunk_file_read(reader, chunk, &raw);

	if (err == 0)
		scan_records(scan, raw, chunk, number);
	if (err > -CT_EFORMAT)
		return err;
	ct_trace_warn(scan->trace,
		      "%s: chunk at byte %" PRIu64 ": %s; its %u bytes of records are lost",
		      scan->file->name, chunk->offset, ct_strerror(err), chunk->header.raw_bytes);
	ct_records_lost(&scan->records);
	scan->records.is_damaged = true;
	return 0;
}

static int scan_chunk(struct scan *scan, struct ct_chunk_file *reader, const struct ct_chunk *chunk,
		      uint64_t number)
{
	const struct ct_scan *request = scan->request;
	bool is_gap = chunk->header.first_sequence != scan->next_ticket, is_ahead;
	int err = 0;

	if (!is_records(scan->trace, scan->file, chunk, scan->is_first))
		return 0;
	is_ahead =
	    check_tickets(scan->trace, scan->file, chunk, &scan->next_ticket, scan->is_first);
	if (request->shards && number % request->shards != request->shard)
		return 0;
	scan->records.is_damaged = !is_ahead;
	if (is_gap)
		ct_records_lost(&scan->records);
	if (is_ahead)
		err = scan_payload(scan, reader, chunk, number);
	scan->damaged_chunks += scan->records.is_damaged;
	return err;
}

static void report_progress(struct scan *scan, uint64_t file_done)
{
	if (scan->request->progress && !scan->records.stop)
		scan->records.stop = scan->request->progress(
		    scan->request->user, scan->bytes_done + file_done, scan->bytes_total);
}

static int scan_file(struct scan *scan, const struct ct_trace_file *file)
{
	struct ct_chunk_file *reader;
	struct ct_chunk chunk;
	uint64_t chunks = 0;
	int result, err = open_records(scan->trace, file, &reader);

	if (err < 0)
		return err;
	scan->file = file;
	scan->next_ticket = 0;
	ct_records_begin(&scan->records, file);
	do {
		result = ct_chunk_file_next(reader, &chunk);
		if (scan->is_first)
			scan->damaged_chunks += (uint64_t)ct_trace_warn_chunk(
			    scan->trace, file, result, &chunk, chunks);
		if (result == 1)
			err = scan_chunk(scan, reader, &chunk, chunks++);
		if (result == 1 && err == 0)
			report_progress(scan, chunk.offset);
	} while (result == 1 && err == 0 && !scan->records.stop);
	ct_records_end(&scan->records);
	ct_chunk_file_close(reader);
	if (err == 0 && result < 0 && result != -CT_ETORN)
		err = result;
	return err;
}

/* Paths and values are put together over several chunks, which shards have not. */
static bool is_sound(const struct ct_scan *request)
{
	return !request->shards ||
	       (request->shard < request->shards && !request->paths && !request->value);
}

int ct_trace_scan(struct ct_trace *trace, const struct ct_scan *request, uint64_t *damaged_chunks)
{
	const struct ct_trace_file *files = CT_ARRAY(struct ct_trace_file, &trace->files);
	size_t count = CT_COUNT(struct ct_trace_file, &trace->files);
	struct scan scan = {.trace = trace,
			    .request = request,
			    .is_first = !request->shards || request->shard == 0};
	int err = is_sound(request) ? ct_records_init(&scan.records, trace, request) : -EINVAL;

	if (damaged_chunks)
		*damaged_chunks = 0;
	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++)
		scan.bytes_total += files[i].what.kind == CT_FILE_DEVICE ? files[i].bytes : 0;
	for (size_t i = 0; i < count && err == 0 && !scan.records.stop; i++) {
		if (files[i].what.kind != CT_FILE_DEVICE)
			continue;
		err = scan_file(&scan, &files[i]);
		scan.bytes_done += files[i].bytes;
		if (err == 0)
			report_progress(&scan, 0);
	}
	ct_records_fini(&scan.records);
	if (damaged_chunks)
		*damaged_chunks = scan.damaged_chunks;
	return scan.records.stop ? scan.records.stop : err;
}

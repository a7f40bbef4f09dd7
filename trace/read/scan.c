/* SPDX-License-Identifier: Apache-2.0 */
/* Stream the records of a trace, device by device. */
#include "trace/read/reader_state.h"
#include "trace/read/records.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct scan {
	struct ct_trace *trace;
	const struct ct_scan *request;
	const struct ct_trace_file *device; /* the first of its files */
	struct ct_chunk_file **readers;     /* of its files; NULL: not open yet */
	struct ct_records records;
	uint64_t damaged_chunks;
	uint64_t bytes_done, bytes_total;
};

static int open_reader(struct scan *scan, uint32_t file)
{
	char *path;
	int err;

	if (scan->readers[file])
		return 0;
	path = ct_trace_path(scan->trace, scan->device[file].name);
	err = path ? ct_chunk_file_open(&scan->readers[file], path) : -ENOMEM;
	free(path);
	return err;
}

/* Decode a chunk of records, of that number in its device, as far as it is valid. */
static void scan_records(struct scan *scan, const struct ct_record_chunk *entry, const void *raw,
			 const struct ct_chunk *chunk, uint64_t number)
{
	size_t position;
	int err = ct_records_chunk(&scan->records, number, raw, chunk->header.raw_bytes, &position);

	if (err == 0 || scan->records.stop)
		return;
	ct_trace_warn(scan->trace,
		      "%s: chunk at byte %" PRIu64
		      ": offset %zu: %s; the rest of its %u bytes is lost",
		      scan->device[entry->file].name, chunk->offset, position, ct_strerror(err),
		      chunk->header.raw_bytes);
	ct_records_lost(&scan->records);
	scan->records.is_damaged = true;
}

static int scan_payload(struct scan *scan, const struct ct_record_chunk *entry,
			const struct ct_chunk *chunk, uint64_t number)
{
	const void *raw;
	int err = ct_chunk_file_read(scan->readers[entry->file], chunk, &raw);

	if (err == 0)
		scan_records(scan, entry, raw, chunk, number);
	if (err > -CT_EFORMAT)
		return err;
	ct_trace_warn(scan->trace,
		      "%s: chunk at byte %" PRIu64 ": %s; its %u bytes of records are lost",
		      scan->device[entry->file].name, chunk->offset, ct_strerror(err),
		      chunk->header.raw_bytes);
	ct_records_lost(&scan->records);
	scan->records.is_damaged = true;
	return 0;
}

/* Whether the scan's shard has the chunk: by what does not change while the files grow. */
static bool is_of_shard(const struct scan *scan, const struct ct_record_chunk *entry)
{
	uint64_t number = (uint64_t)scan->device[entry->file].what.file + entry->place;

	return !scan->request->shards || number % scan->request->shards == scan->request->shard;
}

static int scan_chunk(struct scan *scan, const struct ct_record_chunk *entry, uint64_t number)
{
	struct ct_chunk chunk;
	int err = 0;

	if (!is_of_shard(scan, entry))
		return 0;
	scan->records.is_damaged = entry->is_double;
	if (entry->is_after_gap)
		ct_records_lost(&scan->records);
	if (!entry->is_double) {
		err = open_reader(scan, entry->file);
		if (err < 0)
			return err;
		err = ct_chunk_file_at(scan->readers[entry->file], entry->offset, &chunk);
		if (err == 0)
			err = scan_payload(scan, entry, &chunk, number);
		else if (err <= -CT_EFORMAT)
			err = -ESTALE; /* written anew meanwhile */
	}
	scan->damaged_chunks += scan->records.is_damaged;
	return err;
}

static void report_progress(struct scan *scan, uint64_t device_done)
{
	if (scan->request->progress && !scan->records.stop)
		scan->records.stop = scan->request->progress(
		    scan->request->user, scan->bytes_done + device_done, scan->bytes_total);
}

/* Chunks in the order of their tickets. bytes: of the device's files. */
static int scan_chunks(struct scan *scan, uint64_t bytes)
{
	const struct ct_record_chunk *chunks =
	    CT_ARRAY(const struct ct_record_chunk, &scan->device->chunks);
	size_t count = CT_COUNT(struct ct_record_chunk, &scan->device->chunks);
	int err = 0;

	ct_records_begin(&scan->records, scan->device);
	for (size_t i = 0; i < count && err == 0 && !scan->records.stop; i++) {
		err = scan_chunk(scan, &chunks[i], i);
		if (err == 0)
			report_progress(scan, bytes / count * i);
	}
	ct_records_end(&scan->records);
	return err;
}

static int scan_device(struct scan *scan, const struct ct_trace_file *first)
{
	uint64_t bytes = 0;
	int err;

	scan->device = first;
	scan->readers = calloc(first->files, sizeof(struct ct_chunk_file *));
	if (!scan->readers)
		return -ENOMEM;
	if (!scan->request->shards || scan->request->shard == 0)
		scan->damaged_chunks += first->damaged;
	for (uint32_t i = 0; i < first->files; i++)
		bytes += first[i].bytes;
	err = scan_chunks(scan, bytes);
	for (uint32_t i = 0; i < first->files; i++)
		ct_chunk_file_close(scan->readers[i]);
	free(scan->readers);
	scan->bytes_done += bytes;
	if (err == 0)
		report_progress(scan, 0);
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
	struct scan scan = {.trace = trace, .request = request};
	int err = is_sound(request) ? ct_records_init(&scan.records, trace, request) : -EINVAL;

	if (damaged_chunks)
		*damaged_chunks = 0;
	if (err < 0)
		return err;
	for (size_t i = 0; i < count; i++)
		scan.bytes_total += files[i].what.kind == CT_FILE_DEVICE ? files[i].bytes : 0;
	for (size_t i = 0; i < count && err == 0 && !scan.records.stop; i++)
		if (files[i].files)
			err = scan_device(&scan, &files[i]);
	ct_records_fini(&scan.records);
	if (damaged_chunks)
		*damaged_chunks = scan.damaged_chunks;
	return scan.records.stop ? scan.records.stop : err;
}

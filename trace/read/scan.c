/* SPDX-License-Identifier: Apache-2.0 */
/* Stream the records of a trace, chunk by chunk. */
#include "trace/read/reader_state.h"
#include "trace/read/scanner.h"

#include <errno.h>

struct scan {
	struct ct_trace *trace;
	const struct ct_scan *request;
	struct ct_scanner *scanner;
	struct ct_loaded *loaded;
	uint64_t damaged_chunks;
	uint64_t bytes;
};

static int report_progress(const struct scan *scan, size_t done, size_t total)
{
	if (!scan->request->progress)
		return 0;
	return scan->request->progress(scan->request->user, scan->bytes / total * done,
				       scan->bytes);
}

/* Whether the scan's shard has the chunk. */
static bool is_of_shard(const struct scan *scan, size_t chunk)
{
	const struct ct_scan *request = scan->request;

	return !request->shards ||
	       ct_trace_chunk_place(scan->trace, chunk) % request->shards == request->shard;
}

static int scan_chunk(struct scan *scan, size_t chunk)
{
	int err = ct_scanner_load(scan->scanner, chunk, scan->loaded);

	if (err == 0)
		err = ct_scanner_take(scan->scanner, scan->loaded);
	if (err >= 0)
		scan->damaged_chunks += ct_loaded_is_damaged(scan->loaded);
	return err;
}

static int scan_all(struct scan *scan)
{
	size_t count = ct_trace_record_chunks(scan->trace);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		if (!is_of_shard(scan, i))
			continue;
		err = scan_chunk(scan, i);
		if (err == 0)
			err = report_progress(scan, i + 1, count);
	}
	return err == 0 ? ct_scanner_end(scan->scanner) : err;
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
	struct scan scan = {.trace = trace, .request = request};
	int err = is_sound(request) ? ct_loaded_open(&scan.loaded) : -EINVAL;

	for (size_t i = 0; i < CT_COUNT(struct ct_trace_file, &trace->files); i++)
		scan.bytes += files[i].what.kind == CT_FILE_DEVICE ? files[i].bytes : 0;
	if (!request->shards || request->shard == 0)
		scan.damaged_chunks = ct_trace_damaged_places(trace);
	if (err == 0)
		err = ct_scanner_open(&scan.scanner, trace, request, 1, 0);
	if (err == 0)
		err = scan_all(&scan);
	ct_scanner_close(scan.scanner);
	ct_loaded_close(scan.loaded);
	if (damaged_chunks)
		*damaged_chunks = scan.damaged_chunks;
	return err;
}

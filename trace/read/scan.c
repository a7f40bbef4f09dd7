/* SPDX-License-Identifier: Apache-2.0 */
/* Stream the records of a trace, chunk by chunk. */
#include "trace/read/reader_state.h"
#include "trace/read/scanner.h"

static int scan_chunks(struct ct_scanner *scanner, size_t chunks, struct ct_loaded *loaded,
		       uint64_t *damaged_chunks)
{
	int err = 0;

	for (size_t i = 0; i < chunks && err == 0; i++) {
		err = ct_scanner_load(scanner, i, loaded);
		if (err == 0)
			err = ct_scanner_take(scanner, loaded);
		if (err >= 0)
			*damaged_chunks += ct_loaded_is_damaged(loaded);
	}
	return err == 0 ? ct_scanner_end(scanner) : err;
}

int ct_trace_scan(struct ct_trace *trace, const struct ct_scan *request, uint64_t *damaged_chunks)
{
	uint64_t damaged = ct_trace_damaged_places(trace);
	struct ct_scanner *scanner = NULL;
	struct ct_loaded *loaded;
	int err = ct_loaded_open(&loaded);

	ct_trace_begin_work(trace);
	if (err == 0)
		err = ct_scanner_open(&scanner, trace, request, 1, 0);
	if (err == 0)
		err = scan_chunks(scanner, ct_trace_record_chunks(trace), loaded, &damaged);
	ct_scanner_close(scanner);
	ct_loaded_close(loaded);
	if (damaged_chunks)
		*damaged_chunks = damaged;
	return err;
}

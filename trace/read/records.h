/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one device file as what a scan hands out: sites resolved,
 * values behind their accesses, lanes split by call path.
 */
#ifndef CT_TRACE_RECORDS_H
#define CT_TRACE_RECORDS_H

#include "trace/read/held.h"
#include "trace/read/paths.h"
#include "trace/read/reader_state.h"

struct ct_records {
	struct ct_trace *trace;
	const struct ct_scan *request;
	const char *file;                    /* name, for warnings */
	const struct ct_part *part;          /* NULL: its events file is missing */
	const struct ct_launch_info *launch; /* of the last segment; often the next one's too */
	struct ct_access access;             /* of the record at hand */
	struct ct_paths *paths;              /* NULL: not asked for, or there are no calls */
	struct ct_parking *parking;          /* NULL: values are not asked for */
	struct ct_held held;
	uint64_t chunk; /* number of the current one in its file */
	uint32_t tag;   /* unit that tag_launch's records mean by it: often the next one's too */
	const struct ct_launch_info *tag_launch;
	const struct ct_unit *tag_unit;
	bool is_damaged; /* set when something was skipped with a warning */
	int stop;        /* what a callback of the user returned, or an error */
};

int ct_records_init(struct ct_records *records, struct ct_trace *trace,
		    const struct ct_scan *request);
void ct_records_fini(struct ct_records *records);

/* Begin with a device file. */
void ct_records_begin(struct ct_records *records, const struct ct_trace_file *file);

/* Hand out the records of one chunk, whose number in the file is chunk. Returns as ct_decode. */
int ct_records_chunk(struct ct_records *records, uint64_t chunk, const void *raw, size_t bytes,
		     size_t *position);

/* Something is lost here: calls and values are not brought together across it. */
void ct_records_lost(struct ct_records *records);

/* After the last chunk: hand out what is held. */
void ct_records_end(struct ct_records *records);

#endif

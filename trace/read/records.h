/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one device file as what a scan hands out: sites resolved,
 * values behind their accesses, lanes split by call path.
 */
#ifndef CT_TRACE_READ_RECORDS_H
#define CT_TRACE_READ_RECORDS_H

#include "trace/codec/segments.h"
#include "trace/read/held.h"
#include "trace/read/paths.h"
#include "trace/read/reader_state.h"

/* Warps are told apart into classes, by launch, CTA and number. What a scan keeps of warps
 * (values to come, calls) it keeps by class and bounds by class, so that it hands out the same
 * whichever classes it is asked for. */
#define CT_WARP_CLASS_BITS 8u
#define CT_WARP_CLASSES (1u << CT_WARP_CLASS_BITS)

static inline uint32_t ct_warp_class(uint32_t launch, uint64_t cta, uint32_t warp)
{
	uint64_t number = cta * 32 + warp + launch * 0xc4ceb9fe1a85ec53u;

	return (uint32_t)(number * 0x9e3779b97f4a7c15u >> (64 - CT_WARP_CLASS_BITS));
}

struct ct_records {
	struct ct_trace *trace;
	const struct ct_scan *request;
	const struct ct_launch_info *launches; /* the trace's */
	const struct ct_unit *units;
	const char *file;                    /* name, for warnings */
	const struct ct_part *part;          /* NULL: its events file is missing */
	const struct ct_launch_info *launch; /* of the last segment; often the next one's too */
	struct ct_access access;             /* of the record at hand */
	struct ct_paths **all_paths;         /* by class; NULL: not asked for, or no calls */
	struct ct_paths *paths;              /* of the warp at hand; NULL likewise */
	struct ct_parking **all_parking;     /* by class; NULL: values are not asked for */
	struct ct_parking *parking;          /* of the warp at hand */
	struct ct_held_row held;
	uint64_t chunk;  /* number of the current one in its file */
	uint64_t number; /* of the next access or event in it */
	uint32_t tag;    /* unit that tag_launch's records mean by it: often the next one's too */
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

/* Likewise, but only those segments of it that are owner's. */
int ct_records_segments(struct ct_records *records, uint64_t chunk, const void *raw,
			const struct ct_segments *segments, uint32_t owner);

/* Something is lost here: calls and values are not brought together across it. */
void ct_records_lost(struct ct_records *records);

/* After the last chunk: hand out what is held. */
void ct_records_end(struct ct_records *records);

#endif

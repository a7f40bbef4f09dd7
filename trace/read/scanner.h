/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scan taken apart, for several threads: each has a scanner, with which it reads chunks into
 * memory and hands out what is in chunks that it or another has read: all of a chunk, or the
 * segments of the warps that it owns. postproc/scan says when each does what; ct_trace_scan is
 * one scanner that does everything.
 *
 * Chunks are numbered in the order in which a scan hands them out: by part and device, and by
 * their tickets there.
 */
#ifndef CT_TRACE_READ_SCANNER_H
#define CT_TRACE_READ_SCANNER_H

#include "trace/read/reader.h"

#include <stdbool.h>

/* Chunks of records that stand in the trace. */
size_t ct_trace_record_chunks(const struct ct_trace *trace);

/* A number of a chunk that does not change while the trace grows. */
uint64_t ct_trace_chunk_place(const struct ct_trace *trace, size_t chunk);

/* Places in device files where no sound chunk stands. */
uint64_t ct_trace_damaged_places(const struct ct_trace *trace);

/* Memory that a chunk in memory takes, about, at most. */
uint64_t ct_trace_chunk_bytes(const struct ct_trace *trace);

/* A chunk in memory. Read by one thread; then any number may hand out from it at a time. */
struct ct_loaded;

int ct_loaded_open(struct ct_loaded **out);
void ct_loaded_close(struct ct_loaded *loaded); /* NULL is allowed */

/* Whether something of the chunk was skipped, as far as it has been handed out. */
bool ct_loaded_is_damaged(const struct ct_loaded *loaded);

struct ct_scanner;

/* owners: how many share the warps; owner: this one's number. Without sharing: 1 and 0. trace and
 * request must outlive the scanner; the trace is this thread's. -ENOMEM. */
int ct_scanner_open(struct ct_scanner **out, struct ct_trace *trace, const struct ct_scan *request,
		    uint32_t owners, uint32_t owner);
void ct_scanner_close(struct ct_scanner *scanner); /* NULL is allowed */

/* Read a chunk, over what was in loaded; and, where there are several owners, find which of its
 * segments are whose. 0 also if it is damaged; -errno. */
int ct_scanner_load(struct ct_scanner *scanner, size_t chunk, struct ct_loaded *loaded);

/* Hand out what is this owner's. In ascending order of chunks, which may leave some out unless
 * values or paths are asked for. Returns what a callback did, or an error. */
int ct_scanner_take(struct ct_scanner *scanner, struct ct_loaded *loaded);

/* After the last chunk: hand out what is held back. Likewise. */
int ct_scanner_end(struct ct_scanner *scanner);

#endif

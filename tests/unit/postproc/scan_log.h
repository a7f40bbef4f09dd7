/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An analysis that keeps everything it is handed, and the same from ct_trace_scan, so that both
 * can be compared record by record.
 */
#ifndef SCAN_LOG_H
#define SCAN_LOG_H

#include "postproc/scan/pass.h"

/* One access, event or value; `what` is a hash of all that it is given. */
struct scan_item {
	uint64_t device; /* part << 32 | device */
	uint64_t warp;   /* launch << 40 | CTA << 8 | warp; not of CT_WANT_ORDER */
	uint64_t segment, number;
	uint64_t order; /* in its state */
	uint64_t what;
};

struct scan_log {
	/* To be set: bits of enum ct_want. */
	unsigned wants;
	const uint8_t *launches;
	const uint8_t *const *sites;
	/* Items in the order in which they are to be compared, see scan_log_sort. */
	struct scan_item *item;
	size_t count, room;
	uint64_t damaged, chunks;
	int fail_at; /* this many items make a state fail with -ERANGE; 0: none */
	int begun, again;
};

extern const struct ct_analysis scan_log_analysis;

/* Collects what one scan hands out. 0 or what it returned. */
int scan_log_read(struct scan_log *log, struct ct_trace *trace);

/* By warp if it wants warps, by segment (which are chunks') if not; as it came with
 * CT_WANT_ORDER. */
void scan_log_sort(struct scan_log *log);
void scan_log_fini(struct scan_log *log);

/* 0 if they are equal; else says on stderr what is not. Both are sorted first. */
int scan_log_compare(struct scan_log *a, struct scan_log *b);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who wrote each byte of a page last, who read it, and how often its elements are accessed: what
 * becomes of the flow between objects, of dead bytes, and of how an object is used (DrGPUM,
 * ValueExpert; docs/values.md).
 *
 *	during a run (page, superstep):   marks, by byte      ct_history_mark, hits
 *	at its end:                       marks x spans -> spans, and facts     ct_history_end_run
 *	when an object ends, or the page: its bytes' use -> facts              ct_history_end_page
 *
 * Spans are bytes side by side with the same history; a page that is used as a whole is one.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_HISTORY_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_HISTORY_H

#include "postproc/analysis/values/base/engine.h"

#include <string.h>

/* A run does one of these to a byte. */
enum {
	CT_MARK_READ_OLD = 1, /* what was there before the run, */
	CT_MARK_READ_OWN = 2, /* or what the run has written */
	CT_MARK_WROTE = 4,
	CT_MARK_SAME = 8,    /* it was there already */
	CT_MARK_LOADED = 32, /* it read something: of either, if it is mixed */
	CT_MARK_MIXED = 16,  /* elements of several places or sizes: in which order is not known */
};

#define CT_HISTORY_BYTES 4096u

/* From start to where the next one begins. */
struct ct_history_span {
	uint32_t start;
	uint32_t writer; /* one more than the superstep; 0: nothing since the allocation; */
	uint32_t user;   /* likewise: the last launch that accessed it */
	bool is_unread;  /* since then */
	bool is_open;    /* it is not known who wrote it last */
};

/* Bytes of an object in the page. */
struct ct_history_part {
	uint32_t start, end, object;
	uint64_t touched, shared, wrote; /* of the run at hand */
	/* The known content: a hash, how many bytes, and of since when. */
	uint64_t hash;
	uint32_t known, floor;
	bool is_known; /* what is known of its content is known, since that floor */
};

/* Sums what flows from a writer to the run at hand. */
struct ct_history_edge {
	uint32_t writer, object;
	uint64_t read, over, same, dead;
};

/* Says what the superstep of a run is, as far as bytes are concerned, and whether it is known who
 * wrote last what the writer wrote, of the edge at hand. */
struct ct_history_run {
	bool is_launch, is_ordered, hides, is_certain;
};

struct ct_value_history {
	const struct ct_value_engine *engine;
	struct ct_sums *sums;
	uint64_t page;
	uint32_t step;
	bool is_begun;
	uint32_t first, end; /* bytes that are marked */
	uint8_t mark[CT_HISTORY_BYTES + 8];
	uint64_t hits[CT_HISTORY_BYTES]; /* accesses, by the first byte of the element, */
	uint32_t places;                 /* and all bits that these have */
	struct ct_history_span room[2][CT_HISTORY_BYTES + 1];
	struct ct_history_span *span, *next; /* next: while they are made */
	uint32_t spans;
	struct ct_history_part *part; /* by start */
	size_t parts;
	struct ct_history_edge edge;
	struct ct_history_run run;
};

/* The page has no history yet. */
void ct_history_begin_page(struct ct_value_history *history, uint64_t page);
/* Objects that are over by then are counted, see ct_history_end_page. */
int ct_history_begin_run(struct ct_value_history *history, uint32_t step);
static inline void ct_history_mark(struct ct_value_history *history, uint32_t offset,
				   uint32_t bytes, uint32_t what)
{
	uint8_t *mark = history->mark + offset, own = (uint8_t)what;
	uint64_t before = 1;

	history->first = offset < history->first ? offset : history->first;
	history->end = offset + bytes > history->end ? offset + bytes : history->end;
	if (bytes == 8)
		memcpy(&before, mark, sizeof(before));
	if (!before) { /* as mostly, at once */
		before = own * UINT64_C(0x0101010101010101);
		memcpy(mark, &before, sizeof(before));
		return;
	}
	for (size_t i = 0; i < bytes; i++)
		mark[i] |= mark[i] ? own | CT_MARK_MIXED : own;
}
static inline void ct_history_hit(struct ct_value_history *history, uint32_t offset, uint64_t times)
{
	history->hits[offset] += times;
	history->places |= offset;
}

/* Facts FLOW_…, WROTE, SLICE. 0 or -ENOMEM */
int ct_history_end_run(struct ct_value_history *history);
/* Facts WROTE, HITS, SQUARES, PAGES, GAPS. Likewise */
int ct_history_end_page(struct ct_value_history *history);

#endif

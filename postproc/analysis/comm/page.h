/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of one page of memory while its touches pass by, superstep by
 * superstep, CTA by CTA.
 *
 * A page is divided into granules, as large as all ranges seen so far allow:
 * every range is a whole number of them, so nothing is rounded. A granule
 * knows who wrote it last; reads of a superstep see what earlier ones left,
 * and its writes are applied at its end.
 */
#ifndef CT_COMM_PAGE_H
#define CT_COMM_PAGE_H

#include "postproc/analysis/comm/engine.h"
#include <cudatrace/unit.h>

/* In a reference to a writer: read since, by any CTA; by a CTA of another id or kernel. */
#define CT_FLAG 0x80000000u
#define CT_FLAG_OTHER 0x40000000u
#define CT_FLAGS (CT_FLAG | CT_FLAG_OTHER)
#define CT_NODE(reference) ((reference) & ~CT_FLAGS)
#define CT_NODES_MAX CT_FLAG_OTHER

/* Where supersteps are not ordered, so many that wrote a granule are remembered. */
#define CT_HISTORY 1024u

#define CT_FLOWS_WAITING 32u

/* Who wrote a granule: a list, of one if supersteps are ordered and no two CTAs
 * wrote in the same one. Node 0 is nobody. */
struct ct_node {
	uint32_t superstep, cta;
	uint32_t site;  /* CT_NO_SITE: a transfer, or what the filter does not let pass */
	uint32_t phase; /* elements begin at addresses of that remainder modulo their size;
			   of a range: its offset in the page */
	uint32_t next;  /* reference; flags as in granules where supersteps are not ordered */
};

/* A write of the superstep at hand. */
struct ct_pending {
	uint32_t cta, site, phase;
	uint32_t first, end; /* bytes */
};

/* Marks are generations: equal means set. */
struct ct_granule {
	uint32_t writer;  /* reference of a node */
	uint32_t seen;    /* group: this CTA has read it */
	uint32_t own;     /* warp: it has written it */
	uint32_t shared;  /* superstep: somebody has read it from an earlier one */
	uint32_t read;    /* superstep: readers counts */
	uint32_t readers; /* CTAs */
	uint32_t write;   /* superstep: writers says which */
	uint32_t writers; /* enum ct_writers */
};

/* Communicated bytes of a CTA in a superstep, not put yet. */
struct ct_cached_volume {
	uint64_t who; /* as in ct_volume */
	uint64_t load_bytes, store_bytes;
};

enum ct_writers { CT_WRITER_ONE, CT_WRITER_READS_TOO, CT_WRITER_SEVERAL };

struct ct_pages {
	struct ct_engine *engine;
	struct ct_sums *sums;
	uint32_t writer; /* of shuffles */
	int err;         /* the first of what was emitted */

	uint64_t page; /* UINT64_MAX: none */
	uint32_t part;
	uint32_t superstep;
	bool is_launch, is_total;   /* of the superstep */
	unsigned shift;             /* a granule has 1 << shift bytes */
	struct ct_granule *granule; /* CT_PAGE_BYTES of them */
	uint32_t generation;
	uint32_t superstep_mark;

	struct ct_node *node;
	size_t nodes, compact_at;
	struct ct_pending *pending;
	size_t pendings;
	struct ct_touch *group; /* of the CTA that comes in */
	size_t grouped, group_room;
	uint64_t key[2];      /* of its packed touches */
	uint32_t group_kinds; /* of all of them */
	uint32_t group_edges; /* bits of where they begin and end */
	bool is_sorted;       /* they came in the order of accesses */
	uint32_t partition;

	/* The group at hand: what one CTA does in the superstep. */
	uint32_t cta;
	uint32_t group_mark;
	uint64_t row;                /* of kept */
	uint64_t communicated_bytes; /* loaded */
	struct ct_run run;           /* not put yet; bytes 0: none */

	/* Pieces of flows not put yet, where their CTAs say; supersteps 0: none, as none
	 * follows itself. Those that come in wait until their places are in the cache. */
	struct ct_flow_piece *kept;
	uint64_t kept_mask; /* their number less one */
	struct ct_flow_piece flow[CT_FLOWS_WAITING];
	struct ct_flow_piece *place[CT_FLOWS_WAITING];
	uint32_t newest;

	/* Sums not added yet. */
	struct ct_comm_volume volume;
	struct ct_cached_volume *cached;
	uint64_t cached_mask; /* their number less one */
	uint64_t line_key;
	uint64_t line_bytes, line_loaded;
	uint64_t pair_key, pair_distinct;
	uint32_t object; /* group that the counters below are of */
	uint32_t object_hint;
	/* Bytes of the page that its object holds when that superstep runs. */
	uint32_t object_superstep, object_first, object_end;
	uint64_t object_loads, object_stores, object_communicated_loads;
	uint64_t object_communicated_stores, object_bytes;
};

/* page_write.c */
void ct_page_write(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark);
void ct_page_mark_writes(struct ct_pages *pages, const struct ct_touch *touch);
void ct_page_apply(struct ct_pages *pages);  /* the pending writes, at the end of a superstep */
void ct_page_retire(struct ct_pages *pages); /* everything, at the end of the page */
/* Granules were divided by factor: those of unordered supersteps get lists of their own. */
void ct_page_split_lists(struct ct_pages *pages, uint32_t factor);

/* page_read.c */
void ct_page_read(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark);
void ct_page_end_group(struct ct_pages *pages);

/* page_emit.c: what goes to shuffles and sums. Errors stay in pages->err. */
void ct_page_emit_flow(struct ct_pages *pages, const struct ct_node *source, uint64_t bytes,
		       uint64_t loads);
void ct_page_emit_run(struct ct_pages *pages, uint64_t who, uint64_t address, uint32_t bytes,
		      uint32_t element);
void ct_page_flush_run(struct ct_pages *pages);
void ct_page_emit_volume(struct ct_pages *pages, uint32_t superstep, uint32_t cta,
			 uint64_t load_bytes, uint64_t store_bytes);
void ct_page_emit_line(struct ct_pages *pages, uint32_t source, uint32_t target, uint64_t bytes,
		       uint64_t loaded_bytes);
void ct_page_emit_pair(struct ct_pages *pages, uint32_t source, uint32_t target,
		       uint64_t distinct_bytes);
/* Make `object` that of the byte at offset when superstep ran. */
void ct_page_find_object(struct ct_pages *pages, uint32_t superstep, uint32_t offset);
static inline void ct_page_select_object(struct ct_pages *pages, uint32_t superstep,
					 uint32_t offset)
{
	if (superstep != pages->object_superstep || offset < pages->object_first ||
	    offset >= pages->object_end)
		ct_page_find_object(pages, superstep, offset);
}

/* Does the filter let the object of that byte pass? */
bool ct_page_object_passes(struct ct_pages *pages, uint32_t offset);
void ct_page_emit_rest(struct ct_pages *pages); /* at the very end */

/* Set pages->err, the first time. */
static inline void ct_page_fail(struct ct_pages *pages, int err)
{
	if (err != 0 && pages->err == 0)
		pages->err = err;
}

static inline bool ct_page_is_launch(const struct ct_pages *pages, uint32_t superstep)
{
	return pages->engine->step[superstep].kernel != CT_NONE;
}

/* Bytes of an element that the site accesses; the whole if it has no size. */
static inline uint32_t ct_page_element(const struct ct_pages *pages, uint32_t site, uint32_t whole)
{
	uint32_t bytes = site == CT_NO_SITE ? 0 : pages->engine->site[site].bytes;

	return bytes ? bytes : whole;
}

/* Offset of the element that the touch begins in; may lie in the page before. */
static inline uint64_t ct_page_start(const struct ct_touch *touch, uint32_t element)
{
	uint64_t end = (uint64_t)touch->last + 1;

	return touch->kind & CT_TOUCH_GOES_ON && end < element ? end - element : touch->first;
}

#endif

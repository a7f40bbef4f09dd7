/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of one page of memory while its touches pass by, superstep by
 * superstep, CTA by CTA.
 *
 * A page is divided into granules, as large as all ranges seen so far allow:
 * every range is a whole number of them, so nothing is rounded. A granule has
 * the versions that a later superstep may still read: what each superstep that
 * wrote it left there, the newest first. Where supersteps are ordered that is
 * one. Granules with the same history have the same version, and what is read of
 * it is summed first, before its writers are looked at one by one.
 *
 * Reads of a superstep see the versions of earlier ones; what it writes is
 * gathered beside and becomes a version at its end.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_PAGES_PAGE_H
#define CT_POSTPROC_ANALYSIS_COMM_PAGES_PAGE_H

#include "postproc/analysis/comm/base/engine.h"
#include "postproc/facts/objects.h"
#include <cudatrace/unit.h>

/* Flags of a version: read since, by any CTA; by a CTA of another id or kernel, or several wrote
 * it; by a CTA of another id, or several wrote it. Each includes those before. */
#define CT_READ_SINCE 1u
#define CT_READ_BY_OTHER 2u
#define CT_READ_BY_CTA 4u

/* Where supersteps are not ordered, so many versions of a granule are remembered. */
#define CT_HISTORY 1024u

#define CT_FLOWS_WAITING 32u
#define CT_LINE_BITS 6 /* of bytes whose writes are noted together */
#define CT_LINES (CT_PAGE_BYTES >> CT_LINE_BITS)
#define CT_SOURCES 1024u /* of a group, gathered before they go on; a power of two */
#define CT_LINE_PAIRS 64u
#define CT_FEW_WRITERS 8u /* of a list that is walked, not listed */
#define CT_GRANULES_SPARE                                                                          \
	32u /* behind those of a page: what is fetched early may be one of these */

/* A CTA that wrote a granule in a superstep, and those before it: a list. Lists share what
 * they have in common, and within a superstep equal ones have the same number. */
struct ct_page_writer {
	uint32_t cta;
	uint32_t site;  /* CT_NO_SITE: a transfer, or what the filter does not let pass */
	uint32_t phase; /* elements begin at addresses of that remainder modulo their size;
			   of a range: its offset in the page */
	uint32_t next;  /* with a lower id; 0: none */
};

/* Beside a list of writers. */
struct ct_writers {
	uint32_t count;
	uint32_t child, sibling;        /* the newest list that has one more; that before it */
	uint32_t version, version_mark; /* the superstep's version, if it has the mark */
	uint32_t listing;               /* 0: not made yet */
};

/* The same in arrays, those without a site left out. */
struct ct_listing {
	size_t cta;  /* in ct_pages.listed and listed_site, ascending */
	size_t site; /* in ct_pages.site_count */
	uint32_t ctas, sites;
};

struct ct_site_count {
	uint32_t site, writers;
};

/* A superstep left this in a granule. Where supersteps are ordered, its flags stand with the
 * granule: CT_VERSION_AND. */
struct ct_version {
	uint32_t superstep;
	uint32_t writers;
	uint32_t flags;                 /* CT_READ_SINCE … */
	uint32_t older;                 /* version; where supersteps are not ordered */
	uint32_t count;                 /* writers */
	uint32_t reading, reading_mark; /* of the superstep at hand, if it has the mark */
	struct ct_page_writer last;     /* of the writers */
};
#define CT_VERSION_BITS 29
#define CT_VERSION_AND(version, flags) ((version) | (flags) << CT_VERSION_BITS)
#define CT_VERSION_OF(reference) ((reference) & ((1u << CT_VERSION_BITS) - 1))
#define CT_FLAGS_OF(reference) ((reference) >> CT_VERSION_BITS)

/* Reads of the superstep at hand see this in a version and those before it. */
struct ct_view {
	uint32_t sources;      /* bits of enum ct_source */
	uint32_t first, count; /* in ct_pages.visible: versions of launches */
};
enum ct_source { CT_SOURCE_LAUNCH = 1, CT_SOURCE_HOST = 2, CT_SOURCE_UNORDERED = 4 };

/* Readings of a version, in the superstep at hand. */
struct ct_reading {
	struct ct_view view;
	uint32_t flagged[3];   /* the version with the first flag, two, three; 0: not known */
	uint32_t group;        /* mark: bytes and loads are its */
	uint64_t bytes, loads; /* distinct, accesses */
};

/* Marks are generations: equal means set. */
struct ct_granule {
	_Alignas(32) uint32_t version; /* reference of the newest; 0: none */
	uint32_t seen;                 /* group: this CTA has read it */
	uint32_t own;     /* warp: it has written it; group, at its end: its last write is known */
	uint32_t read;    /* superstep: readers counts */
	uint32_t readers; /* CTAs */
	uint32_t write;   /* superstep: fresh says by whom */
	uint32_t fresh;   /* writers, with CT_READS_TOO */
	uint32_t reader_list; /* if `read` has the superstep's mark, and deliveries are asked for */
};
#define CT_READS_TOO 0x80000000u /* the only one of them reads it, too */

/* A list of CTAs that read a granule: one more than another list. */
struct ct_readers {
	uint32_t cta, before;
	uint32_t count;
	uint32_t child; /* the newest list that has one more; 0: none */
};

/* A CTA that read a granule, and one more than the superstep; 0: none. */
struct ct_page_reader {
	uint32_t superstep, cta;
};

/* In the last two supersteps that read it. */
struct ct_page_readers {
	struct ct_page_reader last, before;
};

/* Bytes of a version that the CTAs of a list have read, not delivered yet; bytes 0: none. */
struct ct_delivered {
	uint32_t version, list;
	uint64_t bytes;
};
#define CT_DELIVERED 64u

/* CTAs of a superstep have this from others, or others of them; not added yet. */
struct ct_others {
	uint32_t superstep;
	uint64_t load_bytes, store_bytes;
};
#define CT_OTHERS 64u

/* Communicated bytes of a CTA in a superstep, not put yet. */
struct ct_cached_volume {
	uint64_t who; /* as in ct_volume */
	uint64_t load_bytes, store_bytes;
};

struct ct_line_sum {
	uint64_t key; /* source site << 32 | target site */
	uint64_t bytes, loaded;
	uint64_t self_bytes, self_loaded; /* of these */
};

/* The group at hand has this from a CTA of a superstep. */
struct ct_group_source {
	uint64_t who; /* superstep << 32 | CTA */
	uint64_t bytes, loads;
};

/* That a CTA has so many bytes from each of many writers. */
struct ct_wide_read {
	uint32_t superstep, writers; /* of the version */
	uint32_t cta;
	uint32_t bytes;
};

struct ct_pages {
	struct ct_engine *engine;
	struct ct_sums *sums;
	uint32_t number; /* of the thread: writer of shuffles */
	int err;         /* the first of what was emitted */

	uint64_t page; /* UINT64_MAX: none */
	uint32_t part;
	uint32_t superstep;
	bool is_launch, is_total;   /* of the superstep */
	unsigned shift;             /* a granule has 1 << shift bytes */
	struct ct_granule *granule; /* CT_PAGE_BYTES of them, and CT_GRANULES_SPARE */
	uint32_t generation;
	uint32_t superstep_mark;
	uint64_t written[CT_LINES / 64]; /* lines with writes of the superstep */
	/* Bytes that something else than an atomic has accessed in the superstep, where there are
	 * atomics; has_plain: there are such. */
	uint64_t plain[CT_PAGE_BYTES / 64];
	bool has_plain;

	struct ct_page_writer *writer_of; /* writers 0: none */
	struct ct_writers *writers;
	size_t writer_count, writer_room;
	struct ct_version *version; /* version 0: none */
	size_t versions, version_room;
	struct ct_reading *reading; /* of the superstep */
	size_t readings, reading_room;
	uint32_t *slot; /* of versions where supersteps are not ordered: a hash table */
	size_t slots, slot_room;
	size_t compact_at;
	struct ct_listing *listing; /* listing 0: none */
	size_t listings, listing_room;
	struct ct_site_count *site_count;
	size_t site_counts, site_count_room;
	uint32_t *listed, *listed_site;
	size_t listeds, listed_room, listed_site_room;
	uint32_t *visible;
	size_t visibles, visible_room;

	struct ct_touch *group;  /* of the CTA that comes in */
	struct ct_touch *sorted; /* room to sort it */
	struct ct_group_place *places;
	size_t sorted_room;
	size_t grouped, group_room;
	uint64_t key[2];      /* of its packed touches */
	uint32_t group_kinds; /* of all of them */
	uint32_t group_edges; /* bits of where they begin and end */
	bool is_sorted;       /* they came in the order of accesses */
	const struct ct_page_piece *piece;

	/* The group at hand: what one CTA does in the superstep. */
	uint32_t cta;
	uint32_t group_mark;
	bool has_strides; /* they are looked at of the CTA */
	/* Loaded: communicated, and of these from others. */
	uint64_t communicated_bytes, others_bytes;
	struct ct_run run; /* not put yet; bytes 0: none */
	/* The bytes of the last run are of this object, when that superstep runs. */
	struct ct_object_range run_object;
	uint32_t run_superstep, run_hint;
	uint32_t *read; /* versions that it has read */
	size_t reads, read_room;
	struct ct_group_source last_source;        /* bytes and loads 0: none */
	struct ct_group_source source[CT_SOURCES]; /* by CTA, those before it; likewise */
	uint16_t used_source[CT_SOURCES];
	uint32_t used_sources;

	struct ct_wide_read *wide; /* of the superstep */
	size_t wides, wide_room;

	/* Readers of the superstep's granules; list 0 is empty. */
	struct ct_readers *reader_list;
	size_t reader_lists, reader_list_room;
	uint32_t *reader;
	size_t reader_room;
	uint32_t first_read, end_read; /* offsets of bytes that may have some */
	struct ct_delivered delivered[CT_DELIVERED];
	struct ct_page_readers *last_readers; /* by granule */

	/* Pieces of flows not put yet, where their CTAs say; supersteps 0: none, as none
	 * follows itself. Those that come in wait until their places are in the cache. */
	bool keeps_flows; /* else there are so many that they would only drive each other out */
	struct ct_flow_piece *kept;
	uint64_t kept_mask; /* their number less one */
	struct ct_flow_piece flow[CT_FLOWS_WAITING];
	struct ct_flow_piece *place[CT_FLOWS_WAITING];
	uint32_t newest;

	/* Sums not added yet. */
	struct ct_comm_volume volume;
	struct ct_cached_volume *cached;
	uint64_t cached_mask; /* their number less one */
	struct ct_line_sum line[CT_LINE_PAIRS];
	uint64_t pair_key, pair_distinct;
	struct ct_others others[CT_OTHERS];
	uint32_t object; /* group that the counters below are of */
	uint32_t object_hint;
	/* Bytes of the page that its object holds when that superstep runs. */
	uint32_t object_superstep, object_first, object_end;
	uint64_t object_loads, object_stores, object_communicated_loads;
	uint64_t object_communicated_stores, object_bytes;
	uint64_t object_others_loads, object_others_stores, object_self_bytes;
};

/* group.c: -ENOMEM */
int ct_page_sort_group(struct ct_pages *pages);

/* write.c */
void ct_page_write(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark);
/* Ends the writes of the group at hand, when all of its touches were taken: who writes what. */
void ct_page_end_writes(struct ct_pages *pages);
void ct_page_apply(struct ct_pages *pages);  /* the writes, at the end of a superstep */
void ct_page_retire(struct ct_pages *pages); /* everything, at the end of the page */

/* read.c */
void ct_page_read(struct ct_pages *pages, const struct ct_touch *touch, uint32_t warp_mark);

/* versions.c: errors stay in pages->err, and give 0. */
int ct_versions_open(struct ct_pages *pages);
void ct_versions_close(struct ct_pages *pages);
void ct_versions_reset(struct ct_pages *pages); /* a new page */
/* The list with the CTA at hand in front. */
uint32_t ct_writers_add(struct ct_pages *pages, uint32_t writers, uint32_t site, uint32_t phase);
/* Valid until the next one is made. */
const struct ct_listing *ct_writers_list(struct ct_pages *pages, uint32_t writers);
static inline const uint32_t *ct_writers_ctas(struct ct_pages *pages, uint32_t writers,
					      uint32_t *count)
{
	const struct ct_listing *listing = ct_writers_list(pages, writers);

	*count = listing->ctas;
	return pages->listed + listing->cta;
}
/* The superstep's version by these writers. */
uint32_t ct_version_make(struct ct_pages *pages, uint32_t writers, uint32_t older);
/* Another one that differs in these. */
uint32_t ct_version_change(struct ct_pages *pages, uint32_t version, uint32_t flags,
			   uint32_t older);
/* After a superstep, if there are many: leave out what no granule has. */
void ct_versions_compact(struct ct_pages *pages);
/* Room for count elements of an array that doubles. */
bool ct_page_room(struct ct_pages *pages, void *array, size_t *room, size_t count, size_t size);

/* view.c: what reads of the superstep at hand see. */
struct ct_reading *ct_page_make_reading(struct ct_pages *pages, uint32_t version);
static inline struct ct_reading *ct_page_reading(struct ct_pages *pages, uint32_t version)
{
	const struct ct_version *of = &pages->version[version];

	return of->reading_mark == pages->superstep_mark ? &pages->reading[of->reading]
							 : ct_page_make_reading(pages, version);
}
static inline struct ct_view ct_page_view(struct ct_pages *pages, uint32_t version)
{
	return ct_page_reading(pages, version)->view;
}
/* The reference when the CTA at hand has read what the view shows of it. */
uint32_t ct_page_flag(struct ct_pages *pages, uint32_t reference, const struct ct_view *view);

/* flows.c: from the versions that a group has read to pieces of flows. */
void ct_page_note_read(struct ct_pages *pages, uint32_t version, uint64_t bytes, uint64_t loads);
void ct_page_emit_source(struct ct_pages *pages, uint32_t superstep, uint32_t cta, uint64_t bytes,
			 uint64_t loads);
void ct_page_end_reads(struct ct_pages *pages);   /* of the group */
void ct_page_finish_wide(struct ct_pages *pages); /* at the end of the superstep */

/* kept.c: what a CTA of the superstep has written and the target has read, in 32 bits; what a group
 * has read of one source; a transfer of a pair. */
void ct_page_emit_flow(struct ct_pages *pages, uint32_t superstep, uint32_t cta, uint32_t target,
		       uint64_t bytes, uint64_t loads);
void ct_page_emit_group(struct ct_pages *pages, const struct ct_group_source *source);
void ct_page_emit_transfer(struct ct_pages *pages, uint32_t superstep, uint32_t source,
			   uint32_t target, uint64_t bytes);

/* matrix.c: the first behind those that have the same superstep, writers and bytes as *wide, sorted
 * by them.
 */
size_t ct_wide_end(const struct ct_wide_read *wide, size_t count);

/* matrix.c: the transfers of wide reads of one superstep, sorted. False: that would take longer
 * than pair by pair, or memory; nothing was done. */
bool ct_page_emit_matrix(struct ct_pages *pages, const struct ct_wide_read *wide, size_t count);
void ct_page_emit_kept(struct ct_pages *pages); /* at the very end */

/* readers.c, if deliveries are asked for: the CTA at hand reads these granules for the first time
 * in the superstep. */
void ct_page_note_readers(struct ct_pages *pages, uint32_t first, uint32_t end);
void ct_page_finish_readers(struct ct_pages *pages); /* at the end of the superstep */

/* crossings.c: likewise; and granules that the superstep at hand writes, which have the same
 * version and writers, before it becomes their version. */
void ct_page_note_last_readers(struct ct_pages *pages, uint32_t first, uint32_t end);
void ct_page_note_crossings(struct ct_pages *pages, uint32_t first, uint32_t end);

/* Are strides looked at of that CTA? Else its runs are not to be emitted. */
static inline bool ct_page_has_strides(const struct ct_pages *pages, uint32_t cta)
{
	uint32_t step = pages->engine->stride_step;

	return step == 1 || cta % step == 0;
}

/* emit.c: what goes to shuffles and sums. Errors stay in pages->err. */
void ct_page_emit_run(struct ct_pages *pages, uint64_t who, uint64_t address, uint32_t bytes,
		      uint32_t element);
void ct_page_flush_run(struct ct_pages *pages);
/* Where communicated bytes of the CTA gather. */
static inline struct ct_cached_volume *ct_page_volume_of(const struct ct_pages *pages,
							 uint32_t superstep, uint32_t cta)
{
	return &pages
		    ->cached[(pages->engine->step[superstep].first_cta + cta) & pages->cached_mask];
}
void ct_page_emit_volume(struct ct_pages *pages, uint32_t superstep, uint32_t cta,
			 uint64_t load_bytes, uint64_t store_bytes);
void ct_page_flush_line(struct ct_pages *pages, struct ct_line_sum *line);
static inline struct ct_line_sum *ct_page_line(struct ct_pages *pages, uint32_t source,
					       uint32_t target)
{
	uint64_t key = (uint64_t)source << 32 | target;
	struct ct_line_sum *line = &pages->line[(source * 7 + target) % CT_LINE_PAIRS];

	if (key != line->key)
		ct_page_flush_line(pages, line);
	line->key = key;
	return line;
}
static inline void ct_page_emit_line(struct ct_pages *pages, uint32_t source, uint32_t target,
				     uint64_t bytes, uint64_t loaded_bytes)
{
	struct ct_line_sum *line = ct_page_line(pages, source, target);

	line->bytes += bytes;
	line->loaded += loaded_bytes;
}
/* Emits the part that CTAs have of themselves. */
static inline void ct_page_emit_line_self(struct ct_pages *pages, uint32_t source, uint32_t target,
					  uint64_t bytes, uint64_t loaded_bytes)
{
	struct ct_line_sum *line = ct_page_line(pages, source, target);

	line->self_bytes += bytes;
	line->self_loaded += loaded_bytes;
}
void ct_page_emit_others(struct ct_pages *pages, uint32_t superstep, uint64_t load_bytes,
			 uint64_t store_bytes);
void ct_page_emit_pair(struct ct_pages *pages, uint32_t source, uint32_t target,
		       uint64_t distinct_bytes);
/* Make `object` that of the byte at offset when superstep ran. */
void ct_page_find_object(struct ct_pages *pages, uint32_t superstep, uint32_t offset);
/* The same; of the bytes from offset to end, those behind it that are of this object, too. */
static inline uint32_t ct_page_select_object(struct ct_pages *pages, uint32_t superstep,
					     uint32_t offset, uint32_t end)
{
	if (superstep != pages->object_superstep || offset < pages->object_first ||
	    offset >= pages->object_end)
		ct_page_find_object(pages, superstep, offset);
	return (end < pages->object_end ? end : pages->object_end) - offset;
}

/* Does the filter let `object` pass? */
bool ct_page_object_passes(const struct ct_pages *pages);
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page stage: pieces of one page of memory after another, in the order superstep, CTA, warp,
 * program order.
 *
 * A run is all that one launch does in a page (of shared, local and constant memory: one CTA). A
 * cell is a place in the page at which elements begin, with what the run and the warp at hand have
 * done there. Memory is what the page held before the run, as far as it is known; it is changed
 * when the run ends, by what its cells came to.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_PAGE_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_PAGE_H

#include "postproc/analysis/values/base/piece.h"
#include "postproc/analysis/values/pages/history.h"
#include "postproc/analysis/values/pages/rows.h"

#include "base/map.h"

/* A cell has seen this in the run. */
enum {
	CT_CELL_LOADED = 1,
	CT_CELL_LOADS_DIFFER = 2,
	CT_CELL_STORED = 4,
	CT_CELL_VARIES = 8,      /* stores of different values */
	CT_CELL_MANY = 16,       /* stores of several threads */
	CT_CELL_CONTESTED = 32,  /* stores that overlap, or are reported without their value */
	CT_CELL_FIRST = 64,      /* its first store was the first that its thread did there */
	CT_CELL_WAS_SAME = 128,  /* of the first store: memory held its value before the run, */
	CT_CELL_WAS_OTHER = 256, /* or another one; neither: not known */
	/* The warp at hand: lanes have different values or rows, which are in `apart`. */
	CT_CELL_LOADS_APART = 512,
	CT_CELL_STORES_APART = 1024,
	CT_CELL_SURPRISES = 2048,  /* its first load was not what memory held before the run */
	CT_CELL_SHARED = 4096,     /* several threads have accessed it */
	CT_CELL_LOAD_FIRST = 8192, /* its first access was a load */
};

/* The last loads, or stores, of the warp's lanes. */
struct ct_cell_lanes {
	uint32_t lanes; /* that have the value; not counted if they are apart */
	uint32_t row;
	uint64_t value; /* apart or not, the last one that was loaded, or stored, in the run */
};

/* The last load, or store, of each lane. */
struct ct_cell_apart {
	uint64_t value[CT_WARP_LANES];
	uint32_t row[CT_WARP_LANES];
};

struct ct_cell {
	uint16_t flags;
	uint8_t log2;       /* of the elements' bytes, of the last access */
	uint8_t store_log2; /* of the widest store */
	uint32_t stores;    /* of all threads */
	uint32_t warp;      /* number of the warp that the next four hold for */
	uint32_t by_store;  /* lanes whose last access was a store, */
	uint32_t stale;     /* and those whose last access left an unknown value */
	/* Stores that wait for the end of the run, of the first row, others are in `pending` of
	 * the page; and of them those whose thread had seen another value there. */
	uint32_t pending_row;
	uint32_t pending, pending_seen;
	struct ct_cell_lanes load, store;
	uint32_t apart[2]; /* loads' and stores' place in `apart` of the page, where flags say so */
	uint64_t accesses;
	uint64_t writer; /* thread of the only one that stored: warp's number << 5 | lane */
};

/* Cells of aligned elements, by their size and offset; then those of the others, by offset. */
#define CT_CELLS_OF(log2)                                                                          \
	(2 * CT_VALUE_PAGE_BYTES - (2 * CT_VALUE_PAGE_BYTES >> (log2))) /* the first */
#define CT_CELLS_UNALIGNED CT_CELLS_OF(4)
#define CT_CELLS (CT_CELLS_UNALIGNED + CT_VALUE_PAGE_BYTES)

#define CT_LIGHT_ROWS 1024u /* of a run; more are cells */

/* See light.h. */
struct ct_light_row {
	uint32_t row, warp, floor;
	uint32_t first, offset, count; /* its first cell and that's place in the page; cells */
	uint32_t lane;                 /* of the first cell */
	uint32_t times;                /* each is accessed */
	uint32_t sectors;              /* of the piece */
	uint32_t same;                 /* cells of a store that memory held so before the run */
	uint8_t log2;
	bool is_store;
	bool is_left; /* by some of its cells */
};

/* A load of one lane at a place that nothing else of the run has accessed so far. */
struct ct_light_single {
	uint32_t cell, offset;
	uint32_t row, warp, floor;
	uint8_t lane, log2;
};

#define CT_PAGE_WORD 8u
#define CT_PAGE_WORDS (CT_VALUE_PAGE_BYTES / CT_PAGE_WORD)

/* A word before the run has changed it: since when all of it was known, and what it held. */
struct ct_value_was {
	uint32_t word, since;
	uint64_t content;
};

/* Counts a CTA of a launch of which others are left out: loads, and stores and atomics. */
struct ct_value_sample {
	uint32_t step;
	uint64_t cta;
	uint64_t elements[2], redundant[2];
};

struct ct_value_page {
	struct ct_value_sample sample;
	struct ct_value_engine *engine;
	struct ct_value_rows *rows;
	struct ct_value_history history;
	struct ct_sums *sums;  /* of launches and memsets */
	uint32_t *run_row;     /* rows of the run at hand */
	size_t run_rows, room; /* of them */
	struct ct_cell cell[CT_CELLS];
	/* The last run that each was in, times two; and one if it stands in a row there, or a
	 * single-lane record.
	 */
	uint32_t seen[CT_CELLS];
	uint32_t touched[CT_CELLS]; /* cells of the run, but those in rows */
	uint32_t touches;
	struct ct_light_row light_row[CT_LIGHT_ROWS];
	uint32_t light_rows;
	struct ct_light_single light_single[CT_CELLS];
	uint32_t light_singles;
	uint16_t
	    light_of[CT_CELLS]; /* of those in rows; from CT_LIGHT_ROWS on: single-lane records */
	uint8_t light[4][CT_VALUE_PAGE_BYTES + 8]; /* their values, by the elements' log2 */
	struct ct_cell_apart *apart;               /* of the warp at hand; see cells.c */
	size_t aparts, apart_room;
	struct ct_map pending; /* cell, row: stores, those that had seen another << 32 */
	/* By byte: which element's store covers it in the run; 0: none's. */
	uint8_t cover[CT_VALUE_PAGE_BYTES + 8];
	/* Elements of the run: 1 << their size's log2, or 16 if they are not at a place of it. */
	uint32_t sizes;
	bool is_changed; /* what is known of content, maybe, by the run at hand: anywhere; */
	uint64_t is_kept[CT_PAGE_WORDS / 64]; /* else in these words */
	struct ct_value_was was[CT_PAGE_WORDS];
	uint32_t kept;
	bool are_singles_finished; /* of the run that ends */
	bool has_blind;            /* some are covered by stores without values */
	/* Memory: content, and one more than the superstep since which it is known; 0: it is not.
	 */
	uint8_t content[CT_VALUE_PAGE_BYTES + 8];
	uint32_t known[CT_VALUE_PAGE_BYTES + 8];

	uint32_t run, warp; /* numbers of the ones at hand */
	struct ct_value_place at;
	bool is_begun;
	bool remembers;  /* memory outlives the run */
	bool learns;     /* what the run leaves there is known */
	bool is_private; /* lanes at the same place are at different memory */
	/* These are of the piece at hand. */
	uint32_t floor; /* content counts if it is known since then */
	uint32_t row;
	uint32_t log2, bytes; /* of its elements */
	uint32_t sectors;
};

/* cells.c: lanes (threads of the warp at hand, all at the same place) did something to the element
 * at offset. Figures go to the page's row. 0 or -ENOMEM. */
int ct_cell_load(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint64_t value);
int ct_cell_store(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint64_t value);
void ct_cell_exchange(struct ct_value_page *page, uint32_t offset, uint32_t lanes);
/* Bytes from offset on are written, with what is not known. */
void ct_cells_overwrite(struct ct_value_page *page, uint32_t offset, uint32_t bytes);
/* finish.c: a memset sets bytes from offset on to the pattern, again and again. 0 or -ENOMEM. */
int ct_page_fill(struct ct_value_page *page, uint32_t offset, uint32_t bytes, uint64_t pattern);
/* contents.c: what is known of the objects of the page behind the run, as facts. 0 or -ENOMEM */
int ct_page_note_contents(struct ct_value_page *page);
/* finish.c: what rows have counted in the run is its launch's. Likewise. */
int ct_run_note(struct ct_value_page *page, uint32_t row);
int ct_run_count(struct ct_value_page *page);
/* finish.c: the run ends: what it leaves in memory, and what became of the stores that waited for
 * it. */
void ct_cells_finish(struct ct_value_page *page);

/* position.c: the page, run and warp of the place; *is_new: another run. */
int ct_page_move(struct ct_value_page *page, const struct ct_value_place *place, bool *is_new);
/* The run ends; what it has of samples, before those of that CTA. 0 or -ENOMEM. */
int ct_page_end_run(struct ct_value_page *page);
int ct_page_end_sample(struct ct_value_page *page, uint64_t next_cta);
/* Another warp of the run. */
void ct_page_next_warp(struct ct_value_page *page);
/* Who counts what is done at the site to the object, and what it may know of memory. */
int ct_page_describe(struct ct_value_page *page, uint32_t site, uint32_t object, uint32_t log2);
/* Elements, and those that are redundant by the thread alone, are the CTA's. */
int ct_page_sample(struct ct_value_page *page, uint32_t site, uint64_t elements,
		   uint64_t redundant);

/* finish.c */
/* Rows are judged, and memory is as it was before the run. */
void ct_run_mark(struct ct_value_page *page);
/* Lanes do something to an element that is no cell: an atomic, or a value that is not known. */
void ct_mark_element(struct ct_value_page *page, uint32_t offset, uint32_t lanes, uint32_t what);

struct ct_value_pages;

/* Counts by launch and memset go to sums at once. */
int ct_value_pages_open(struct ct_value_pages **out, struct ct_value_engine *engine,
			struct ct_sums *sums);
void ct_value_pages_close(struct ct_value_pages *pages); /* NULL is allowed */
int ct_value_pages_take(struct ct_value_pages *pages, uint32_t partition);
int ct_value_pages_finish(struct ct_value_pages *pages, struct ct_sums *sums);

#endif

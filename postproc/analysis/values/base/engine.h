/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of values (docs/values.md; seed 002, III) at work: what its files share.
 *
 *   scan ──pieces, specks, single-lane records──► [by page of memory] ──► pages ──► rows, pairs
 *     └──entries──► [by value] ──► sets ──► values and their shares
 *
 * Brackets are shuffles (postproc/shuffle). A piece is what one warp-level access did in one page;
 * pages take theirs in the order superstep, CTA, warp, program order, and count in rows: one for
 * each kernel, site and group of objects. Everything that is known in the end is a sum (facts.h),
 * so the figures are the same for any number of threads and ranks.
 *
 * An element is one element of the vector that a thread accesses; all figures count elements.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_ENGINE_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_ENGINE_H

#include "postproc/analysis/values/base/figures.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/objects.h"
#include "postproc/order/order.h"
#include "postproc/scan/analysis.h"
#include "postproc/shuffle/shuffle.h"
#include "postproc/shuffle/sums.h"

#include <stdbool.h>

#define CT_VALUE_PAGE_BITS 12u
#define CT_VALUE_PAGE_BYTES (1u << CT_VALUE_PAGE_BITS)
#define CT_VALUE_PARTITIONS 512u
#define CT_VALUE_SECTOR_BYTES 32u

/* A superstep, as far as memory is concerned. */
struct ct_value_step {
	uint32_t kernel; /* index; CT_NONE of a transfer */
	uint32_t part;
	/* Knowledge of memory from supersteps from here on holds when this one begins; one that
	 * itself writes what the trace does not record has a floor above its own number. */
	uint32_t floor;
	/* Every other superstep of the part is known to be before or after it. */
	bool is_ordered;
	bool hides_uses;         /* a launch that may access what the trace does not tell */
	bool passes;             /* the filter */
	uint64_t ctas, recorded; /* of a launch of which some are left out; else 0 */
};

struct ct_value_object {
	uint32_t group; /* of ct_objects */
	uint32_t allocated_at,
	    freed_at;   /* the first superstep after its allocation, and after its end */
	bool is_device; /* the host cannot store to it */
	bool is_shared; /* others may read it unseen */
};

struct ct_value_site {
	const struct ct_unit *unit;
	uint32_t site; /* of the unit */
	uint8_t class; /* enum ct_class */
	uint8_t type;  /* ct_value_type of an element */
	uint8_t element_bytes;
	uint8_t
	    elements; /* that a lane accesses side by side; of ranges: that mostly share a sector */
	bool is_range;
};

/* Sites' numbers leave room for how many elements share a sector. */
#define CT_VALUE_SITE_BITS 28u
#define CT_VALUE_SITES_MAX (1u << CT_VALUE_SITE_BITS)
#define CT_VALUE_SHARING_MAX 15u /* sixteen of 2 bytes are what their site says */
/* The sectors of ranges are counted in such parts: each of up to 16 elements has its share. */
#define CT_VALUE_SECTOR_PARTS 720720u

struct ct_value_layout {
	uint8_t step_bits, cta_bits, order_bits; /* of a piece's key, beside page and warp */
	/* The bits of a single-lane record's key, in place of so many of the order's; 0: there is
	 * no room for them. */
	uint8_t single_bits, site_bits, object_bits;
};

struct ct_value_engine {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes */
	uint64_t unseen_parts;          /* as of the job */
	unsigned precision;             /* 0: exact; ct_values_precision_mask */

	struct ct_order *order;
	const struct ct_superstep *superstep;
	struct ct_value_step *step;
	size_t steps;
	const struct ct_object_info *first_object;
	size_t objects;
	uint32_t *by_address;           /* objects: by part, address and birth */
	struct ct_value_object *object; /* by object of the trace */
	struct ct_objects *groups;
	uint32_t *node;   /* by superstep; see nodes.h */
	uint32_t *unseen; /* by superstep: launches before it that may use objects unseen */
	struct ct_values_node *node_list;
	size_t nodes;
	struct ct_value_site *site; /* of all units */
	uint32_t *first_site;       /* by unit */
	uint32_t sites;
	struct ct_kernel_table kernels;
	struct ct_value_layout layout;

	const struct ct_scanned *scanned; /* from the stages on */
	bool is_sampled;                  /* of some launch CTAs are left out */
	bool has_values; /* some unit of the trace records them; else there are no shuffles */
	uint32_t threads;
	uint32_t entry_slots; /* ct_value_entries_open */
	size_t tally_bytes;   /* of each thread of the stage of sets */
	struct ct_shuffle *pieces, *specks, *singles, *entries;
	struct ct_sums *sums; /* facts.h */
	struct ct_ranks *ranks;
};

/* prepare.c: the tables above. 0, -ENOMEM, or -EOVERFLOW: more supersteps, CTAs or sites than keys
 * have room for. */
int ct_value_engine_prepare(struct ct_value_engine *engine);
/* The trace is damaged: any launch may have accessed what it does not tell. */
void ct_value_engine_doubt(struct ct_value_engine *engine);
void ct_value_engine_release(struct ct_value_engine *engine);

/* The first superstep of the part behind the event of that index; if there is none, the first of
 * the next part, or the number of all. */
uint32_t ct_value_step_behind(const struct ct_value_engine *engine, uint32_t part, uint64_t event);

/* The object that lives at an address when a superstep begins; CT_NONE. */
uint32_t ct_value_object_at(const struct ct_value_engine *engine, uint32_t step, uint64_t address);
/* Where the next object of the superstep's process begins behind the address, whenever that object
 * lives; UINT64_MAX: there is none. */
uint64_t ct_value_object_after(const struct ct_value_engine *engine, uint32_t step,
			       uint64_t address);

#endif

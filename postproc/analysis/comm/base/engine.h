/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the communication analysis works inside.
 *
 *   scan ──touches──► [by page of memory] ──► pages ──flows──► [by source CTA] ──► flows
 *     └──volumes──► [by superstep, CTA] ◄──────┤                                    │
 *                                              └──runs──► [by CTA] ──► strides      │
 *                                              └───────── sums ◄────────┴───────────┘
 *
 * Every arrow to brackets is a shuffle; every stage runs on all threads and
 * ranks. What figures are made of ends up in sums, which add in any order.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_BASE_ENGINE_H
#define CT_POSTPROC_ANALYSIS_COMM_BASE_ENGINE_H

#include "postproc/analysis/comm/base/figures.h"
#include "postproc/shuffle/shuffle.h"
#include "postproc/shuffle/sums.h"

#include <errno.h>
#include <pthread.h>

#define CT_PAGE_BITS 16
#define CT_PAGE_BYTES (1u << CT_PAGE_BITS)
#define CT_NO_SITE 0xfffffu /* of transfers */

/* Bits of ct_touch.kind. */
#define CT_TOUCH_READ 1u
#define CT_TOUCH_WRITE 2u
#define CT_TOUCH_GOES_ON 4u /* begins inside an access, whose first byte is in the page before */

/* Bytes of one page that a warp reads, writes or both, without gaps; each byte `times` times. */
struct ct_touch {
	uint64_t page;
	uint64_t order; /* warp << CT_ORDER_BITS | what ascends with its accesses */
	uint32_t superstep, cta, site;
	uint32_t times;       /* 1 to CT_TOUCH_TIMES_MAX */
	uint16_t first, last; /* offsets of bytes in the page */
	uint8_t kind;         /* CT_TOUCH_READ … */
};

/*
 * The same as it is shuffled, in words:
 *
 *   page 21, superstep, CTA, what the second has no room for | site and order 19,
 *   warp 5, kind 3, times 5, first 16, last 16
 *
 * or, if that is too little for the trace:
 *
 *   page 21, superstep 24, CTA 19 | CTA 13, site 6, warp … last as above | site 14, order 50
 *
 * Its partition tells the low bits of the page.
 */
struct ct_touch_layout {
	uint8_t words; /* 2 or 3 */
	uint8_t superstep_bits, cta_bits, site_bits, order_bits;
	uint8_t in_chunk_bits; /* of order_bits */
};

/* How many there are of each. */
struct ct_touch_limits {
	uint64_t supersteps, ctas, sites;
	uint64_t chunks; /* of a device file */
	uint32_t chunk_words;
	bool is_wide; /* as much room for places in a chunk as there can be */
};

/* prepare.c: -EOVERFLOW if there are more chunks than any layout has room for. */
int ct_touch_choose_layout(struct ct_touch_layout *layout, const struct ct_touch_limits *limits);

#define CT_TOUCH_WORDS_MAX 3
#define CT_TOUCH_TIMES_MAX 32u
#define CT_PAGE_NUMBER_BITS 21 /* that its partition does not tell */
#define CT_TOUCH_REST_BITS 19  /* of site and order, in the second word of two */
#define CT_SUPERSTEP_BITS 24
#define CT_CTA_BITS 32
#define CT_SITE_BITS 20
#define CT_ORDER_BITS 50
#define CT_TOUCH_PARTITION_BITS 10
#define CT_TOUCH_PARTITIONS (1u << CT_TOUCH_PARTITION_BITS)

static inline uint32_t ct_touch_partition(uint64_t page)
{
	return (uint32_t)(page ^ page >> 10 ^ page >> 20) & (CT_TOUCH_PARTITIONS - 1);
}

static inline uint64_t ct_ones(unsigned bits)
{
	return ((uint64_t)1 << bits) - 1;
}

/* Packs what all touches of an access have in common. */
static inline void ct_touch_pack_access(const struct ct_touch_layout *layout,
					uint64_t word[CT_TOUCH_WORDS_MAX],
					const struct ct_touch *touch)
{
	uint64_t warp = touch->order >> CT_ORDER_BITS << 40;

	if (layout->words == 2) {
		uint64_t site = touch->site & ct_ones(layout->site_bits);
		uint64_t order = touch->order & ct_ones(layout->order_bits);
		uint64_t rest = site << layout->order_bits | order;
		unsigned at = 43u - layout->superstep_bits;

		word[0] = (uint64_t)touch->superstep << at |
			  (uint64_t)touch->cta << (at - layout->cta_bits) |
			  rest >> CT_TOUCH_REST_BITS;
		word[1] = rest << 45 | warp;
		return;
	}
	word[0] = (uint64_t)touch->superstep << 19 | touch->cta >> 13;
	word[1] = (uint64_t)touch->cta << 51 | (uint64_t)(touch->site >> 14) << 45 | warp;
	word[2] = (uint64_t)touch->site << CT_ORDER_BITS | (touch->order & ct_ones(CT_ORDER_BITS));
}

/* The rest, into the first two words. */
static inline void ct_touch_pack_bytes(uint64_t word[CT_TOUCH_WORDS_MAX],
				       const struct ct_touch *touch)
{
	word[0] |= touch->page >> CT_TOUCH_PARTITION_BITS << 43;
	word[1] |= (uint64_t)touch->kind << 37 | (uint64_t)(touch->times - 1) << 32 |
		   (uint64_t)touch->first << 16 | touch->last;
}

/* Bits of the words that touches are sorted by: page, superstep, CTA. */
static inline void ct_touch_key(const struct ct_touch_layout *layout, uint64_t mask[2])
{
	unsigned below = 43u - layout->superstep_bits - layout->cta_bits;

	mask[0] = layout->words == 2 ? ~ct_ones(below) : UINT64_MAX;
	mask[1] = layout->words == 2 ? 0 : UINT64_MAX << 51;
}

static inline void ct_touch_unpack(const struct ct_touch_layout *layout, struct ct_touch *touch,
				   const uint64_t *word, uint32_t partition)
{
	uint64_t high = word[0] >> 43;

	touch->page = high << CT_TOUCH_PARTITION_BITS |
		      ((partition ^ high ^ high >> 10) & (CT_TOUCH_PARTITIONS - 1));
	touch->order = (word[1] >> 40 & 31) << CT_ORDER_BITS;
	touch->kind = (uint8_t)(word[1] >> 37 & 7);
	touch->times = (uint32_t)(word[1] >> 32 & 31) + 1;
	touch->first = (uint16_t)(word[1] >> 16);
	touch->last = (uint16_t)word[1];
	if (layout->words == 2) {
		unsigned at = 43u - layout->superstep_bits, below = at - layout->cta_bits;
		uint64_t rest = (word[0] & ct_ones(below)) << CT_TOUCH_REST_BITS | word[1] >> 45;
		uint64_t site = rest >> layout->order_bits;

		touch->superstep = (uint32_t)(word[0] >> at & ct_ones(layout->superstep_bits));
		touch->cta = (uint32_t)(word[0] >> below & ct_ones(layout->cta_bits));
		touch->site = site == ct_ones(layout->site_bits) ? CT_NO_SITE : (uint32_t)site;
		touch->order |= rest & ct_ones(layout->order_bits);
		return;
	}
	touch->superstep = (uint32_t)(word[0] >> 19 & ct_ones(CT_SUPERSTEP_BITS));
	touch->cta = (uint32_t)(word[0] << 13) | (uint32_t)(word[1] >> 51);
	touch->site = (uint32_t)(word[1] >> 45 & 63) << 14 | (uint32_t)(word[2] >> CT_ORDER_BITS);
	touch->order |= word[2] & ct_ones(CT_ORDER_BITS);
}

/* A transfer. */
struct ct_flow {
	uint64_t ctas;       /* source << 32 | target */
	uint64_t supersteps; /* likewise */
	uint64_t bytes;
	uint64_t loads;
};

/* A piece of one, as it is shuffled. */
struct ct_flow_piece {
	uint64_t ctas, supersteps;
	uint32_t bytes, loads;
};

/* Sums what a CTA moved in a superstep, and from how many. */
struct ct_volume {
	uint64_t who; /* superstep << 32 | cta */
	uint64_t sm;  /* CT_NO_SM: not known here */
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
	uint64_t senders; /* CTAs from which it reads */
};
#define CT_NO_SM UINT64_MAX

/* Communicated bytes of a CTA without gaps, elements of `element` bytes. */
struct ct_run {
	uint64_t who;     /* cta << 32 | superstep */
	uint64_t address; /* with CT_RUN_STORE */
	uint32_t bytes;
	uint32_t element;
};
#define CT_RUN_STORE (1ull << 63)

struct ct_site_of {
	uint32_t unit, site;
	uint32_t bytes; /* of an element; 0: an access is one element */
	uint8_t touch;  /* CT_TOUCH_READ, CT_TOUCH_WRITE; both: atomics */
};

/* Describes a superstep; by its number. */
struct ct_step {
	uint32_t kernel; /* CT_NONE: a transfer */
	uint32_t part;
	uint64_t ctas;      /* of the grid */
	uint64_t first_cta; /* of all supersteps before */
	uint32_t finished;  /* it happened before this and all later supersteps of its part */
	uint8_t passes;     /* the filter */
	uint8_t is_total;   /* all supersteps of its part are ordered */
};

/* Kinds of sums: the top byte of the first key; value 0, value 1. */
enum ct_fact {
	CT_FACT_VOLUME = 1,          /* offset in struct ct_comm_volume / 8: bytes */
	CT_FACT_STEP_HOST,           /* superstep: from host, to host */
	CT_FACT_STEP_CROSSED,        /* superstep: bytes (ct_comm_superstep.crossed_bytes), 0 */
	CT_FACT_STEP_FLOW,           /* superstep: received, sent */
	CT_FACT_STEP_VOLUME,         /* superstep: loads, stores */
	CT_FACT_STEP_COMMUNICATED,   /* superstep: loads, stores */
	CT_FACT_STEP_DEGREE,         /* superstep: sum of out-degrees, of their squares */
	CT_FACT_STEP_IN_DEGREE,      /* superstep: sum of in-degrees, of their squares */
	CT_FACT_CTA_DEGREE,          /* CTA: in, out */
	CT_FACT_CTA_FLOW,            /* CTA: received, sent */
	CT_FACT_SIZE,                /* bytes: transfers */
	CT_FACT_DISTANCE,            /* supersteps: bytes */
	CT_FACT_SELF_SIZE,           /* of self messages; bytes: transfers */
	CT_FACT_SELF_DISTANCE,       /* likewise; supersteps: bytes */
	CT_FACT_STEP_SELF,           /* superstep: received, sent of self messages */
	CT_FACT_STEP_OTHERS,         /* superstep: loads, stores communicated with others */
	CT_FACT_SELF_CELL,           /* bin: transfers, bytes of self messages */
	CT_FACT_LINE_SELF,           /* of self messages, as CT_FACT_LINE */
	CT_FACT_OBJECT_SELF,         /* group: bytes of self messages */
	CT_FACT_OBJECT_OTHERS,       /* group: loads, stores communicated with others */
	CT_FACT_CTA_SELF,            /* CTA: bytes of self messages */
	CT_FACT_BISECTION,           /* dimension: bytes; 3: of all that could cross */
	CT_FACT_CELL,                /* source bin * bins + target bin: transfers, bytes */
	CT_FACT_VIEW,                /* word of the views: its value */
	CT_FACT_PAIR,                /* kernels: transfers, bytes */
	CT_FACT_PAIR_SELF,           /* kernels: self bytes, distinct bytes */
	CT_FACT_PAIR_OUT,            /* kernels, CTA: targets */
	CT_FACT_PAIR_IN,             /* kernels, CTA: sources */
	CT_FACT_LOAD_STRIDE,         /* bytes: times */
	CT_FACT_STORE_STRIDE,        /* bytes: times */
	CT_FACT_CTA_LOAD_STRIDE,     /* CTA: strides, sum */
	CT_FACT_CTA_STORE_STRIDE,    /* CTA: strides, sum */
	CT_FACT_CTA_STRIDE_MAX,      /* CTA: of loads, of stores */
	CT_FACT_LINE,                /* source site << 32 | target site: bytes, loaded bytes */
	CT_FACT_OBJECT,              /* group: loads, stores */
	CT_FACT_OBJECT_COMMUNICATED, /* group: loads, stores */
	CT_FACT_OBJECT_FLOW,         /* group: bytes of transfers */
	CT_FACT_DAMAGE,              /* 0: damaged chunks, spilled bytes */
};
#define CT_FACT_KEY(fact, rest) ((uint64_t)(fact) << 56 | (rest))
#define CT_PAIR_KEY(source, target) ((uint64_t)(source) << 24 | (target))

struct ct_objects;     /* objects.h */
struct ct_products;    /* flows/products.h */
struct ct_dense;       /* flows/dense.h */
struct ct_views;       /* flows/views.h */
struct ct_page_pieces; /* pages/pieces.h */

#define CT_CELL_LOCKS 64u

struct ct_engine {
	struct ct_comm_options options;
	struct ct_trace *trace;
	struct ct_order *order;
	const struct ct_superstep *superstep;
	size_t supersteps;
	struct ct_step *step;
	struct ct_comm_kernel *kernel; /* without volumes */
	size_t kernels;
	struct ct_site_of *site;
	uint32_t *first_site; /* by unit: index in site */
	uint32_t sites;
	bool has_atomics; /* among them */
	const struct ct_filter *filter;
	struct ct_objects *objects;
	bool is_wide;               /* touches in the larger layout, whatever the trace */
	bool is_whole;              /* hot pages are not cut, for elements are not aligned */
	bool has_invalid_transfers; /* larger than any memory */
	uint64_t ctas;              /* of the largest grid that passes */
	uint64_t launched_ctas;     /* of all supersteps */
	uint64_t touch_count;       /* of this rank, those that were summed counted one by one */
	uint32_t stride_step;       /* strides are looked at of every n-th CTA */
	uint64_t memory_bytes;
	uint32_t many;                  /* writers and readers of a product, at least */
	struct ct_products *products;   /* transfers that flows lack */
	struct ct_products *deliveries; /* by bytes of the same writers and readers; NULL: not
					   asked for */
	bool deliveries_cut;            /* memory did not hold them */
	struct ct_dense *dense;         /* the same, made ready for flows */
	uint64_t bin_ctas;              /* CTAs per bin of the density map */
	uint32_t bins;
	uint64_t (*cell)[2];                      /* bins * bins: transfers, bytes */
	pthread_mutex_t cell_lock[CT_CELL_LOCKS]; /* by row of them, modulo their number */
	struct ct_views *views;                   /* NULL: not asked for */
	struct ct_touch_layout layout;
	struct ct_shuffle *touches, *volumes, *flows, *runs;
	struct ct_page_pieces *pieces; /* of touches */
	uint32_t threads;
	struct ct_sums *sums;           /* of all threads, and in the end of all ranks */
	struct ct_comm_figures figures; /* after the pass */
	bool has_figures;
};

/* Each stage takes its partitions on one thread; the engine makes one per thread. */
struct ct_pages;   /* page.c */
struct ct_flows;   /* flow.c */
struct ct_strides; /* stride.c */

/* prepare.c: everything in the engine but the layout, shuffles and sums, of its trace, filter and
 * options. 0 or a negative error */
int ct_engine_prepare(struct ct_engine *engine);
void ct_engine_release(struct ct_engine *engine);
/* How touches are laid out, by is_wide. -EOVERFLOW */
int ct_engine_choose_layout(struct ct_engine *engine);

/* Any rank's error is all ranks' error; what progress returned stays with its rank. */
static inline int ct_engine_agree(const struct ct_engine *engine, int err)
{
	int all = ct_ranks_agree(engine->options.ranks, err > 0 ? -ECANCELED : err);

	return err > 0 ? err : all;
}

/* touches/touch.c: from accesses to touches and volumes; writer is the thread's number. -ERANGE:
 * the layout must be wide. */
struct ct_touches;
int ct_touches_open(struct ct_touches **out, struct ct_engine *engine, uint32_t writer);
int ct_touches_add(struct ct_touches *touches, const struct ct_access *access);
int ct_touches_finish(struct ct_touches *touches);
void ct_touches_close(struct ct_touches *touches); /* NULL is allowed */
/* Whether there were records of CTAs that their grid does not have; of both, once joined. */
bool ct_touches_are_invalid(const struct ct_touches *touches);
void ct_touches_note_invalid(struct ct_touches *touches);
void ct_touches_join(struct ct_touches *touches, const struct ct_touches *from);
/* The touches of all transfers, by the first writer. */
int ct_touches_add_transfers(struct ct_engine *engine);

/* pages/page.c: pieces of touches -> flows, runs, volumes, sums. -EDOM: see pages/pieces.h */
int ct_pages_open(struct ct_pages **out, struct ct_engine *engine, struct ct_sums *sums,
		  uint32_t writer);
int ct_pages_take(struct ct_pages *pages, uint32_t piece);
int ct_pages_close(struct ct_pages *pages); /* NULL is allowed; the first error of sums */

/* flows/flow.c: partitions of flows -> volumes, sums; flows/join.c: the whole transfers, one by one
 */
int ct_flows_open(struct ct_flows **out, struct ct_engine *engine, struct ct_sums *sums,
		  uint32_t writer);
int ct_flows_take(struct ct_flows *flows, uint32_t partition);
int ct_flows_close(struct ct_flows *flows); /* NULL is allowed; the first error of sums */
int ct_flows_each(struct ct_engine *engine, uint32_t partition,
		  int (*fn)(void *user, const struct ct_flow *flow), void *user);

/* ctas/stride.c: partitions of runs -> sums */
int ct_strides_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition);

/* ctas/volume.c: partitions of volumes -> sums; and the whole ones, one by one */
int ct_volumes_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition);
int ct_volumes_each(struct ct_engine *engine, uint32_t partition,
		    int (*fn)(void *user, const struct ct_volume *volume), void *user);

/* figures/make.c: from the sums; release frees what figures own. */
int ct_figures_make(struct ct_comm_figures *figures, struct ct_engine *engine);
void ct_figures_release(struct ct_comm_figures *figures);

/* Partitions of the shuffles. */
#define CT_FLOW_PARTITIONS 256u
#define CT_VOLUME_PARTITIONS 64u
#define CT_RUN_PARTITIONS 256u

static inline uint64_t ct_spread(uint64_t value)
{
	value *= 0x9e3779b97f4a7c15ull;
	return value ^ value >> 32;
}

static inline uint32_t ct_flow_partition(uint32_t source_cta)
{
	return (uint32_t)(ct_spread(source_cta) % CT_FLOW_PARTITIONS);
}

static inline uint32_t ct_volume_partition(uint64_t who)
{
	return (uint32_t)(ct_spread(who) % CT_VOLUME_PARTITIONS);
}

#endif

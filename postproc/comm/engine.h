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
#ifndef CT_COMM_ENGINE_H
#define CT_COMM_ENGINE_H

#include "comm.h"
#include "shuffle.h"
#include "sums.h"

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
	uint64_t order; /* ascends with the accesses of a warp */
	uint32_t superstep, cta, site;
	uint32_t times;
	uint16_t first, last; /* offsets of bytes in the page */
	uint8_t warp, kind;   /* CT_TOUCH_READ … */
};

/* The same as it is shuffled. Its partition tells the low bits of the page. */
struct ct_packed_touch {
	/* page 21, superstep 24, CTA 19 | CTA 13, site 20, warp 5, kind 3, times 6, order 17 |
	 * order 32, first 16, last 16 */
	uint64_t word[3];
};

#define CT_SUPERSTEP_BITS 24
#define CT_SITE_BITS 20
#define CT_TIMES_MAX 63u
#define CT_ORDER_BITS 49
#define CT_TOUCH_PARTITION_BITS 10
#define CT_TOUCH_PARTITIONS (1u << CT_TOUCH_PARTITION_BITS)
/* Bits of a packed touch that it is sorted by: page, superstep, CTA. */
#define CT_TOUCH_KEY_0 UINT64_MAX
#define CT_TOUCH_KEY_1 (UINT64_MAX << 51)

static inline uint32_t ct_touch_partition(uint64_t page)
{
	return (uint32_t)(page ^ page >> 10 ^ page >> 20) & (CT_TOUCH_PARTITIONS - 1);
}

static inline void ct_touch_pack(struct ct_packed_touch *packed, const struct ct_touch *touch)
{
	packed->word[0] = touch->page >> CT_TOUCH_PARTITION_BITS << 43 |
			  (uint64_t)touch->superstep << 19 | touch->cta >> 13;
	packed->word[1] = (uint64_t)(touch->cta & 0x1fff) << 51 | (uint64_t)touch->site << 31 |
			  (uint64_t)touch->warp << 26 | (uint64_t)touch->kind << 23 |
			  (uint64_t)touch->times << 17 | touch->order >> 32;
	packed->word[2] = touch->order << 32 | (uint64_t)touch->first << 16 | touch->last;
}

static inline void ct_touch_unpack(struct ct_touch *touch, const struct ct_packed_touch *packed,
				   uint32_t partition)
{
	const uint64_t *word = packed->word;
	uint64_t high = word[0] >> 43;

	touch->page = high << CT_TOUCH_PARTITION_BITS |
		      ((partition ^ high ^ high >> 10) & (CT_TOUCH_PARTITIONS - 1));
	touch->superstep = (uint32_t)(word[0] >> 19) & ((1u << CT_SUPERSTEP_BITS) - 1);
	touch->cta = (uint32_t)(word[0] & 0x7ffff) << 13 | (uint32_t)(word[1] >> 51);
	touch->site = (uint32_t)(word[1] >> 31) & ((1u << CT_SITE_BITS) - 1);
	touch->warp = (uint8_t)(word[1] >> 26 & 31);
	touch->kind = (uint8_t)(word[1] >> 23 & 7);
	touch->times = (uint32_t)(word[1] >> 17) & CT_TIMES_MAX;
	touch->order = (word[1] & 0x1ffff) << 32 | word[2] >> 32;
	touch->first = (uint16_t)(word[2] >> 16);
	touch->last = (uint16_t)word[2];
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

/* What a CTA moved in a superstep. */
struct ct_volume {
	uint64_t who; /* superstep << 32 | cta */
	uint64_t sm;  /* CT_NO_SM: not known here */
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
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
	uint8_t touch;  /* CT_TOUCH_READ, CT_TOUCH_WRITE */
};

/* Of a superstep; by its number. */
struct ct_step {
	uint32_t kernel; /* CT_NONE: a transfer */
	uint32_t part;
	uint64_t ctas;      /* of the grid */
	uint64_t first_cta; /* of all supersteps before */
	uint32_t settled;   /* it happened before this and all later supersteps of its part */
	uint8_t passes;     /* the filter */
	uint8_t is_total;   /* all supersteps of its part are ordered */
};

/* Kinds of sums: the top byte of the first key; value 0, value 1. */
enum ct_fact {
	CT_FACT_VOLUME = 1,          /* offset in struct ct_comm_volume / 8: bytes */
	CT_FACT_STEP_HOST,           /* superstep: from host, to host */
	CT_FACT_STEP_FLOW,           /* superstep: received, sent */
	CT_FACT_STEP_VOLUME,         /* superstep: loads, stores */
	CT_FACT_STEP_COMMUNICATED,   /* superstep: loads, stores */
	CT_FACT_STEP_DEGREE,         /* superstep: sum of out-degrees, of their squares */
	CT_FACT_CTA_DEGREE,          /* CTA: in, out */
	CT_FACT_CTA_FLOW,            /* CTA: received, sent */
	CT_FACT_SIZE,                /* bytes: transfers */
	CT_FACT_DISTANCE,            /* supersteps: bytes */
	CT_FACT_BISECTION,           /* dimension: bytes; 3: of all that could cross */
	CT_FACT_CELL,                /* source bin * bins + target bin: transfers, bytes */
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

struct ct_objects; /* objects.h */

struct ct_engine {
	struct ct_comm_options options;
	const char *directory; /* of the trace */
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
	struct ct_objects *objects;
	uint64_t ctas;          /* of the largest grid that passes */
	uint64_t launched_ctas; /* of all supersteps */
	uint32_t stride_step;   /* strides are looked at of every so-manieth CTA */
	uint64_t memory_bytes;
	uint64_t bin_ctas; /* CTAs per bin of the density map */
	uint32_t bins;
	uint64_t (*cell)[2]; /* bins * bins: transfers, bytes; threads add to it */
	struct ct_shuffle *touches, *volumes, *flows, *runs;
	uint32_t threads;
	struct ct_sums *sums; /* of all threads, and in the end of all ranks */
};

/* Each stage takes its partitions on one thread; the engine makes one per thread. */
struct ct_pages;   /* page.c */
struct ct_flows;   /* flow.c */
struct ct_strides; /* stride.c */

/* prepare.c: everything in the engine but shuffles and sums. Returns 0, a negative
 * error, or -EINVAL with why filled in. */
int ct_engine_prepare(struct ct_engine *engine, char *why, size_t why_bytes);
void ct_engine_release(struct ct_engine *engine);

/* touch.c: scan one shard of the trace; writer is the thread's number. */
int ct_touch_scan(struct ct_engine *engine, struct ct_trace *trace, uint32_t writer,
		  uint64_t *damaged, int (*progress)(void *user, uint64_t done, uint64_t total),
		  void *user);
/* The touches of all transfers. */
int ct_touch_transfers(struct ct_engine *engine, uint32_t writer);

/* page.c: partitions of touches -> flows, runs, volumes, sums */
int ct_pages_open(struct ct_pages **out, struct ct_engine *engine, struct ct_sums *sums,
		  uint32_t writer);
int ct_pages_take(struct ct_pages *pages, uint32_t partition);
int ct_pages_close(struct ct_pages *pages); /* NULL is allowed; the first error of sums */

/* flow.c: partitions of flows -> sums; and the whole transfers, one by one */
int ct_flows_open(struct ct_flows **out, struct ct_engine *engine, struct ct_sums *sums);
int ct_flows_take(struct ct_flows *flows, uint32_t partition);
int ct_flows_close(struct ct_flows *flows); /* NULL is allowed; the first error of sums */
int ct_flows_each(struct ct_engine *engine, uint32_t partition,
		  int (*fn)(void *user, const struct ct_flow *flow), void *user);

/* stride.c: partitions of runs -> sums */
int ct_strides_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition);

/* volume.c: partitions of volumes -> sums; and the whole ones, one by one */
int ct_volumes_take(struct ct_engine *engine, struct ct_sums *sums, uint32_t partition);
int ct_volumes_each(struct ct_engine *engine, uint32_t partition,
		    int (*fn)(void *user, const struct ct_volume *volume), void *user);

/* figures.c: from the sums; release frees what figures own. */
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

#endif

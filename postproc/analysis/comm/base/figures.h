/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked of the communication analysis, and what it finds. What each figure
 * means: docs/communication.md.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_BASE_FIGURES_H
#define CT_POSTPROC_ANALYSIS_COMM_BASE_FIGURES_H

#include "postproc/base/ranks.h"
#include "postproc/facts/filter.h"
#include "postproc/order/order.h"
#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_comm_options {
	/* The selection, of ct_comm_open alone, as long as the analysis; NULL: everything. */
	const struct ct_selection *selection;
	uint64_t memory_bytes; /* bound on what the analysis holds; 0: a quarter of what is free */
	uint32_t threads;      /* 0: as many as the process may use */
	bool self;             /* messages of a CTA to itself count in degree and bisection */
	bool transfers;        /* they will be asked for one by one: ct_comm_each_transfer */
	bool deliveries;       /* they will be asked for: ct_comm_each_delivery */
	bool views;            /* figures.views will be looked at */
	/* So many CTAs that write the same bytes and so many that read them are counted
	 * together, not pair by pair; 0: 64. Figures do not depend on it. */
	uint32_t many_ctas;
	const char *directory; /* for what does not fit in memory; NULL: TMPDIR or /tmp */
	uint32_t density_first, density_last; /* CTAs of the density map; 0, 0: all */
	uint32_t density_bins;                /* at most this many on an axis; 0: 1024 */
	struct ct_ranks *ranks;
};

struct ct_comm_volume {
	uint64_t load_bytes, store_bytes; /* of CTAs; atomics in both */
	uint64_t communicated_load_bytes; /* of load_bytes: loads of communicated data */
	/* Bytes that a CTA wrote in a superstep and some CTA read later, once each. */
	uint64_t communicated_store_bytes;
	/* The part of these that a CTA of another id or kernel read, or several CTAs of one
	 * launch wrote. */
	uint64_t exchanged_store_bytes;
	uint64_t transfers;                  /* distinct (superstep, CTA) pairs */
	uint64_t transferred_bytes;          /* sum of their sizes */
	uint64_t self_transfers, self_bytes; /* of these: between CTAs of the same id */
	/* The part of the communicated loads and stores that a CTA of another id wrote or reads,
	 * or that several CTAs of one launch wrote. */
	uint64_t others_load_bytes, others_store_bytes;
	/* Not communication, in distinct bytes per superstep and reading CTA: */
	uint64_t from_host_bytes; /* last written by a transfer */
	uint64_t to_host_bytes;   /* written by a CTA, read by a transfer */
	uint64_t unwritten_bytes; /* read by CTAs, written by nothing that was seen */
	uint64_t unordered_bytes; /* written by an earlier call that may run at the same time */
	uint64_t same_superstep_bytes;        /* also written by another CTA of the same launch */
	uint64_t same_superstep_atomic_bytes; /* of these: that atomics alone access in it */
	/* Bytes overwritten by more unordered supersteps than are remembered; 0 but in odd
	 * programs. */
	uint64_t forgotten_bytes;
};

/* By superstep, all of them, in their order. */
struct ct_comm_superstep {
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
	uint64_t others_load_bytes, others_store_bytes; /* of these, as of the volume */
	uint64_t received_bytes, sent_bytes;            /* of transfers */
	uint64_t self_received_bytes, self_sent_bytes;  /* of these */
	uint64_t from_host_bytes, to_host_bytes;
	/* That CTAs of the launch wrote, and others of the superstep right before it had read or
	 * written. */
	uint64_t crossed_bytes;
	/* Over all CTAs of the grid; sd of the population. */
	double out_degree_mean, out_degree_sd;
	double in_degree_mean, in_degree_sd;
	uint8_t passes; /* the filter */
};

struct ct_comm_count {
	uint64_t key; /* size, distance, partners or stride */
	uint64_t count;
};

/* Ascending by key. */
struct ct_comm_histogram {
	struct ct_comm_count *entry;
	size_t count;
};

/* By CTA id; partners over all supersteps and kernels. */
struct ct_comm_cta_figures {
	uint64_t in_degree, out_degree;
	uint64_t received_bytes, sent_bytes;
	uint64_t self_bytes; /* of both */
	/* Distances between successive communicated elements in address order. */
	uint64_t load_strides, load_stride_sum, load_stride_max;
	uint64_t store_strides, store_stride_sum, store_stride_max;
};

struct ct_comm_bisection {
	uint64_t bytes;
	double relative; /* to the bytes of the same transfers; 0 if there are none */
};

/* Messages from a bin of CTAs (writers) to a bin of CTAs (readers). */
struct ct_comm_cell {
	uint32_t source, target; /* bins */
	uint64_t transfers, bytes;
};

struct ct_comm_density {
	uint64_t first_cta, last_cta; /* both axes */
	uint64_t ctas_per_bin;        /* 1: not aggregated */
	uint32_t bins;
	struct ct_comm_cell *cell; /* those with transfers, by source, then target */
	size_t cells;
	uint64_t (*self)[2]; /* by bin: transfers, bytes of self messages, all on the diagonal */
};

#define CT_COMM_VIEW_DISTANCES 34

/* Density and distance of a part of the transfers. */
struct ct_comm_view {
	uint32_t first, last; /* supersteps that read; of a pair: writing and reading kernel */
	uint64_t launches;    /* that read; of a pair 0 */
	uint64_t bytes;
	struct ct_comm_cell *cell; /* those with transfers, by source, then target */
	size_t cells;
	/* Bytes; a distance d > 0 is in the bin of its highest bit, 1 + log2 d. */
	uint64_t distance[CT_COMM_VIEW_DISTANCES];
};

/* Views of successive launches, then of all pairs of some kernels: those with most CTAs. */
struct ct_comm_views {
	uint64_t ctas_per_bin; /* from ct_comm_density.first_cta */
	uint32_t bins;
	uint32_t kernels; /* whose pairs there are */
	size_t slots;     /* of launches; the first views */
	struct ct_comm_view *view;
	size_t count;
};

struct ct_comm_kernel {
	const char *name;   /* display name */
	const char *symbol; /* mangled; kernels are told apart by it */
	uint64_t launches;
	uint64_t load_bytes, store_bytes, communicated_load_bytes, communicated_store_bytes;
	uint64_t others_load_bytes, others_store_bytes; /* as of the volume */
};

enum ct_comm_pattern {
	CT_PATTERN_POINT_TO_POINT = 0,
	CT_PATTERN_SCATTER = 1,
	CT_PATTERN_GATHER = 2,
	CT_PATTERN_MULTICAST = 3,
	CT_PATTERN_ALL_TO_ALL = 4,
	CT_PATTERN_NEIGHBOURS = 5, /* few partners each, more than one: halo exchange, stencil */
	CT_PATTERN_IRREGULAR = 6,
	CT_PATTERN_LOCAL = 7, /* each CTA to itself only */
};

/* From all launches of one kernel to all of another; self messages included in bytes only. */
struct ct_comm_kernel_pair {
	uint32_t source, target; /* kernels */
	uint64_t transfers, bytes, self_bytes;
	uint64_t distinct_bytes; /* bytes once per reading superstep, however many CTAs read them */
	uint64_t sources, targets; /* distinct CTA ids with a partner other than itself */
	uint64_t partners;         /* distinct pairs of CTA ids */
	uint64_t out_degree_max, in_degree_max;
	uint64_t source_ctas, target_ctas; /* largest grids */
	enum ct_comm_pattern pattern;      /* pattern.h */
};

/* A site that writes and one that reads what it wrote. */
struct ct_comm_line_pair {
	const struct ct_unit *source_unit, *target_unit;
	uint32_t source_site, target_site;
	uint64_t bytes;        /* of transfers; counted for the first load of a byte by a CTA */
	uint64_t loaded_bytes; /* of all loads */
	uint64_t self_bytes, self_loaded_bytes; /* of these, of self messages */
};

/* Objects of one allocation site and name together. */
struct ct_comm_object {
	const struct ct_object_info
	    *object; /* the first of them; NULL: memory of no known object */
	uint64_t objects;
	uint64_t load_bytes, store_bytes;
	uint64_t communicated_load_bytes, communicated_store_bytes;
	uint64_t others_load_bytes, others_store_bytes; /* of these, as of the volume */
	uint64_t transferred_bytes;
	uint64_t self_bytes; /* of these */
};

struct ct_comm_figures {
	bool is_exchanged; /* self messages left out: figures/exchanged.h */
	struct ct_comm_volume volume;
	const struct ct_superstep *superstep; /* order.h */
	struct ct_comm_superstep *of_superstep;
	size_t supersteps;
	struct ct_comm_cta_figures *cta; /* by CTA id */
	uint64_t stride_step; /* strides are those of CTAs 0, stride_step, …; 1: of all */
	uint64_t ctas;        /* of the largest grid */
	struct ct_comm_histogram transfer_size;             /* bytes -> transfers */
	struct ct_comm_histogram distance;                  /* supersteps -> bytes */
	struct ct_comm_histogram self_size, self_distance;  /* of these: self messages */
	struct ct_comm_histogram in_degree, out_degree;     /* partners -> CTAs */
	struct ct_comm_histogram load_stride, store_stride; /* bytes -> times */
	struct ct_comm_bisection bisection[3];
	struct ct_comm_density density;
	struct ct_comm_views views; /* if they were asked for */
	struct ct_comm_kernel *kernel;
	size_t kernels;
	struct ct_comm_kernel_pair *kernel_pair; /* by bytes, falling */
	size_t kernel_pairs;
	struct ct_comm_line_pair *line_pair; /* by bytes, falling */
	size_t line_pairs;
	struct ct_comm_object *object; /* by transferred bytes, falling */
	size_t objects;
	/* These limit all of the above. */
	uint64_t launches, traced_launches; /* that pass; the others' accesses are unknown */
	uint64_t lost_chunks, damaged_chunks;
	uint64_t spilled_bytes;
};

#define CT_COMM_CTAS_LISTED (1u << 20)

/* Whether a list of CTAs has this one: of larger grids, which a trace of any size may name, only
 * those that communicate. */
static inline bool ct_comm_lists_cta(const struct ct_comm_figures *figures, uint64_t cta)
{
	const struct ct_comm_cta_figures *f = &figures->cta[cta];

	return figures->ctas <= CT_COMM_CTAS_LISTED || f->in_degree || f->out_degree ||
	       f->received_bytes || f->sent_bytes || f->self_bytes || f->load_strides ||
	       f->store_strides;
}

#endif

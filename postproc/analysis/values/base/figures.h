/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores that move what is already there, and what values objects hold: docs/values.md
 * says what each figure means and what a trace without an order between warps can report of it
 * (seed 002, III; ValueExpert's patterns).
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_FIGURES_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_FIGURES_H

#include "postproc/facts/filter.h"
#include "postproc/facts/kernel_table.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/unread.h"
#include "postproc/facts/valueless.h"

/* Counts elements: each is one element of the vector that one thread accesses. */
struct ct_values_counts {
	uint64_t elements, bytes;
	uint64_t temporal;   /* as the thread's last access of this class there, in the launch */
	uint64_t silent;     /* stores: as the thread's last load or store there, in the launch */
	uint64_t known;      /* stores: as memory held it from before the launch */
	uint64_t agreed;     /* stores: as all other stores there, in the launch */
	uint64_t found;      /* stores of tier values: as memory held it right before */
	uint64_t unknown;    /* stores: what memory held is not known */
	uint64_t unreported; /* elements whose value the trace does not tell */
	/* Sectors of global memory, 32 bytes each: of all requests, and of such all lanes of
	 * which are redundant there. */
	uint64_t sectors, avoided;
};

/* Elements whose value was there already: of loads those the thread had loaded, of stores those
 * that memory held; of atomics those that left memory as it was. */
uint64_t ct_values_redundant(const struct ct_values_counts *counts, enum ct_class class);

void ct_values_counts_add(struct ct_values_counts *to, const struct ct_values_counts *from);

/* Counts what a site did to objects of one group in all launches of a kernel. */
struct ct_values_row {
	uint32_t kernel, group;
	const struct ct_unit *unit;
	uint32_t site;
	enum ct_class class;
	struct ct_values_counts counts;
};

/* The thread accessed what it had accessed at `old`, at `site`, with the same value. */
struct ct_values_pair {
	uint32_t kernel;
	bool is_store;
	const struct ct_unit *old_unit, *unit;
	uint32_t old_site, site;
	uint64_t elements;
};

#define CT_VALUES_TOP 8u

/* An element's type: its kind and the binary logarithm of its bytes. */
#define CT_VALUES_TYPE(scalar, log2) ((unsigned)((scalar) << 2 | (log2)))
#define CT_VALUES_TYPE_SCALAR(type) ((type) >> 2)
#define CT_VALUES_TYPE_BYTES(type) (1u << ((type)&3u))

/* Narrower types that may hold the same values, exactly. */
enum ct_values_width {
	CT_VALUES_I8,
	CT_VALUES_U8,
	CT_VALUES_I16,
	CT_VALUES_U16,
	CT_VALUES_F16,
	CT_VALUES_I32,
	CT_VALUES_U32,
	CT_VALUES_F32,
	CT_VALUES_WIDTHS,
};

/* The values that a kernel loads from, or stores to, objects of a group. */
struct ct_values_set {
	uint32_t kernel, group;
	bool is_store;
	unsigned type;
	uint64_t elements;
	uint64_t distinct;        /* values, of all launches together */
	uint64_t launch_distinct; /* values of each launch, summed over launches */
	uint64_t zeros, near_zeros;
	uint64_t held[CT_VALUES_WIDTHS]; /* elements if the narrower type holds all exactly, else
					    fewer */
	unsigned alike; /* the lowest level of precision at which all are one float; 0: none */
	uint64_t alike_value; /* which */
	uint64_t neighbours;  /* pairs of lanes side by side, */
	uint64_t modal_pairs; /* and how many of them differ by the modal slope, */
	uint64_t line_pairs;  /* and how many are on one line: slope x index + value */
	int64_t slope;        /* of the value's bits, from an element to the next */
	uint32_t tops;
	struct {
		uint64_t value, elements;
	} top[CT_VALUES_TOP]; /* the most frequent first; all if tops < CT_VALUES_TOP */
};

/* Stores of all threads of a launch to the same place, order-free. */
struct ct_values_cells {
	uint32_t kernel, group;
	uint64_t equal;      /* stores beyond the first, where all have the same value */
	uint64_t candidates; /* stores of several threads to one place that differ */
};

/* X(ID, name, what to do) */
#define CT_VALUES_LIVES(X)                                                                         \
	X(UNUSED, "unused", "Do not allocate it: nothing uses it")                                 \
	X(LEAK, "leak", "Free it: the program never does")                                         \
	X(EARLY, "early allocation", "Allocate it right before its first use")                     \
	X(LATE, "late free", "Free it right after its last use")                                   \
	X(REDUNDANT, "redundant allocation",                                                       \
	  "Use the memory of an object of its size that is no longer used by then")                \
	X(IDLE, "temporary idleness",                                                              \
	  "Copy it to the host meanwhile, or compute it anew, if memory is short")                 \
	X(DEAD_WRITE, "dead write",                                                                \
	  "Leave out what writes it: a copy, a memset, stores of a kernel")                        \
	X(DUPLICATE, "duplicate", "Keep one of the two: copy it once, and let all read the same")  \
	X(OVERALLOCATED, "overallocation", "Allocate what is used of it")                          \
	X(UNEVEN, "non-uniform use",                                                               \
	  "Keep what is accessed most apart, in shared memory if it fits there")                   \
	X(SLICED, "structured access",                                                             \
	  "Allocate one slice, and copy what each launch needs: launches use slices of their own")

enum ct_values_life_id {
#define X(id, name, fix) CT_LIFE_##id,
	CT_VALUES_LIVES(X)
#undef X
	    CT_LIFE_PATTERNS,
};

/* Counts what launches use of an object, of traces with values; bytes. */
struct ct_values_usage {
	uint64_t used;                 /* by some launch */
	double fragmentation;          /* 1 less the largest gap's share of all that is not used */
	uint32_t element_bytes;        /* as most of its accesses have; 0: it has none */
	double mean, deviation;        /* accesses of the elements that are used; sd / mean */
	uint64_t launches;             /* that use it */
	uint64_t slice;                /* the most that one of them uses, */
	uint64_t shared;               /* and what they use that another one has used */
	uint64_t written, dead;        /* in all; of these, never read */
	uint64_t writes, dead_writes;  /* launches, copies and memsets; such as were never read */
	struct ct_unread_range unread; /* of the dead ones: others are overwritten */
};

/* From when to when an object lives and is used; in supersteps, numbered as in ct_order. */
struct ct_values_lifetime {
	const struct ct_object_info *object;
	uint32_t group;
	uint32_t allocated_at,
	    freed_at;         /* first superstep after its allocation, and after its end */
	uint32_t first, last; /* use; CT_NONE: there is none */
	uint32_t early, late,
	    idle; /* launches: before the first use, after the last, between two */
	uint32_t idle_from, idle_to; /* uses on both sides of the longest idleness */
	uint32_t dead_writes;
	struct ct_values_usage usage;
	uint32_t patterns; /* bits 1 << enum ct_values_life_id */
	/* All that might use it is seen: device memory of this process alone, and every launch
	 * while it lives reports what it accesses. Else only a leak is reported. */
	bool is_sure;
	const struct ct_object_info *reuses; /* whose memory it could have; NULL: none's */
	uint32_t lender;                     /* its lifetime */
	const struct ct_object_info *twin;   /* which holds the same; NULL: none */
};

/* By superstep, when it runs. */
struct ct_values_memory {
	uint64_t *bytes, *needed; /* allocated; of objects between their first and last use */
	size_t steps;
	uint64_t peak, needed_peak;
	uint32_t peak_step;
	uint64_t without[CT_LIFE_PATTERNS]; /* the peak if no object had the pattern */
};

/* Elements of a launch, or of several; atomics count as stores. */
struct ct_values_done {
	uint64_t loads, temporal, stores, redundant;
	uint64_t unknown, unreported; /* as in ct_values_counts */
};

struct ct_values_launch {
	const struct ct_launch_info *launch;
	uint32_t kernel;
	uint32_t path; /* of the host, as in figures->paths; 0: not known */
	uint32_t step;
	bool is_open; /* it stores what the trace does not tell, as of CTAs that are left out */
	/* It does again what the launches right before it have done, of which no more than the
	 * first changed anything: somebody takes its time. */
	bool is_repeat;
	struct ct_values_done done;
};

/* Launches of a kernel from one place of the program: the same line, region and call path of the
 * host, by its calls or, of traces with --sample-launches, by LAUNCH.context. */
struct ct_values_context {
	const struct ct_launch_info *first;
	uint32_t kernel;
	uint32_t path;
	uint64_t launches;  /* that access anything with values */
	uint64_t unchanged; /* of these, such that left memory as it was: all stores redundant */
	uint64_t repeats;   /* of these, such that only repeat those before them */
	struct ct_values_done done;
};

/* A copy or memset. */
struct ct_values_transfer {
	const struct ct_transfer_info *transfer;
	uint32_t group; /* of what it writes */
	uint32_t node;
	uint32_t apart; /* its node as of ct_values_apart */
	uint64_t bytes;
	uint64_t same;    /* bytes that memory held already */
	uint64_t unknown; /* bytes of which it is not known what memory held, or what they are */
	uint32_t step;
	uint64_t hash[2]; /* of what it moves, if has_hash */
	bool has_hash;
};

/* Launches of one place and call path, or copies and memsets of one call, are one node of the
 * flow. */
enum ct_values_way {
	CT_VALUES_LAUNCH,
	CT_VALUES_SET,
	CT_VALUES_COPY, /* on a device, */
	CT_VALUES_COPY_IN,
	CT_VALUES_COPY_OUT,
	CT_VALUES_WAYS,
};

struct ct_values_node {
	const struct ct_launch_info *launch; /* the first one; NULL: it is a transfer */
	const struct ct_transfer_info *transfer;
	uint32_t kernel; /* of a launch */
	uint32_t path;   /* likewise: of ct_values_figures.paths; 0: not known */
	enum ct_values_way way;
	uint64_t times;
};

#define CT_NODE_ALLOC UINT32_MAX /* as a writer: nothing has written since the allocation */

/* Bytes of objects of a group that one node wrote last, and another one read or overwrote. */
struct ct_values_flow {
	uint32_t group;
	uint32_t from, to;   /* nodes */
	uint64_t read, over; /* bytes */
	uint64_t same;       /* of those overwritten: they were as they are written */
};

/* Tier values: the sites of a line that load, or store, elements of one type, in all launches of a
 * kernel, as far as they accessed objects of one group. Exact but for distinct. */
struct ct_values_summary {
	uint32_t kernel, group;
	const struct ct_unit *unit;
	uint32_t site; /* one of them */
	enum ct_class class;
	bool is_found;  /* same of a store is known */
	bool has_range; /* some element is a number */
	unsigned type;
	uint64_t launches, executions, elements, zeros;
	uint64_t same;            /* as in event SUMMARY */
	uint64_t least, greatest; /* bits */
	uint64_t distinct;
	uint32_t held; /* bits 1 << enum ct_values_width */
};

/* Bytes of objects of a group never read since a node wrote them. */
struct ct_values_dead {
	uint32_t group, node;
	uint64_t bytes;
	uint64_t times; /* that it wrote, none of which was ever read */
};

/* Nodes by the stack of their launches, and what is of them: paths are known later (nodes.h). */
struct ct_values_apart {
	struct ct_values_node *node;
	struct ct_values_flow *flow; /* those that are read, by group, from and to; the others */
	struct ct_values_dead *dead; /* several of a group and node */
	size_t nodes, flows, read_flows, deads;
};

struct ct_values_worth;

struct ct_values_figures {
	struct ct_kernel_entry *kernel; /* by symbol, launches that pass the filter */
	size_t kernels;
	/* By group: its first object (NULL of memory of no known object, the last one), and how
	 * many it has. */
	const struct ct_object_info **object;
	uint64_t *objects;
	size_t groups;
	struct ct_values_row *row; /* by kernel, group, site */
	size_t rows;
	struct ct_values_pair *pair; /* the most elements first */
	size_t pairs;
	struct ct_values_cells *cells; /* by kernel, group */
	size_t cell_count;
	struct ct_values_set *set; /* the most elements first */
	size_t sets;
	struct ct_values_lifetime *life; /* by object of the trace */
	size_t lives;
	struct ct_values_node *node;
	size_t nodes;
	struct ct_values_flow *flow; /* the most bytes first */
	size_t flows;
	struct ct_values_dead *dead; /* by group and node */
	size_t deads;
	struct ct_values_apart apart;
	struct ct_values_memory memory;
	struct ct_values_launch *launch; /* that access anything with values, as they run */
	size_t launched;
	struct ct_values_context *context; /* the most elements first */
	size_t contexts;
	const struct ct_host_paths *paths; /* borrowed; NULL: nothing has set them, or not known */
	struct ct_values_transfer *transfer; /* to objects, as they run */
	size_t transfers;
	double *seconds; /* by kernel: of all its launches, if they were not instrumented; 0: not
			    known; NULL: nothing has set them, or none is known */
	struct ct_values_worth *worth; /* findings/worth.h; one block; NULL: nothing has set it */
	struct ct_values_summary *summary; /* the most elements first */
	size_t summaries;
	struct ct_valueless_list valueless; /* of tier values */
	bool is_summarised;                 /* some launch is of tier values */
	uint64_t surprises; /* elements that memory held otherwise than it had been left */
	/* The shares of loads, and of stores and atomics, where CTAs are left out: the share that
	 * is redundant by the thread alone, of all CTAs, and its standard error; and how many
	 * times as many elements all of them have as those that are recorded, about. */
	struct ct_values_estimate {
		double share, error, scale;
	} load_estimate, store_estimate;
	/* By kernel: CTAs of launches of which some are left out. */
	struct ct_values_ctas {
		uint64_t all, recorded;
	} * ctas;
	size_t sampled_launches;
	size_t launches, opaque_launches; /* that store what the trace does not tell */
	bool has_values;                  /* some unit of the trace records them */
	unsigned precision;               /* the level of approximation */
};

/* Bits of a float that are looked at, at a level of the seed's code: 0 all, 5 the fewest. */
#define CT_VALUES_PRECISION_MAX 5u
uint64_t ct_values_precision_mask(unsigned type, unsigned level);

/* Elements of loads, or of stores, whose value another one of their launch has, but for one of
 * each value. Where CTAs are left out: their share, which is too low, as values that CTAs share
 * meet less often, and the most that it can be, as all CTAs have no fewer values. */
struct ct_values_spatial {
	uint64_t redundant;
	double least, most;
};
struct ct_values_spatial ct_values_spatial_of(const struct ct_values_figures *figures,
					      bool is_store);

struct ct_calls;
struct ct_host_paths;

/* From where the host launched: contexts and nodes are apart by it from then on. Paths outlive the
 * figures; NULL is allowed. 0 or -ENOMEM */
int ct_values_set_paths(struct ct_values_figures *figures, const struct ct_host_paths *paths);

/* How long kernels run when they are not instrumented, as ct_access_set_times. 0 or -ENOMEM */
int ct_values_set_times(struct ct_values_figures *figures, const struct ct_calls *calls);

#endif

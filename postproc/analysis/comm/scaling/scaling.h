/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would cross the interconnect if the CTAs of a program ran on several
 * devices (seed 001, 7.1).
 *
 * Each CTA id has a home, the same in all supersteps and kernels, and data
 * lives where it was written. A byte crosses from each device that wrote it to
 * each other one of which a CTA reads it, once however many of its CTAs do, into
 * the superstep that reads. A superstep
 * costs the latency, if anything crosses into it, and the time that the busiest
 * device needs to send or to receive at the bandwidth of its link; devices send
 * and receive at the same time, links share nothing, and supersteps run one
 * after another. What the kernels themselves take, transfers of the host, and
 * launches that were not traced are not in it: this is the time to add to that
 * of one k-th of the work.
 *
 * The graph to partition has an edge between two CTAs for the bytes that they
 * exchange, both ways. If it has more than 2^19 edges, 2, 4, 8, … CTAs of
 * successive ids are one vertex until it has not; they stay together then. The
 * partitioner may fill a device 1 % above the average. If its cut is above that
 * of block or cyclic placement, or a device is fuller by 2 %, the better of these
 * is the graph placement: a program whose order is good keeps it.
 */
#ifndef CT_POSTPROC_ANALYSIS_COMM_SCALING_SCALING_H
#define CT_POSTPROC_ANALYSIS_COMM_SCALING_SCALING_H

#include "postproc/analysis/comm/comm.h"

enum ct_placement {
	CT_PLACEMENT_BLOCK = 0,  /* CTA c of n on device c * k / n */
	CT_PLACEMENT_CYCLIC = 1, /* c mod k */
	CT_PLACEMENT_GRAPH = 2,  /* least bytes between equally many CTAs: a graph partitioner */
};
#define CT_PLACEMENTS 3

#define CT_SCALING_DEVICES_MAX 16

struct ct_scaling_options {
	uint32_t devices_min, devices_max; /* 2 … 16 */
	double bandwidth;                  /* bytes/s, each device, each direction */
	double latency;                    /* s */
	struct ct_ranks *ranks;            /* those of comm; never NULL */
};

struct ct_scaling_row {
	uint32_t devices;
	enum ct_placement placement;
	uint64_t crossing_bytes;
	uint64_t crossing_transfers; /* those whose CTAs have different homes */
	double crossing_part;        /* of all bytes between different CTAs */
	double predicted_seconds;    /* of all supersteps */
	double balance;            /* CTAs of the fullest device over the average; 1 without CTAs */
	uint64_t *superstep_bytes; /* crossing into each superstep; figures.supersteps of them */
	uint64_t *superstep_most;  /* of these, what the busiest device sends or receives */
	/* Memory did not hold who reads the same bytes: they count for each pair of CTAs. */
	uint8_t is_bound;
	uint8_t is_best; /* of its number of devices: least predicted_seconds, then bytes */
};

struct ct_scaling;

/* Collective as ct_comm_open; rows are rank 0's, the others have none. -EINVAL
 * for options out of range or without ranks, -EIO if the partitioner fails, -ENOMEM. */
int ct_scaling_open(struct ct_scaling **out, struct ct_comm *comm,
		    const struct ct_scaling_options *options);
void ct_scaling_close(struct ct_scaling *scaling); /* NULL is allowed */
/* By devices, then placement. */
const struct ct_scaling_row *ct_scaling_rows(const struct ct_scaling *scaling, size_t *count);
const char *ct_placement_text(enum ct_placement placement);

#endif

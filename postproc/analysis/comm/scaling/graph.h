/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of CTAs that exchange bytes, and its partitions into equally large parts. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_SCALING_GRAPH_H
#define CT_POSTPROC_ANALYSIS_COMM_SCALING_GRAPH_H

#include "postproc/shuffle/sums.h"
#include <stdint.h>

/* More of either, and CTAs of successive ids become one vertex. */
#define CT_CTA_GRAPH_EDGES_MAX (1u << 19)
#define CT_CTA_GRAPH_VERTICES_MAX (1u << 20)

struct ct_cta_graph {
	struct ct_sums *edge; /* vertices a < b: bytes */
	size_t edges;
	uint32_t shift; /* vertex of CTA c: c >> shift */
};

int ct_cta_graph_init(struct ct_cta_graph *graph);
void ct_cta_graph_fini(struct ct_cta_graph *graph);

/* Bytes that two different CTAs exchange. */
int ct_cta_graph_add(struct ct_cta_graph *graph, uint64_t cta, uint64_t other, uint64_t bytes);
/* Join vertices until shift is at least this and the graph is not too large. */
int ct_cta_graph_coarsen(struct ct_cta_graph *graph, uint32_t shift, uint64_t ctas);

static inline uint64_t ct_cta_graph_vertices(const struct ct_cta_graph *graph, uint64_t ctas)
{
	return (ctas + ((uint64_t)1 << graph->shift) - 1) >> graph->shift;
}

/* part[vertex] for 2 … 255 parts. -ENOMEM, or -EIO if the partitioner fails. */
int ct_cta_graph_partition(struct ct_cta_graph *graph, uint64_t ctas, uint32_t parts,
			   uint8_t *part);

#endif

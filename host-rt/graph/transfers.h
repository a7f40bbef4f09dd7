/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies and memsets of an executable graph: each launch of it writes them as
 * TRANSFER events, where they stand among its kernels. Session's lock held.
 */
#ifndef CT_HOST_RT_GRAPH_TRANSFERS_H
#define CT_HOST_RT_GRAPH_TRANSFERS_H

#include "host-rt/streams/transfer.h"
#include <stdint.h>

struct ct_graph_transfer {
	cudaGraphNode_t node;
	cudaGraphNode_t owner; /* the outermost child graph's node, NULL outside child graphs */
	uint32_t kernels;      /* how many of the graph's kernels come before */
	bool disabled;         /* cudaGraphNodeSetEnabled */
	struct ct_transfer transfer;
};

struct ct_graph_transfers {
	struct ct_graph_transfer *list;
	uint32_t count, room;
};

/* Memcpy and memset nodes are added. 0 or -ENOMEM; one that cannot be looked at is left out. */
int ct_graph_transfers_add(struct ct_graph_transfers *transfers, cudaGraphNode_t node,
			   enum cudaGraphNodeType type, cudaGraphNode_t owner, uint32_t kernels);
void ct_graph_transfers_free(struct ct_graph_transfers *transfers);

struct ct_graph_transfer *ct_graph_transfers_find(const struct ct_graph_transfers *transfers,
						  cudaGraphNode_t node);
/* Those of a child graph's node move what those of part do. */
void ct_graph_transfers_take_over(struct ct_graph_transfers *transfers, cudaGraphNode_t owner,
				  const struct ct_graph_transfers *part);

/* Writes those that stand behind that many kernels; *next: the first not written yet. */
void ct_graph_transfers_write(const struct ct_graph_transfers *transfers, uint32_t kernels,
			      uint32_t *next, int device, uint64_t stream);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and memsets of executable graphs. */
#include "host-rt/graph/transfers.h"
#include "host-rt/graph/real.h"
#include "host-rt/streams/transfer_shape.h"
#include "host-rt/watch/watch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_node(struct ct_transfer *transfer, cudaGraphNode_t node,
		      enum cudaGraphNodeType type)
{
	struct cudaMemcpy3DParms copy;
	struct cudaMemsetParams fill;

	memset(&copy, 0, sizeof(copy));
	if (type == cudaGraphNodeTypeMemcpy) {
		if (cudaGraphMemcpyNodeGetParams(node, &copy) != cudaSuccess)
			return false;
		*transfer = ct_transfer_slices(&copy, NULL);
		return true;
	}
	if (cudaGraphMemsetNodeGetParams(node, &fill) != cudaSuccess)
		return false;
	*transfer = ct_transfer_of_value(
	    ct_transfer_fill_rows((struct ct_rows){fill.dst, fill.pitch},
				  fill.width * fill.elementSize, fill.height, NULL),
	    fill.value, fill.elementSize);
	return true;
}

static struct ct_graph_transfer *extend(struct ct_graph_transfers *transfers)
{
	uint32_t room = transfers->room ? 2 * transfers->room : 8;
	struct ct_graph_transfer *grown;

	if (transfers->count == transfers->room) {
		grown = realloc(transfers->list, room * sizeof(*grown));
		if (!grown)
			return NULL;
		transfers->list = grown;
		transfers->room = room;
	}
	return &transfers->list[transfers->count++];
}

int ct_graph_transfers_add(struct ct_graph_transfers *transfers, cudaGraphNode_t node,
			   enum cudaGraphNodeType type, cudaGraphNode_t owner, uint32_t kernels)
{
	struct ct_transfer transfer;
	struct ct_graph_transfer *added;

	if (!read_node(&transfer, node, type))
		return 0;
	added = extend(transfers);
	if (!added)
		return -ENOMEM;
	*added = (struct ct_graph_transfer){
	    .node = node, .owner = owner, .kernels = kernels, .transfer = transfer};
	return 0;
}

void ct_graph_transfers_free(struct ct_graph_transfers *transfers)
{
	free(transfers->list);
	*transfers = (struct ct_graph_transfers){0};
}

struct ct_graph_transfer *ct_graph_transfers_find(const struct ct_graph_transfers *transfers,
						  cudaGraphNode_t node)
{
	for (uint32_t i = 0; i < transfers->count; i++)
		if (transfers->list[i].node == node)
			return &transfers->list[i];
	return NULL;
}

void ct_graph_transfers_take_over(struct ct_graph_transfers *transfers, cudaGraphNode_t owner,
				  const struct ct_graph_transfers *part)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < transfers->count && next < part->count; i++)
		if (transfers->list[i].owner == owner)
			transfers->list[i].transfer = part->list[next++].transfer;
}

void ct_graph_transfers_write(const struct ct_graph_transfers *transfers, uint32_t kernels,
			      uint32_t *next, int device, uint64_t stream)
{
	for (; *next < transfers->count && transfers->list[*next].kernels <= kernels; ++*next) {
		const struct ct_graph_transfer *node = &transfers->list[*next];
		struct ct_event_transfer event = node->transfer.event;

		event.flags = CT_TRANSFER_GRAPH;
		event.stream = stream;
		if (node->disabled)
			continue;
		ct_transfer_write(&event, device, "cudaGraphLaunch");
		if (ct_watch_is_on())
			ct_transfer_watch(&event);
	}
}

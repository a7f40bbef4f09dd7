/* SPDX-License-Identifier: Apache-2.0 */
/* Launch sites of captured kernel nodes, by node. Handles come again after a destroy: the last
 * capture counts, and only for the function that was captured. */
#include "host-rt/launch/captured.h"
#include "host-rt/streams/streams.h"
#include <stdlib.h>

/* Older CUDA runtimes need not have it. */
#pragma weak cudaStreamGetCaptureInfo

#define BUCKETS 1024u

struct captured {
	struct captured *next;
	cudaGraphNode_t node;
	const void *function;
	const char *site;
};

static struct captured *buckets[BUCKETS];

static struct captured **bucket_of(cudaGraphNode_t node)
{
	return &buckets[((uintptr_t)node >> 4) % BUCKETS];
}

static struct captured *find(cudaGraphNode_t node)
{
	struct captured *entry = *bucket_of(node);

	while (entry && entry->node != node)
		entry = entry->next;
	return entry;
}

static cudaGraphNode_t last_node(const struct ct_launch_call *call)
{
	enum cudaStreamCaptureStatus status;
	const cudaGraphNode_t *nodes = NULL;
	size_t count = 0;

	if (!cudaStreamGetCaptureInfo ||
	    cudaStreamGetCaptureInfo(ct_streams_meant(call->stream, call->per_thread), &status,
				     NULL, NULL, &nodes, NULL, &count) != cudaSuccess)
		return NULL;
	return count == 1 ? nodes[0] : NULL;
}

void ct_captured_note(const struct ct_launch_call *call, const char *site)
{
	cudaGraphNode_t node = site ? last_node(call) : NULL;
	struct captured *entry = node ? find(node) : NULL;

	if (!node)
		return;
	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return;
		entry->node = node;
		entry->next = *bucket_of(node);
		*bucket_of(node) = entry;
	}
	entry->function = call->function;
	entry->site = site;
}

const char *ct_captured_site(cudaGraphNode_t node, const void *function)
{
	const struct captured *entry = find(node);

	return entry && entry->function == function ? entry->site : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch ids of kernel nodes (CT_LAUNCH_INDIRECT): each executable graph has a
 * run of slots in its device's launch_ids, one per kernel node, which are
 * written in stream order ahead of every launch of the graph. 0 there means
 * that the launch is not recorded. Session's lock held.
 */
#ifndef CT_HOST_RT_GRAPH_IDS_H
#define CT_HOST_RT_GRAPH_IDS_H

#include "host-rt/drain/state.h"

#define CT_NO_SLOTS UINT32_MAX

/* The first of count slots, or CT_NO_SLOTS. */
uint32_t ct_graph_ids_take(const struct ct_device *device, uint32_t count);
/* Slots that launches up to event (NULL: none) may still read; the event is
 * destroyed when they are used again. */
void ct_graph_ids_return(const struct ct_device *device, uint32_t first, uint32_t count,
			 cudaEvent_t event);
/* The device's memory is gone. */
void ct_graph_ids_forget(const struct ct_device *device);

/* In stream order: slot first + i gets id + i if that is within [low, high], else 0. */
cudaError_t ct_graph_ids_set(const struct ct_device *device, cudaStream_t stream, uint32_t first,
			     uint32_t count, uint32_t id, uint32_t low, uint32_t high);

#endif

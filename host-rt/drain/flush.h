/* SPDX-License-Identifier: Apache-2.0 */
/* Have the device send what lies in slots that no warp owns. */
#ifndef CT_HOST_RT_DRAIN_FLUSH_H
#define CT_HOST_RT_DRAIN_FLUSH_H

#include "host-rt/drain/state.h"

/* Load the flush kernel now: a lazy load beside running kernels may wait for them. */
int ct_flush_load(void);

/* Start the flush kernel on our own stream, beside whatever runs; not on the CPU target,
 * whose grids flush themselves. 0 or -CT_ECUDA. Device current. */
int ct_flush_start(struct ct_drain *drain);

/* The same, and wait for it. */
int ct_flush_wait(struct ct_drain *drain);

/* Read bytes at an offset of the device's memory. */
int ct_flush_read(struct ct_drain *drain, size_t offset, void *to, size_t bytes);
/* The same, but `to` (pinned) is written when everything on the device's stream before is done. */
int ct_flush_read_later(struct ct_drain *drain, size_t offset, void *to, size_t bytes);

#endif

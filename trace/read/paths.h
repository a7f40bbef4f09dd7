/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each lane stands in the calls that were not inlined: a stack per warp
 * whose frames have masks. Warps that are in no call take no memory.
 */
#ifndef CT_TRACE_READ_PATHS_H
#define CT_TRACE_READ_PATHS_H

#include "trace/read/reader.h"

struct ct_paths;

int ct_paths_open(struct ct_paths **out);
void ct_paths_close(struct ct_paths *paths); /* NULL is allowed */

/* Forget all stacks: what follows is not known to go on from them. */
void ct_paths_clear(struct ct_paths *paths);

/* The warp that the functions below are about. */
void ct_paths_select(struct ct_paths *paths, uint32_t launch, uint64_t cta, uint32_t warp);

/* Lanes begin the call that a site is. Returns 0; 1 if stacks of other warps
 * were forgotten because there were too many; or -ENOMEM. */
int ct_paths_enter(struct ct_paths *paths, const struct ct_path_call *call, uint32_t mask);

/* The lanes' innermost such call is over, and with it those made within it.
 * Lanes that are in no such call stay where they are. */
void ct_paths_leave(struct ct_paths *paths, const struct ct_path_call *call, uint32_t mask);

/* The lanes of mask (not 0) whose path is the same as that of its lowest one.
 * *path: outermost call first, valid until the next call. */
uint32_t ct_paths_group(struct ct_paths *paths, uint32_t mask, const struct ct_path_call **path,
			uint32_t *depth);

#endif

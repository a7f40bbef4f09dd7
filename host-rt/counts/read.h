/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: what reductions have left on a device becomes events. Session's lock held, quiet
 * section, device current. Both return 0 or a negative error. */
#ifndef CT_HOST_RT_COUNTS_READ_H
#define CT_HOST_RT_COUNTS_READ_H

#include "host-rt/drain/state.h"

/* Write what has come in. */
int ct_counts_read(struct ct_drain *drain);
/* The same when all work is complete: tells what is missing. */
int ct_counts_finish(struct ct_drain *drain);

#endif

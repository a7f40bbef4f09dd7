/* SPDX-License-Identifier: Apache-2.0 */
/* Frees and copies that failed, and early accesses, for checks (--check): REFUSED events. Written
 * on behalf of the call at hand (ct_call_innermost), whose real call has returned. Without --check
 * they do nothing. */
#ifndef CT_HOST_RT_EVENTS_REFUSED_H
#define CT_HOST_RT_EVENTS_REFUSED_H

#include "host-rt/watch/ranges/access.h"
#include <cudatrace/format.h>
#include <stdbool.h>
#include <stdint.h>

bool ct_refused_is_on(void);

/* Takes the session's lock. */
void ct_refused_free(uint64_t address, int error);

/* The same of a copy or memset, whose addresses are known. direction: a cudaMemcpyKind, or
 * CT_REFUSED_NO_DIRECTION. In a quiet section; takes the session's lock. */
#define CT_REFUSED_NO_DIRECTION UINT32_MAX
void ct_refused_transfer(const struct ct_event_transfer *transfer, uint32_t direction, int error);

/* An access of the host to pinned memory of a copy that nothing has waited for (ct_watch_early). */
void ct_refused_access(const struct ct_watch_early *early);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that compiled code has noted for the next launch or allocation of this host thread. */
#ifndef CT_HOST_RT_CALLS_SITES_H
#define CT_HOST_RT_CALLS_SITES_H

#include "host-rt/calls/call.h"

/* The descriptor (host.h) that was noted for this call, or NULL. What was noted for another one,
 * which then was not made, is forgotten. */
const char *ct_sites_take_launch(const struct ct_call *call);
const char *ct_sites_take_alloc(const struct ct_call *call);

#endif

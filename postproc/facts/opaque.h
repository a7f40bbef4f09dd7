/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches may store to global memory what the trace does not tell: those that were not
 * traced, or in part, that lost records or failed, or whose code has stores that are not recorded.
 */
#ifndef CT_POSTPROC_FACTS_OPAQUE_H
#define CT_POSTPROC_FACTS_OPAQUE_H

#include "trace/read/reader.h"

#include <stdbool.h>

struct ct_opaque;

/* 0 or -ENOMEM; *out is to be closed in either case. */
int ct_opaque_open(struct ct_opaque **out, const struct ct_trace *trace);
void ct_opaque_close(struct ct_opaque *opaque); /* NULL is allowed */

/* launch: of the trace. */
bool ct_opaque_is(const struct ct_opaque *opaque, const struct ct_launch_info *launch);
/* Likewise, or it may load what the trace does not tell. */
bool ct_opaque_hides_loads(const struct ct_opaque *opaque, const struct ct_launch_info *launch);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads of device memory that nothing has written: no kernel, no copy, no memset. A copy from such
 * memory is none, it takes along what is not written; only a kernel's load or atomic of bytes none
 * of which is written is a read. (Of a structure that is copied as a whole, padding is read beside
 * what is written.) Of reads by one warp and writes of the same bytes by another one of the same
 * launch, or by what is not ordered with it, nothing is claimed.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_UNWRITTEN_H
#define CT_POSTPROC_ANALYSIS_CHECK_UNWRITTEN_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/check/owners.h"
#include "postproc/analysis/check/steps.h"

struct ct_check_unwritten;

/* All that is given outlives it. unseen_parts: whose memory others may write. 0 or a negative
 * error */
int ct_check_unwritten_open(struct ct_check_unwritten **out, struct ct_trace *trace,
			    struct ct_check_owners *owners, struct ct_check_causes *causes,
			    uint64_t unseen_parts, uint64_t limit_bytes);
void ct_check_unwritten_close(struct ct_check_unwritten *unwritten); /* NULL is allowed */

/* Accesses in the order of the trace, all of them. 0 or a negative error */
int ct_check_unwritten_add(struct ct_check_unwritten *unwritten, const struct ct_access *access);
/* After the last one: adds the causes. Likewise */
int ct_check_unwritten_end(struct ct_check_unwritten *unwritten);

/* Borrowed: steps of the trace. */
const struct ct_check_steps *ct_check_unwritten_steps(const struct ct_check_unwritten *unwritten);

/* Whether anything could be found: the trace says who wrote memory, and the limit was enough. */
bool ct_check_unwritten_is_known(const struct ct_check_unwritten *unwritten);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges addresses by themselves: such as are no multiple of the access's size, where code
 * generation relies on it, and accesses of a kernel's body to one local variable that lie farther
 * apart than it is long.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_ADDRESSES_H
#define CT_POSTPROC_ANALYSIS_CHECK_ADDRESSES_H

#include "postproc/analysis/check/causes.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/locate.h"

struct ct_check_addresses;

/* The trace, the filter (NULL: everything passes) and the causes outlive it. 0 or -ENOMEM */
int ct_check_addresses_open(struct ct_check_addresses **out, const struct ct_trace *trace,
			    const struct ct_filter *filter, struct ct_check_causes *causes);
void ct_check_addresses_close(struct ct_check_addresses *addresses); /* NULL is allowed */

/* An access of any space. 0 or -ENOMEM */
int ct_check_addresses_add(struct ct_check_addresses *addresses, const struct ct_access *access);
/* After the last one. Likewise */
int ct_check_addresses_end(struct ct_check_addresses *addresses);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The long lists of the communication analysis, from wherever they are kept. */
#ifndef CT_EXPORT_LISTS_H
#define CT_EXPORT_LISTS_H

#include "postproc/analysis/comm/comm.h"

/* fn's nonzero value stops and is returned. */
struct ct_export_lists {
	/* By source superstep and CTA, then target superstep and CTA. */
	int (*transfers)(void *user, int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			 void *fn_user);
	/* By superstep and CTA. */
	int (*ctas)(void *user, int (*fn)(void *user, const struct ct_comm_cta *cta),
		    void *fn_user);
	void *user;
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* On which device each CTA lives, for every number of devices and placement of a scaling model. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_SCALING_HOMES_H
#define CT_POSTPROC_ANALYSIS_COMM_SCALING_HOMES_H

#include "postproc/analysis/comm/scaling/scaling.h"

/* A choice is a number of devices and a placement; the one of k devices and
 * placement p is p * counts + k - devices_min. */
struct ct_homes {
	uint32_t devices_min, counts; /* counts: numbers of devices */
	uint32_t choices;
	uint32_t row_bytes; /* choices and zeros up to a multiple of 8 */
	uint64_t ctas;
	uint8_t *home;        /* [cta][choice], rows of row_bytes */
	uint64_t other_bytes; /* of this rank's transfers between different CTAs */
};

/* Collective; the same homes on all ranks. */
int ct_homes_init(struct ct_homes *homes, struct ct_comm *comm,
		  const struct ct_scaling_options *options);
void ct_homes_fini(struct ct_homes *homes);

static inline uint32_t ct_homes_devices(const struct ct_homes *homes, uint32_t choice)
{
	return homes->devices_min + choice % homes->counts;
}

static inline enum ct_placement ct_homes_placement(const struct ct_homes *homes, uint32_t choice)
{
	return (enum ct_placement)(choice / homes->counts);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Motes (piece.h): how they are made, and what the page stage does with them. */
#ifndef CT_VALUES_MOTES_H
#define CT_VALUES_MOTES_H

#include "postproc/analysis/values/page.h"
#include "postproc/analysis/values/put.h"

/* Can the next lanes be motes? */
bool ct_value_motes_fit(const struct ct_value_put *put, const struct ct_value_element *element);

/* If they can: the lanes are in the page of put->place. 0, or an error of the shuffle. */
int ct_value_put_motes(struct ct_value_put *put, const struct ct_value_element *element,
		       uint32_t object, uint32_t lanes);
/* The same of lanes in global memory, none of them across the end of a page. False: nothing is
 * done, for more than `most` lanes may be in one page, or they cannot be motes. */
bool ct_value_put_scattered(struct ct_value_put *put, const struct ct_value_element *element,
			    uint32_t object, uint32_t lanes, uint32_t most, int *err);

/* Takes those of the motes, in order, that come before the piece of that key; *taken: how many.
 * 0 or -ENOMEM */
int ct_motes_take(struct ct_value_page *page, const struct ct_value_mote *mote, size_t motes,
		  ct_value_key before, size_t *taken);

#endif

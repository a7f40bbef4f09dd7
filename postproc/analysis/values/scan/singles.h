/* SPDX-License-Identifier: Apache-2.0 */
/* Single-lane records (base/piece.h): how they are made. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_SINGLES_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_SINGLES_H

#include "postproc/analysis/values/scan/put.h"

/* Can the next lanes be single-lane records? */
bool ct_value_singles_fit(const struct ct_value_put *put, const struct ct_value_element *element);

/* If they can: the lanes are in the page of put->place. 0, or an error of the shuffle. */
int ct_value_put_singles(struct ct_value_put *put, const struct ct_value_element *element,
			 uint32_t object, uint32_t lanes);
/* The same of lanes in global memory, none of them across the end of a page. False: nothing is
 * done, for more than `most` lanes may be in one page, or they cannot be single-lane records. */
bool ct_value_put_scattered(struct ct_value_put *put, const struct ct_value_element *element,
			    uint32_t object, uint32_t lanes, uint32_t most, int *err);

#endif

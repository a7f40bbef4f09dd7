/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the consumers of a device take into the trace of this process. */
#ifndef CT_HOST_RT_DRAIN_RECORDS_H
#define CT_HOST_RT_DRAIN_RECORDS_H

#include "host-rt/drain/ring.h"

/* For struct ct_consumers, whose user is a struct ct_drain. */
extern const struct ct_consumer_sink ct_records_sink;

/* Launches with a smaller id have all their records in the files, as far as
 * consumers have taken them; UINT64_MAX if nothing is missing. */
uint64_t ct_records_first_missing(void);

/* Some consumer still has a stream open. */
bool ct_records_are_in_use(void);

#endif

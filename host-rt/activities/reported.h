/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what CUPTI reports beside activities, until the journal takes it: what the driver has
 * compiled at run time (COMPILE), and waits (SYNC). */
#ifndef CT_HOST_RT_ACTIVITIES_REPORTED_H
#define CT_HOST_RT_ACTIVITIES_REPORTED_H

#include <cudatrace/format.h>
#include <stddef.h>

/* One more. Any thread; takes no lock that is held while somebody waits for a device. Without
 * memory it is left out. */
void ct_reported_compile(const struct ct_row_compile *row);
void ct_reported_sync(const struct ct_row_sync *row);

/* For the journal alone: all that came since the last time, until the next. */
size_t ct_reported_compiles(struct ct_row_compile **rows);
size_t ct_reported_syncs(struct ct_row_sync **rows);

#endif

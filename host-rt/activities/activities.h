/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what devices did (cudatrace/activity.h), until the journal takes it. */
#ifndef CT_HOST_RT_ACTIVITIES_ACTIVITIES_H
#define CT_HOST_RT_ACTIVITIES_ACTIVITIES_H

#include <cudatrace/activity.h>
#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

#define CT_ACTIVITIES_MAX 500000u /* that wait; more are lost */

/* One more, as of struct ct_activity_sink. */
void ct_activities_happened(const struct ct_activity *activity);

/* So many more never came. Any thread. */
void ct_activities_lose(uint64_t count);

/* For the journal alone: all that came since the last time, until the next; names are numbers from
 * 1 for ct_activities_name, 0 none. */
size_t ct_activities_take(struct ct_row_activity **rows);
const char *ct_activities_name(uint32_t number);
uint64_t ct_activities_lost(void);

#endif

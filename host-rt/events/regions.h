/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's marks (cudatrace.h): pauses of the process, regions of host
 * threads. Marks count from the start of the program; what was marked before the
 * trace was opened, and still holds, is written when the thread launches.
 */
#ifndef CT_HOST_RT_EVENTS_REGIONS_H
#define CT_HOST_RT_EVENTS_REGIONS_H

#include <stdbool.h>

/* Names of the calling thread's regions, outermost first, joined by "/"; NULL
 * outside. Until the thread ends the innermost. */
const char *ct_regions_path(void);
bool ct_regions_are_paused(void);
/* Whether one of the thread's regions has a name, or a path, that the extended
 * regular expression matches; the first one asked for is kept. Session's lock held. */
bool ct_regions_match(const char *pattern);
/* REGION events of marks that the trace lacks. Session active, its lock held. */
void ct_regions_write(void);

/* Nothing can be traced any more: marks cost a load. */
void ct_regions_close(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Where this process writes its trace: the directory, and which parts of it. */
#ifndef CT_HOST_RT_PROCESS_PLACE_H
#define CT_HOST_RT_PROCESS_PLACE_H

#include "trace/names/directory.h"
#include "trace/names/rank.h"
#include <stdbool.h>

#define CT_PLACE_BYTES 4096

struct ct_process_place {
	char directory[CT_PLACE_BYTES];
	struct ct_part_numbers numbers;
	struct ct_rank rank;
	char run[CT_JOB_BYTES]; /* what all processes of the run share; "" unknown */
};

/* output: the directory as asked for, or "". forked: a child of the process that was started.
 * Under ctrun the directory is ready (it names it in CUDATRACE_RUN); else it is emptied here of
 * an earlier trace, as far as that is up to this rank. */
void ct_process_place_find(struct ct_process_place *place, const char *output, bool forked);

/* The process has changed its root directory since we were loaded: names mean other files. */
bool ct_process_place_has_moved(void);

/* Write the PROCESS event; the session's lock held. */
void ct_process_place_announce(const struct ct_process_place *place);

#endif

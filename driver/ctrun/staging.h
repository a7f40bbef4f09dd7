/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of the feed-forward measurement model one after another, each fed by those before. */
#ifndef CT_DRIVER_CTRUN_STAGING_H
#define CT_DRIVER_CTRUN_STAGING_H

#include "driver/ctrun/line.h"
#include "driver/ctrun/stage.h"

/* Checks what speaks against starting the program several times, and says it: an exit status; 0:
 * nothing. */
int ctrun_staging_check(const struct ctrun_line *line);

/* Where standard input begins; -1: whoever reads it first has it alone, which is said. */
off_t ctrun_staging_input(void);

/* only: the number of the stage that is asked for; 0: all that the study lacks. Of a program that
 * is injected into, the first alone. 0, or the exit status for ctrun, what went wrong being said.
 */
int ctrun_staging_run(struct ctrun_staging *staging, unsigned only);

#endif

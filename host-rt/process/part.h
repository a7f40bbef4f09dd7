/* SPDX-License-Identifier: Apache-2.0 */
/* This process's part of the trace: how it is opened, its manifest, what is said when it stops, its
 * end. */
#ifndef CT_HOST_RT_PROCESS_PART_H
#define CT_HOST_RT_PROCESS_PART_H

#include "host-rt/base/options.h"
#include "host-rt/process/place.h"
#include <stdbool.h>

struct ct_writer;

/* Reads the environment; values that are not understood are reported. Of a set-user-ID program,
 * one with capabilities, or one that has changed its root directory nothing is traced. */
void ct_part_options(struct ct_options *options);

/* Opens the part's files there. False: it says why, and the program goes on. */
bool ct_part_open(const struct ct_options *options, const struct ct_process_place *where,
		  struct ct_writer **writer);

/* The trace has just been opened there: its first event and manifest. place stays. Session's lock
 * held. */
void ct_part_begin(const struct ct_process_place *place);

/* The manifest tells the totals so far. Any thread. */
void ct_part_tell(void);

/* Says why no more records are stored, and what there is. Any thread. */
void ct_part_stopped(int err);

/* Writes the last manifest and closes the files. Session's lock held, devices ended. */
void ct_part_close(void);

#endif

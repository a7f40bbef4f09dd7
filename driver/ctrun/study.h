/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a study (base/study.h): made, checked, filled trace by trace. */
#ifndef CT_DRIVER_CTRUN_STUDY_H
#define CT_DRIVER_CTRUN_STUDY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct ctrun_study {
	char path[PATH_MAX]; /* absolute */
};

/* Makes the directory, or takes the one that is there if it is a study of this program (ended by
 * NULL) and holds nothing else. redo: its traces are removed. 0, or a negative error with one line
 * in why. */
int ctrun_study_open(struct ctrun_study *study, const char *name, char *const *program, bool redo,
		     char *why, size_t why_bytes);

/* The path of a file of the study; "" if it would be too long. ending: "" or CT_STUDY_PARTIAL. */
void ctrun_study_file(const struct ctrun_study *study, const char *file, const char *ending,
		      char path[PATH_MAX]);

bool ctrun_study_has(const struct ctrun_study *study, const char *file);

/* A partial file or trace that was written is complete and replaces the one that is there. 0 or
 * -errno. */
int ctrun_study_keep(const struct ctrun_study *study, const char *file);

#endif

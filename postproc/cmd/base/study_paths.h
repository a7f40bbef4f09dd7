/* SPDX-License-Identifier: Apache-2.0 */
/* Traces in a directory of `ctrun ffm` or `ctrun profile` (base/study.h): which of them a
 * command shows. Paths are to be freed. */
#ifndef CT_POSTPROC_CMD_BASE_STUDY_PATHS_H
#define CT_POSTPROC_CMD_BASE_STUDY_PATHS_H

#include <stdbool.h>

/* Whether path is such a directory. */
bool ctpost_is_study(const char *path);

/* A file of the directory, by its name. NULL: it is not there, or memory is short. */
char *ctpost_study_path(const char *directory, const char *name);
bool ctpost_study_has(const char *directory, const char *name);

/* The trace whose times are shown: of a study its first run, else path itself. NULL: memory is
 * short. */
char *ctpost_calls_path(const char *path);

/* The trace that holds records: of a study the run that ctrun profile has made for it, or else its
 * first, else path itself. Likewise. */
char *ctpost_accesses_path(const char *path);

/* The trace of samples of a study; NULL: it has none. */
char *ctpost_sampled_path(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Files of this installation: libraries that programs load, programs beside this one. */
#ifndef CT_DRIVER_CTRUN_LIBRARY_H
#define CT_DRIVER_CTRUN_LIBRARY_H

#include <limits.h>
#include <stddef.h>

/* Where it stands: in CT_LIBDIR of the directory above bin/ of this executable. 0 or -errno. */
int ctrun_library(const char *name, char path[PATH_MAX]);

/* Where another executable stands: beside this one. 0 or -errno. */
int ctrun_program(const char *name, char path[PATH_MAX]);

/* Has it loaded before the program's, and before what LD_PRELOAD has. 0, or a negative error with
 * one line in why. */
int ctrun_library_preload(const char *name, char *why, size_t why_bytes);

/* LD_PRELOAD as it is now, and as it was: programs that we run for ourselves load nothing else.
 * restore frees what save has returned, which is NULL if the variable was not set. */
char *ctrun_preload_save(void);
void ctrun_preload_restore(char *saved);

#endif

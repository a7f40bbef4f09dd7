/* SPDX-License-Identifier: Apache-2.0 */
/* The symbol index of static libraries. */
#ifndef CT_DRIVER_WRAPPER_ARCHIVE_H
#define CT_DRIVER_WRAPPER_ARCHIVE_H

/* Calls visit for every symbol in the archive's index that begins with prefix.
 * What cannot be read, or is no archive with an index (GNU format), has none:
 * the linker is the one to complain. */
void ct_archive_symbols(const char *path, const char *prefix,
			void (*visit)(void *user, const char *symbol), void *user);

#endif

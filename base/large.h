/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that may be larger than memory should be: those that come when a limit is reached lie in a
 * file that has no name any more, whose pages the system writes out and drops where memory is
 * short. Any thread.
 */
#ifndef CT_BASE_LARGE_H
#define CT_BASE_LARGE_H

#include <stddef.h>
#include <stdint.h>

/* At most so many bytes of them are in memory of the process, from now on; directory: where the
 * files are (borrowed; NULL: $TMPDIR, or /tmp). Without it there is no limit. Small arrays do not
 * count. */
void ct_large_limit(uint64_t bytes, const char *directory);

/* The same, but where there is no room in the directory they are in memory all the same. */
void ct_large_spare(uint64_t bytes, const char *directory);

/* Zeros, as calloc has them; aligned as by malloc. NULL: there is neither memory nor room in the
 * directory. Freed by ct_large_free, which allows NULL. */
void *ct_large_alloc(size_t count, size_t bytes);
void ct_large_free(void *array);

/* So many bytes have gone to files. */
uint64_t ct_large_in_files(void);

#endif

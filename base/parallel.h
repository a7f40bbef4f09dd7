/* SPDX-License-Identifier: Apache-2.0 */
/* Work that is independent piece by piece, on the processors that the process may use. */
#ifndef CT_BASE_PARALLEL_H
#define CT_BASE_PARALLEL_H

#include <stddef.h>

/* Calls work for each piece below count, on the calling thread and on up to 15 others. Pieces begin
 * in their order. Returns the error of the first piece that failed, 0 if none did; all are done in
 * either case. Where no thread can be begun, fewer do it. */
int ct_parallel(size_t count, int (*work)(void *user, size_t piece), void *user);

/* Processors that the process may use, at least 1. */
unsigned ct_parallel_processors(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of tier counts: two launches of a kernel, and one whose touched memory is not known. */
#ifndef CT_TRACE_COUNTS_H
#define CT_TRACE_COUNTS_H

#include <stdbool.h>

/* Write it; mixed: with one more launch, of tier full. Returns what the writer's close returned. */
int counts_make(const char *directory, bool mixed);

#endif

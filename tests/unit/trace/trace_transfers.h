/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with copies, memsets, streams, events and waits around two launches. */
#ifndef CT_TRACE_TRANSFERS_H
#define CT_TRACE_TRANSFERS_H

#define TRANSFERS_COPIES 4u
#define TRANSFERS_SETS 1u
#define TRANSFERS_BYTES 8768u /* 4096 + 10 rows of 48 + 2 slices of 3 rows of 16 + 4000 + 96 */
#define TRANSFERS_ORDERS 5u
#define TRANSFERS_STREAMS 3u
#define TRANSFERS_STREAM 3u /* does not block; the first launch's */
#define TRANSFERS_EVENT 9u

/* Write it; returns what the writer's close returned. */
int transfers_make(const char *directory, int level);

#endif

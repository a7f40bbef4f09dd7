/* SPDX-License-Identifier: Apache-2.0 */
/* Traces with API calls, device activities and host stacks. */
#ifndef CT_TRACE_API_H
#define CT_TRACE_API_H

#include <stdbool.h>
#include <stdint.h>

/* A trace whose figures are worked out in trace_api.c. with_activities: else only its calls.
 * module: path of the file that the stacks are in. Returns what the writer's close returned. */
int api_make(const char *directory, bool with_activities, const char *module);

/* One of so many calls of two parts, drawn by seed: threads, streams, waits, inner calls. */
int api_make_random(const char *directory, uint64_t seed, uint32_t calls);

/* Rows of all tables whose columns are any numbers. */
int api_make_senseless(const char *directory, uint64_t seed, uint32_t rows);

#endif

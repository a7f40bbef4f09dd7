/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls have this in common: their order and some words. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_SORTED_H
#define CT_POSTPROC_ANALYSIS_CALLS_SORTED_H

#include "postproc/analysis/calls/calls.h"

/* Says in words what calls of a function have waited for: "kernel(int*)", "copy host to device". */
#define CT_WAITED_BYTES 64
const char *ct_waited_name(const struct ct_calls *calls, const struct ct_calls_wait *wait,
			   char buffer[CT_WAITED_BYTES]);

/* The numbers 0 to count - 1 by what is most; freed by the caller. NULL: memory is short. */
uint32_t *ct_calls_sorted(const struct ct_calls *calls, size_t count,
			  uint64_t (*most)(const struct ct_calls *calls, size_t number));
uint64_t ct_function_time(const struct ct_calls *calls, size_t number);
uint64_t ct_kernel_time(const struct ct_calls *calls, size_t number);
uint64_t ct_wait_time(const struct ct_calls *calls, size_t number);
uint64_t ct_thread_time(const struct ct_calls *calls, size_t number);
uint64_t ct_stream_time(const struct ct_calls *calls, size_t number);

#endif

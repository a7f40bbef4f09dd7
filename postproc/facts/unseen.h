/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes whose device memory somebody may access of whom the trace tells nothing: other
 * processes, to which it is given, and kernels that the program did not launch itself, as those of
 * libraries.
 */
#ifndef CT_POSTPROC_FACTS_UNSEEN_H
#define CT_POSTPROC_FACTS_UNSEEN_H

#include "trace/read/reader.h"
#include <stdbool.h>

/* A set of bits, by part modulo 64; all if that cannot be read. Known as far as calls and
 * activities are recorded. */
uint64_t ct_unseen_parts(struct ct_trace *trace);

static inline bool ct_unseen_is(uint64_t parts, uint32_t part)
{
	return parts >> part % 64 & 1;
}

#endif

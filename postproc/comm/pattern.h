/* SPDX-License-Identifier: Apache-2.0 */
/* Names for what a kernel pair's communication looks like (seed 001, 4.1 and 4.2.2). */
#ifndef CT_COMM_PATTERN_H
#define CT_COMM_PATTERN_H

#include "comm.h"

/* From the evidence in pair: its degrees, sources, targets and bytes. pair->pattern is not read. */
enum ct_comm_pattern ct_pattern_of(const struct ct_comm_kernel_pair *pair);
/* "gather" */
const char *ct_pattern_text(enum ct_comm_pattern pattern);
/* One line that says why: "256 CTAs send to 1; each of up to 128 bytes …". */
const char *ct_pattern_why(const struct ct_comm_kernel_pair *pair, char *buffer, size_t bytes);

#endif

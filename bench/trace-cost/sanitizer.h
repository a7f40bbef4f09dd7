/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tracer on the Sanitizer API, for comparison: every access of a thread is an
 * atomic addition and a record of 24 bytes in device memory. The records are never
 * transferred, so that its time is a lower bound for collectors of this kind.
 */
#ifndef TRACE_COST_SANITIZER_H
#define TRACE_COST_SANITIZER_H

#include <stdint.h>

#define SANITIZER_RECORDS (1ull << 23)              /* then from the beginning again */
#define SANITIZER_PATCH_VARIABLE "TRACE_COST_PATCH" /* environment: path of the patch */

struct sanitizer_record {
	uint64_t pc;
	uint64_t address;
	uint32_t bytes;
	uint32_t flags;
};

struct sanitizer_buffer {
	unsigned long long count;
	struct sanitizer_record records[SANITIZER_RECORDS];
};

#endif

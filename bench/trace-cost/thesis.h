/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracing protocol of seed 001 (sections 5.3 and 5.4, Figures 5.7 to 5.9), for
 * comparison: every access of a thread is a record of 24 bytes in memory of the host,
 * in a bin chosen by the SM; a warp reserves slots with an atomic addition, writes,
 * and acknowledges with another; a host thread polls all bins and writes out and
 * resets those that are full.
 */
#ifndef TRACE_COST_THESIS_H
#define TRACE_COST_THESIS_H

#include <cstdint>

#define THESIS_WARP 32u

struct thesis_record {
	uint64_t description; /* SM, operation (Table 5.1), bytes */
	uint64_t address;
	uint64_t cta;
};

/* Mapped host memory; indices of a bin have a cache line to themselves. */
struct thesis_buffer {
	thesis_record *records;
	unsigned *reserved, *acknowledged;
	uint32_t bins; /* a power of two */
	uint32_t bin_records;
};

#define THESIS_INDEX(bin) ((bin)*16u)

/* Kernels launched from now on record into this buffer. */
void thesis_select(const thesis_buffer &buffer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the thesis' trace format (seed 001, section 5.1.2, Figure 5.2,
 * Table 5.1). The 192 bits are three 64-bit words in the order drawn, each
 * stored least significant byte first (docs/ctpost.md says why):
 *
 *   word  63              32 31    28 27                     0   bytes
 *        +------------------+--------+------------------------+
 *    0   |      SM id       |  type  |          size          |   0..7
 *        +------------------+--------+------------------------+
 *    1   |                      address                       |   8..15
 *        +------------------+-----------------+---------------+
 *    2   |      CTA.x       |  CTA.y (31..16) | CTA.z (15..0) |  16..23
 *        +------------------+-----------------+---------------+
 */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_MEMTRACE_H
#define CT_POSTPROC_FORMATS_MEMTRACE_MEMTRACE_H

#include <stdint.h>

#define CT_MEMTRACE_BYTES 24u
#define CT_MEMTRACE_SIZE_MAX ((1u << 28) - 1)

struct ct_memtrace_record {
	uint32_t sm;
	uint32_t type; /* descriptor >> 28; 1..13 */
	uint32_t size;
	uint64_t address;
	uint32_t cta[3]; /* y and z: 16 bits */
};

void ct_memtrace_pack(const struct ct_memtrace_record *record, uint8_t out[CT_MEMTRACE_BYTES]);

/* Returns 0 for the end-of-trace record (all zero), else 1. */
int ct_memtrace_unpack(const uint8_t in[CT_MEMTRACE_BYTES], struct ct_memtrace_record *record);

/* Type of an operation; *exact is 0 when the table has no descriptor for it
 * and the nearest one is returned. */
uint32_t ct_memtrace_type(uint32_t operation, int *exact);

/* Operation of a type, or 0 if the table does not define the type. */
uint32_t ct_memtrace_operation(uint32_t type);

#endif

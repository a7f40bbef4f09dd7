/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encode one warp-level access as a record (record.h), on the host: the CPU
 * target's producer, importers and tests. The device has its own encoder,
 * which must choose the same kinds.
 */
#ifndef CUDATRACE_ENCODE_H
#define CUDATRACE_ENCODE_H

#include <cudatrace/record.h>

/* Write the record of an access of `bytes` per lane by the lanes of mask
 * (not 0) to words, which has room for CT_RECORD_BYTES_MAX. bytes is that of the
 * site in the unit blob, 0 if it has none there: the decoder goes by the blob.
 * Addresses of inactive lanes are ignored. Returns the number of words. */
uint32_t ct_encode_access(uint64_t *words, uint32_t site, uint32_t bytes, uint32_t mask,
			  const uint64_t address[CT_WARP_LANES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks as the device has shipped them, through the files of a trace and back. */
#ifndef DEVICE_POOL_TRACE_H
#define DEVICE_POOL_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

struct pool_chunk {
	const void *bytes;
	size_t size;
};

/* An access that a reader hands out; address: [32], defined for the lanes of mask. */
typedef void pool_access(uint32_t launch, uint64_t cta, uint32_t site, uint32_t mask,
			 const uint64_t *address);

/* Writes chunk i as ticket i by several streams with this codec; launches 1..launches of ctas
 * CTAs; sites 0..3 are of 4, 4, 8 and 16 bytes. Reads all of it. 0, or 1 after saying why. */
int pool_trace(const struct pool_chunk *chunks, size_t count, enum ct_codec codec,
	       uint32_t launches, uint32_t ctas, pool_access *access);

#ifdef __cplusplus
}
#endif

#endif
